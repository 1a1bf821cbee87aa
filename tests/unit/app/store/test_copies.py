"""What of a damaged project is put together again."""

from __future__ import annotations

from contextlib import closing
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from app.store.chain import TRACKED
from app.store.copies.placing import KEPT, placed
from app.store.study.items import digest_of
from app.store.values import canonical, sha256


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
