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
from extractors.model.errors import ProjectError, StorageError


def test_builds_of_a_damaged_project_say_which_of_their_items_are_left() -> None:
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in (*KEPT, *TRACKED)}
    build = {"uuid": str(NAMESPACE_OID), "position": 0, "study": "toy", "items": 3, "digest": "of three"}
    rows["build"] = [{**build, "guard": "", "summary": "{}", "built_at": ""}]
    texts = [canonical({"id": str(at), "task": "t"}) for at in range(2)]
    rows["text"] = [{"sha256": sha256(text), "text": text} for text in (*texts, texts[0])]
    rows["item"] = [
        {"uuid": str(uuid5(NAMESPACE_OID, str(at))), "build": str(NAMESPACE_OID), "position": at, "task": "t"}
        | {"id": str(at), "content_sha256": sha256(text)}
        for at, text in enumerate(texts)
    ]
    scratch, orphans = placed(rows)
    with closing(scratch):
        found = scratch.execute("SELECT items, digest FROM build").fetchall()
    assert found == [(2, digest_of(list(map(sha256, texts))))]
    assert orphans == [{"table": "text", "sha256": sha256(texts[0]), "text": texts[0]}]


def test_copies_that_newer_ones_supersede_go_and_where_none_can_be_kept_that_is_said(tmp_path: Path) -> None:
    path, folder = tmp_path / "study.casespan", tmp_path / "kept"
    folder.mkdir()
    with create_project_file(path, None, "Ann") as project:
        for day in (*range(1, 9), 28):
            (folder / f"study.200001{day:02}T000000Z.asked.0123456789ab.casespan").touch()
        newest = back_up(project, "asked", folder)
        left = [one.path for one in backups_of(path, folder)]
        # The latest five stay whatever their age; of those behind them the last of each month.
        assert left[0] == newest
        assert [one.name[12:14] for one in left[1:]] == ["28", "08", "07", "06", "05"]
        (tmp_path / "file").touch()
        with pytest.raises(StorageError, match="file could not be made"):
            back_up(project, "asked", tmp_path / "file")
    raw = bytearray(path.read_bytes())
    for page in range(4096, len(raw), 4096):
        raw[page : page + 64] = b"\xff" * 64
    path.write_bytes(raw)
    kept = restore(path, left[0], folder)
    assert kept is not None
    assert f".restore.{'0' * 12}." in kept.name, (
        "of a file that cannot be read no end of the history is known"
    )


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
