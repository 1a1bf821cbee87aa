"""Which files are copies of a project, which of them are still needed, and what a passphrase is."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from app.store import keys
from app.store.chain import START, TRACKED, chained
from app.store.copies import placing
from app.store.copies.backups import Backup, backup_folder, backups_of, copies_of, superseded
from app.store.copies.placing import KEPT, as_last_known
from app.store.keys import ENCRYPTED, key_of, new_key, offer, withdraw
from app.store.project import Project
from extractors.model.errors import LockedProjectError, ProjectError

END = "0123456789ab"


def test_the_copies_of_a_project_are_told_by_their_names_the_latest_first(tmp_path: Path) -> None:
    path = tmp_path / "study[1].casespan"
    folder = backup_folder(path)
    folder.mkdir()
    own = [
        f"study[1].20260301T0900{second}Z.{reason}.{END}{more}.casespan"
        for second, reason, more in (("02", "asked", ""), ("01", "opened", "-2"), ("01", "opened", ""))
    ]
    for name in (
        *own,
        f"study[1] and more.20260301T090001Z.opened.{END}.casespan",
        f"study1.20260301T090001Z.opened.{END}.casespan",
        f"study[1].20260301T090001Z.opened.{END}.txt",
        "study[1].20260301T090001Z.opened.0123.casespan",
    ):
        (folder / name).touch()
    found = backups_of(path)
    assert [one.path.name for one in found] == [own[0], own[2], own[1]]
    assert (found[0].made, found[0].reason, found[0].head) == (
        datetime(2026, 3, 1, 9, 0, 2, tzinfo=UTC), "asked", END,
    )  # fmt: skip
    for name in ("study[1].casespan.v3.bak", "study[1].casespan.v3-2.bak", "study1.casespan.v3.bak"):
        (tmp_path / name).touch()
    assert [one.name for one in copies_of(path)][3:] == [
        "study[1].casespan.v3-2.bak",
        "study[1].casespan.v3.bak",
    ]


def test_of_old_copies_the_latest_of_a_day_a_week_and_a_month_are_needed_and_of_all_the_last_five() -> None:
    now = datetime(2026, 6, 30, 12, tzinfo=UTC)

    def left(*hours: float) -> list[float]:
        """Of copies so many hours old those that are needed, the latest first."""
        every = [Backup(Path(str(age)), now - timedelta(hours=age), "asked", "") for age in hours]
        gone = {one.path.name for one in superseded(every, now)}
        return [age for age in sorted(hours) if str(age) not in gone]

    day, recent = 24.0, (0.1, 0.2, 0.3, 0.4, 0.5)
    assert left(*recent, 23.0, 24.0) == [*recent, 23.0, 24.0]
    # The same day of June, two of them; then two days of a week; then two weeks of a month.
    assert left(*recent, 3 * day, 3 * day + 1) == [*recent, 3 * day]
    assert left(*recent, 17 * day, 18 * day) == [*recent, 17 * day]
    assert left(*recent, 8 * day, 9 * day) == [*recent, 8 * day, 9 * day]
    assert left(*recent, 80 * day, 88 * day) == [*recent, 80 * day]
    assert left(*recent, 40 * day, 48 * day) == [*recent, 40 * day, 48 * day]
    # The last five stand whatever their age, and of the others one.
    assert left(*(100 * day + hour for hour in range(8))) == [100 * day + hour for hour in range(6)]


def test_rows_are_as_a_whole_history_left_them_and_in_doubt_where_it_may_go_on() -> None:
    def last_known(count: int, *, without: int = 0) -> tuple[list[dict[str, Any]], list[str]]:
        said = [("a", {"name": "x"}), ("b", {"name": "lost"}), ("c", None), ("d", {"name": "same"})]
        head, history = START, []
        for seq, (uuid, cells) in enumerate(said, start=1):
            after = None if cells is None else json.dumps({"uuid": uuid, **cells})
            row: dict[str, Any] = {"seq": seq, "table_name": "annotator", "row": uuid, "after": after}
            head = chained(head, row)
            history.append({**row, "hash": head})
        read = [{"uuid": "a", "name": "altered"}, {"uuid": "c", "name": "z"}, {"uuid": "d", "name": "same"}]
        rows: dict[str, list[dict[str, Any]]] = {table: [] for table in (*KEPT, *TRACKED)}
        told = [row for row in history if row["seq"] != without]
        own = sha256(b"own").hexdigest()
        held = [{"sha256": own, "text": "own"}, {"sha256": own, "text": "altered"}]
        rows, doubts = as_last_known({**rows, "text": held, "annotator": read, "history": told}, count)
        assert rows["text"] == held[:1], "a text goes by the hash of what it holds"
        return rows["annotator"], [one["uuid"] for one in doubts]

    b, d = {"uuid": "b", "name": "lost"}, {"uuid": "d", "name": "same"}
    assert last_known(4) == ([{"uuid": "a", "name": "x"}, d, b], [])
    as_read = [{"uuid": "a", "name": "altered"}, {"uuid": "c", "name": "z"}, d]
    # A row was lost behind the end: it may have said anything.
    assert last_known(5) == ([*as_read, b], ["a", "b", "c"])
    # One was lost on the way: what is told behind it holds, but for the next, whose hash is over it.
    assert last_known(4, without=2) == (as_read, ["a", "c"])


def test_a_passphrase_is_the_same_whatever_way_its_accents_are_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "_ROUNDS", 1)
    monkeypatch.setattr(keys, "_known", {})
    salt = ENCRYPTED + b"12345678"
    assert keys._made("caf\u00e9", salt) == keys._made("cafe\u0301", salt) != keys._made("cafe", salt)
    made = new_key("several words")
    assert made.secret.hex() not in repr(made)
    (tmp_path / "one").write_bytes(made.salt)
    assert key_of(tmp_path / "one") == made, "made here, it need not be offered again"
    (tmp_path / "other").write_bytes(salt)
    (tmp_path / "plain").write_bytes(b"SQLite format 3\0")
    assert key_of(tmp_path / "plain") is None
    with pytest.raises(LockedProjectError, match="is encrypted; give its passphrase") as without:
        key_of(tmp_path / "other")
    offer("several words")
    with pytest.raises(LockedProjectError, match="does not open with this passphrase") as wrong:
        key_of(tmp_path / "other")
    withdraw("several words")
    assert (without.value.wrong, wrong.value.wrong) == (False, True)
    with pytest.raises(ProjectError, match="protects nothing"):
        new_key("")


def test_a_section_of_which_a_category_is_unknown_takes_all_of_its_report_along(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = [("section", "s", "d", "", ""), ("annotation", "a", "d", "", "")]
    monkeypatch.setattr(placing, "unknown_categories", lambda *_: unknown)
    found = list(placing._unsound(project.db, project.scheme))
    assert found == [("section", "document", "d"), ("annotation", "uuid", "a")]
