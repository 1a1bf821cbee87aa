"""Files, folders and archives: found, told apart, and read one by one."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from app.formats import read, write
from app.formats.record import Imported, LeftOut
from extractors.errors import UnknownNameError

CATEGORIES = ("Neuro", "GI")
ARTICLE = b"<article><front/><body><p>One.</p></body></article>"


def outcome(path: Path, format: str = "auto") -> list[str]:
    """What each record is: its text, or why it is left out."""
    return [
        record.reason if isinstance(record, LeftOut) else record.document.text
        for record in read(path, format, CATEGORIES)
    ]


def package(path: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (ARTICLE, "One."),
        (b"\xef\xbb\xbf\n".strip() + ARTICLE, "One."),
        (
            "<?xml version='1.0' encoding='UTF-16'?>".encode("utf-16") + ARTICLE.decode().encode("utf-16-le"),
            "One.",
        ),
        (b'[{"pmcid": 1, "text": "Two.", "GI": null}]', "Two."),
        (b"Three.", "Three."),
        (b"[Three] in brackets.", "[Three] in brackets."),
    ],
)
def test_the_format_is_found_by_content_whatever_the_name(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "file.dat"
    path.write_bytes(data)
    assert outcome(path) == [text]


@pytest.mark.parametrize(
    "data", [b"", b"  \n", b"%PDF-1.7", b"PK\x03\x04x", b"\x89PNG\r\n", b"a\x00\x01b", b"<html/>", b"[{"]
)
def test_what_is_no_report_is_one_failure_in_one_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.xml"
    path.write_bytes(data)
    (record,) = read(path, "auto", CATEGORIES)
    assert isinstance(record, LeftOut)
    assert record.failed
    assert record.reason.endswith((".", "!"))
    assert "\n" not in record.reason


def test_one_bad_file_in_a_folder_leaves_the_others(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "a.xml").write_bytes(ARTICLE)
    (tmp_path / "b.xml").write_bytes(b"<article>")
    (tmp_path / "c.jpg").write_bytes(b"picture")
    (tmp_path / ".hidden.xml").write_bytes(ARTICLE)
    (tmp_path / "deep" / "er" / "d.txt").write_bytes(b"Two.")
    found = outcome(tmp_path)
    assert (found[0], found[2]) == ("One.", "Two.")
    assert "well-formed" in found[1]
    assert "2 other files" in found[3]


def test_a_package_is_read_in_memory_and_only_its_articles(tmp_path: Path) -> None:
    members = {"PMC1/a.nxml": ARTICLE, "PMC1/fig.jpg": b"x", "../evil.xml": ARTICLE, "PMC1/b.nxml": ARTICLE}
    found = outcome(package(tmp_path / "p.tar.gz", members))
    assert found[0] == found[2] == "One."
    assert "outside" in found[1]
    assert len(found) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["p.tar.gz"]


def test_a_damaged_or_empty_package_is_one_failure(tmp_path: Path) -> None:
    whole = package(tmp_path / "whole.tar.gz", {"a.nxml": ARTICLE * 200}).read_bytes()
    (tmp_path / "cut.tar.gz").write_bytes(whole[: len(whole) // 2])
    package(tmp_path / "none.tar.gz", {"fig.jpg": b"x"})
    assert "cannot be read" in outcome(tmp_path / "cut.tar.gz")[-1]
    assert "no .nxml" in outcome(tmp_path / "none.tar.gz")[0]


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    assert outcome(tmp_path / "none.xml") == ["There is no such file; check its name."]


def test_several_articles_in_a_file_are_numbered_and_share_its_digest(tmp_path: Path) -> None:
    path = tmp_path / "set.xml"
    path.write_bytes(b"<pmc-articleset>" + ARTICLE * 2 + b"</pmc-articleset>")
    first, second = read(path, "auto", CATEGORIES)
    assert isinstance(first, Imported)
    assert isinstance(second, Imported)
    assert (first.source, second.source) == (f"{path}#1", f"{path}#2")
    assert first.source_sha256 == second.source_sha256


def test_formats_that_do_not_exist_are_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="jats"):
        read(tmp_path, "word")
    with pytest.raises(UnknownNameError, match="jsonl"):
        write(tmp_path / "x", "word", [])


def test_without_categories_the_built_in_scheme_is_used(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(ARTICLE)
    (record,) = read(path)
    assert isinstance(record, Imported)
    assert len(record.document.sections[0].categories) == 14
