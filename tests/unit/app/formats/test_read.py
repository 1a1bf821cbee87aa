"""Files, folders and archives: found, told apart, and read one by one."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import tarfile
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats import read, write
from app.formats import record as record_module
from app.formats.pictures.packages import Payload, Wanted, payloads
from app.formats.record import Imported, LeftOut
from extractors.model.errors import UnknownNameError

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
    assert (found[1], found[4]) == ("One.", "Two.")
    assert "well-formed" in found[2]
    assert found[3] == ".jpg files are not read."
    assert found[0] == "Hidden files are not read."


def test_every_file_of_a_folder_that_is_left_out_is_named(tmp_path: Path) -> None:
    names = [
        "README",
        "letter.doc",
        "scan.JPG",
        "table.xlsx",
        "deep/scan.jpg",
        ".hidden/a.xml",
        "deep/.a.xml",
    ]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(ARTICLE)
    found = {one.source: one.reason for one in read(tmp_path) if isinstance(one, LeftOut)}
    assert found == {
        str(tmp_path / "README"): "Files without an ending are not read.",
        str(tmp_path / "letter.doc"): ".doc files are not read; saved as .docx they are.",
        str(tmp_path / "scan.JPG"): ".jpg files are not read.",
        str(tmp_path / "table.xlsx"): ".xlsx files are not read.",
        str(tmp_path / "deep" / "scan.jpg"): ".jpg files are not read.",
        str(tmp_path / ".hidden"): "Hidden folders are not looked into.",
        str(tmp_path / "deep" / ".a.xml"): "Hidden files are not read.",
    }


def test_what_is_empty_or_larger_than_is_read_is_named_and_the_rest_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    assert outcome(tmp_path / "empty") == ["The folder is empty."]
    monkeypatch.setattr("app.formats.pictures.packages.MAX_FILE", len(ARTICLE))
    (tmp_path / "files").mkdir()
    for name, data in (("a.xml", ARTICLE + b" "), ("b.xml", ARTICLE)):
        (tmp_path / "files" / name).write_bytes(data)
    large, one = outcome(tmp_path / "files")
    assert (large, one) == ("The file is larger than 0 MB; split it into smaller ones.", "One.")


def test_what_is_printed_from_the_xml_beside_it_is_not_a_second_report(tmp_path: Path) -> None:
    for name in ("a.nxml", "a.pdf", "b.txt", "c.PDF", "c.XML"):
        (tmp_path / name).write_bytes(ARTICLE)
    assert outcome(tmp_path) == [
        "One.",
        "It has the name of the XML beside it, and is taken for the same report.",
        "One.",
        "It has the name of the XML beside it, and is taken for the same report.",
        "One.",
    ]


def test_a_package_is_read_in_memory_and_the_rest_of_it_named(tmp_path: Path) -> None:
    members = {"PMC1/a.nxml": ARTICLE, "PMC1/fig.jpg": b"x", "../evil.xml": ARTICLE, "PMC1/b.nxml": ARTICLE}
    found = outcome(package(tmp_path / "p.tar.gz", members))
    assert found[0] == found[2] == "One."
    assert "outside" in found[1]
    assert found[3:] == [".jpg files are not read."]
    assert [path.name for path in tmp_path.iterdir()] == ["p.tar.gz"]


def test_a_damaged_or_empty_package_is_one_failure(tmp_path: Path) -> None:
    whole = package(tmp_path / "whole.tar.gz", {"a.nxml": ARTICLE * 200}).read_bytes()
    (tmp_path / "cut.tar.gz").write_bytes(whole[: len(whole) // 2])
    package(tmp_path / "none.tar.gz", {"fig.jpg": b"x"})
    (tmp_path / "none.tgz").write_bytes(b"\x81 no archive")
    for name in ("cut.tar.gz", "none.tgz"):
        assert "The archive cannot be read" in outcome(tmp_path / name)[-1]
    assert "no .nxml" in outcome(tmp_path / "none.tar.gz")[0]


@pytest.mark.parametrize(
    ("kind", "size"),
    [(tarfile.REGTYPE, -1024), (tarfile.GNUTYPE_LONGNAME, 1 << 40), (tarfile.XHDTYPE, -(1 << 80))],
)
def test_sizes_in_an_archive_lead_neither_back_nor_into_memory(
    tmp_path: Path, kind: bytes, size: int
) -> None:
    whole = gzip.decompress(package(tmp_path / "whole.tar.gz", {"a.nxml": ARTICLE}).read_bytes())
    head = bytearray(tarfile.TarInfo("b.nxml").tobuf())
    head[124:136] = b"\xff" + (size % (1 << 88)).to_bytes(11) if size < 0 else b"\x80" + size.to_bytes(11)
    head[156:157] = kind
    head[148:156] = b"%06o\0 " % (sum(head) - sum(head[148:156]) + 8 * 32)
    (tmp_path / "led.tar").write_bytes(whole[:1024] + head + whole[1024:])
    found = outcome(tmp_path / "led.tar")
    assert (found[0], found[-1][:22], len(found) < 4) == ("One.", "The archive cannot be ", True)


def test_a_package_whose_sum_is_wrong_is_said_to_be_damaged(tmp_path: Path) -> None:
    path = package(tmp_path / "p.tar.gz", {"a.nxml": ARTICLE})
    path.write_bytes(path.read_bytes()[:-8] + bytes(8))
    assert "archive cannot be read (CRC" in outcome(path)[-1]


def test_of_an_archive_that_is_too_large_the_rest_is_not_read_and_nothing_else_said(tmp_path: Path) -> None:
    wanted = Wanted((".xml",), {}, most=len(ARTICLE) + 10)
    for members, said in (
        ({"a.xml": ARTICLE, "b.xml": ARTICLE}, [ARTICLE, "The rest"]),
        ({"a.bin": b"x" * 200, "b.xml": ARTICLE}, ["The rest"]),
    ):
        found = [*payloads(package(tmp_path / "p.tar.gz", members), wanted)]
        assert [one.data if isinstance(one, Payload) else "The rest" for one in found] == said
        assert isinstance(found[-1], LeftOut)
        assert found[-1].reason == "The archive holds more than 0 GB; the rest of it is not read."


def test_an_archive_is_read_by_the_endings_of_a_folder(tmp_path: Path) -> None:
    members = {"q.xml": ARTICLE, "good.txt": b"Two.", "n.json": b'[{"pmcid": 1, "text": "Three."}]'}
    found = outcome(
        package(tmp_path / "p.tar.gz", {**members, "._q.xml": b"x", "a.tif": b"x", "b.tif": b"x"})
    )
    assert found == [
        "One.",
        "Two.",
        "Three.",
        "Hidden files are not read.",
        *[".tif files are not read."] * 2,
    ]


def test_a_folder_that_is_a_link_is_named_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "a.xml").write_bytes(ARTICLE)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "link").symlink_to(tmp_path / "there", target_is_directory=True)
    (record,) = read(tmp_path / "here", "auto", CATEGORIES)
    assert isinstance(record, LeftOut)
    assert record.source == str(tmp_path / "here" / "link")
    assert "link" in record.reason
    assert outcome(tmp_path / "here" / "link") == ["One."]


def test_a_folder_that_may_not_be_read_is_named_and_the_others_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("closed", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.xml").write_bytes(ARTICLE)
    scan = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scan(path)

    # Rights do not hold for the superuser, who may run the tests.
    monkeypatch.setattr(os, "scandir", refuse)
    first, second = read(tmp_path, "auto", CATEGORIES)
    assert isinstance(first, Imported)
    assert isinstance(second, LeftOut)
    assert (second.source, second.failed) == (str(tmp_path / "closed"), True)
    assert second.reason.startswith("The folder may not be read")


def test_a_pipe_or_device_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.extend(outcome(tmp_path)), daemon=True)
    thread.start()
    thread.join(10)
    assert found == ["This is no ordinary file; save what it gives to a file."]
    assert outcome(Path(os.devnull)) == found


def test_a_name_that_is_no_text_can_be_shown_and_kept(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    with open(path, "wb") as file:
        file.write(b"A man fell.")
    (record,) = read(tmp_path, "auto", CATEGORIES)
    assert isinstance(record, Imported)
    assert record.document.title == "caf\ufffd"
    assert record.source.encode()


def test_an_article_of_which_nothing_is_left_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(b'<article><front/><body><p><xref ref-type="bibr">1</xref></p></body></article>')
    (record,) = read(path, "auto", CATEGORIES)
    assert isinstance(record, LeftOut)
    assert record.failed
    assert "no body text" in record.reason


def test_a_fault_of_the_program_costs_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_bytes(b"[]")
    (tmp_path / "b.txt").write_bytes(b"Two.")

    def fail(*_: object, **__: object) -> object:
        raise KeyError("x")

    monkeypatch.setattr(json, "loads", fail)
    assert outcome(tmp_path) == ["The file could not be read; please report this file (KeyError).", "Two."]


ROOT = Path(__file__).parents[4]
SEEDS = [
    path.read_bytes()
    for folder in ("tests/data/jats", "resources/demo/reports", "resources/demo/annotations")
    for path in sorted((ROOT / folder).iterdir())
]


def require_sentences(path: Path) -> None:
    """Everything that `read` gives can be written to a database, and no reader failed unforeseen."""
    for record in read(path, "auto", CATEGORIES):
        if isinstance(record, LeftOut):
            assert "report this file" not in record.reason
            assert "\n" not in record.reason
            assert (record.source + record.title + record.reason).encode()
        else:
            document = record.document
            assert f"{document} {record.quotes} {record.notes}".encode()
            assert document.text or record.quotes is not None
            assert (
                "".join(document.text[part.start : part.end] for part in document.sections) == document.text
            )


@given(st.binary(max_size=300) | st.text(max_size=200).map(str.encode))
def test_no_bytes_make_the_reader_fail(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.xml"
    path.write_bytes(data)
    require_sentences(path)


@given(st.data())
def test_no_damage_to_a_good_file_makes_the_reader_fail(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    damaged = bytearray(data.draw(st.sampled_from(SEEDS)))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(damaged)))
        end = min(len(damaged), start + data.draw(st.sampled_from((0, 1, 3, 50, 5000))))
        inserted = data.draw(
            st.binary(max_size=4)
            | st.sampled_from((b"<", b"&x;", b'"', b"}", b"[]", b"null", b"<!--", b"\\ud800", b"\x00"))
        )
        damaged[start:end] = inserted
    whole = tmp_path_factory.getbasetemp() / "damaged.xml"
    whole.write_bytes(damaged)
    require_sentences(whole)


@given(st.integers(0, 3000), st.binary(max_size=4), st.booleans())
def test_no_damage_to_an_archive_makes_the_reader_fail(
    tmp_path_factory: pytest.TempPathFactory, place: int, inserted: bytes, packed: bool
) -> None:
    path = package(
        tmp_path_factory.getbasetemp() / "whole.tar.gz", {"a.nxml": ARTICLE, "ä" * 60: b"", "b.txt": b"x"}
    )
    data = bytearray(path.read_bytes() if packed else gzip.decompress(path.read_bytes()))
    place %= len(data)
    data[place : place + len(inserted)] = inserted
    path = path.with_name("damaged.tar.gz")
    path.write_bytes(data)
    require_sentences(path)


def test_a_report_with_more_annotations_than_any_has_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_module, "MOST_ANNOTATIONS", 3)
    path = tmp_path / "many.jsonl"
    path.write_text('{"text":"One.","label":[[0,1,"GI"],[1,2,"GI"],[2,3,"GI"],[3,4,"GI"]]}', "utf-8")
    assert outcome(path, "doccano") == ["It has 4 annotations; a report may have 3."]


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


def test_supplements_of_a_package_are_named_and_no_reports(tmp_path: Path) -> None:
    members = {"s1.txt": b"x1 | x2", "PMC1.nxml": ARTICLE, "s2.json": b"[]"}
    found = [one for one in read(package(tmp_path / "p.tar.gz", members)) if isinstance(one, LeftOut)]
    assert [one.source.rpartition("!")[2] for one in found] == ["s1.txt", "s2.json"]
    assert all("supplement" in one.reason for one in found)
