"""What of a damaged project is put together again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import pytest

from app.store.chain import TRACKED
from app.store.copies.backups import back_up, backups_of, restore
from app.store.copies.placing import KEPT, placed
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.study.items import digest_of
from app.store.values import canonical, sha256
from extractors.model.errors import ProjectError


def test_builds_of_a_damaged_project_say_which_of_their_items_are_left() -> None:
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in (*KEPT, *TRACKED)}
    build = {"uuid": str(NAMESPACE_OID), "position": 0, "study": "toy", "items": 3, "digest": "of three"}
    rows["build"] = [{**build, "guard": "", "summary": "{}", "built_at": ""}]
    texts = [canonical({"id": str(at), "task": "t"}) for at in range(2)]
    rows["text"] = [{"sha256": sha256(text), "text": text} for text in texts]
    rows["item"] = [
        {"uuid": str(uuid5(NAMESPACE_OID, str(at))), "build": str(NAMESPACE_OID), "position": at, "task": "t"}
        | {"id": str(at), "content_sha256": sha256(text)}
        for at, text in enumerate(texts)
    ]
    scratch, orphans = placed(rows)
    with closing(scratch):
        found = scratch.execute("SELECT items, digest FROM build").fetchall()
    assert (found, orphans) == ([(2, digest_of(list(map(sha256, texts))))], [])


def test_a_copy_is_put_back_where_nothing_is_and_what_was_there_is_kept(tmp_path: Path) -> None:
    path, folder = tmp_path / "study.casespan", tmp_path / "kept"
    with create_project_file(path, None, "Ann") as project:
        copy = back_up(project, "asked", folder)
        assert copy is not None
        assert back_up(project, "asked", folder) is None, "a copy has all of it"
    (folder / "other.20260101T000000Z.asked.0123456789ab.casespan").touch()
    (folder / "notes.casespan").touch()
    assert [(one.path, one.reason) for one in backups_of(path, folder)] == [(copy, "asked")]
    assert backups_of(path) == []
    path.unlink()
    assert restore(path, copy, folder) is None
    first, second = (restore(path, copy, folder) for _ in range(2))
    assert first is not None
    assert second is not None
    assert first != second
    assert sorted(one.reason for one in backups_of(path, folder)) == ["asked", "restore", "restore"]
    with pytest.raises(ProjectError, match="is the project itself"):
        restore(path, path)
    with Project.open(path) as again:
        assert again.owner == "Ann"
