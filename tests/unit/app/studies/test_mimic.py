"""MIMIC's tables, compressed or not: rows by the names of columns, and one note of each admission."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from app.studies.icd11.mimic import Mimic, csv_rows
from extractors.model.errors import CallError

PLAIN = 'b,a,c\n1,2,3\n\n4,"5\n,5",6,7\n'


@pytest.mark.parametrize("head", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("compressed", [False, True])
def test_rows_are_read_by_the_names_of_columns(tmp_path: Path, head: str, end: str, compressed: bool) -> None:
    data = (head + PLAIN.replace("\n", end)).encode()
    path = tmp_path / ("t.csv.gz" if compressed else "t.csv")
    path.write_bytes(gzip.compress(data) if compressed else data)
    assert list(csv_rows(path, ("a", "b"), "mend it")) == [["2", "1"], [f"5{end},5", "4"]]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "has no column a, b; mend it."),
        (b"b,c\n1,2\n", "has no column a; mend it."),
        (b"a,b\n1,2\nsecret\n", "line 3, has too few columns; mend it."),
        (b"a,b\n1,\xff\n", "is not UTF-8; mend it."),
        (gzip.compress(b"a,b\n1,2\n" * 99, mtime=0)[:-20], "ends too early or is damaged; mend it."),
        (b"\x1f\x8bsecret", "ends too early or is damaged; mend it."),
    ],
)
def test_what_is_wrong_with_a_table_is_said_without_its_words(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / ("t.csv.gz" if data[:1] == b"\x1f" else "t.csv")
    path.write_bytes(data)
    with pytest.raises(CallError) as error:
        list(csv_rows(path, ("a", "b"), "mend it"))
    assert str(error.value).endswith(said)
    assert "secret" not in str(error.value)


def test_of_an_admission_the_discharge_note_with_the_lowest_number_is_taken(tmp_path: Path) -> None:
    with pytest.raises(CallError, match="no folder hosp and no note"):
        Mimic(tmp_path)
    for name in ("hosp", "note"):
        (tmp_path / name).mkdir()
    mimic = Mimic(tmp_path)
    with pytest.raises(CallError, match=r"no note/discharge\.csv\.gz"):
        mimic.notes({})
    notes = (
        ("n1", "1", "DS", "10"), ("n2", "1", "DS", "9"), ("n3", "1", "AD", "1"), ("n4", "1", "DS", "9"),
        ("n5", "2", "DS", ""), ("n6", "2", " DS ", "7"), ("n7", "3", "DS", "x"), ("n8", "3", "DS", ""),
        ("n9", "4", "DS", "1"), ("n10", "5", "AD", "1"),
        ("n11", "4", "AD", "2"),
    )  # fmt: skip
    lines = ["note_id,hadm_id,note_type,note_seq,text", *(f"{','.join(one)},of {one[0]}" for one in notes)]
    (tmp_path / "note" / "discharge.csv").write_text("\n".join(lines) + "\n", "utf-8")
    found = mimic.notes(dict.fromkeys(("1", "2", "3", "5")))
    assert found.chosen == {"1": "n2", "2": "n6", "3": "n7"}
    assert (found.further, found.addenda) == (4, 2)
    texts = list(mimic.texts(found.chosen))
    assert texts == [("1", "of n2"), ("2", "of n6"), ("3", "of n7")]
    [source] = mimic.sources()
    assert (source["file"], source["rows"]) == ("note/discharge.csv", len(notes))
