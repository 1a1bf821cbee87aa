"""WHO's files are read as downloaded: classes, maps, languages and releases, damage named and counted."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from extractors.model.errors import TerminologyError, UnknownNameError
from extractors.terminology.browsing import Browser
from extractors.terminology.icd11.classes import IcdClass, open_icd11, open_maps
from extractors.terminology.icd11.importing import Kept
from extractors.terminology.icd11.lexicon import lexicon
from extractors.terminology.icd11.mapping import Mapper
from extractors.terminology.icd11.rows import TableFile
from extractors.terminology.library import FOLDER, import_terminology
from extractors.terminology.search import Search
from tests.icd11 import tabulation, write_tables


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))


def test_what_who_and_cms_hand_out_is_kept_as_it_was_downloaded(tmp_path: Path) -> None:
    kept = import_terminology("icd11", write_tables(tmp_path, "en", "es"))[0]
    assert isinstance(kept, Kept)
    assert (kept.release, kept.languages, kept.categories, kept.leaves) == ("2024-01", ("en", "es"), 12, 10)
    assert kept.maps == {
        "10To11MapToMultipleCategories": 6,
        "10To11MapToOneCategory": 5,
        "11To10MapToOneCategory": 3,
        "icd9toicd10cmgem": 6,
    }
    assert kept.left_out == {}
    icd11 = open_icd11()
    assert icd11["QA00.Z"] == IcdClass(
        "QA00.Z", "Plume rot, unspecified", "http://id.who.int/icd/release/11/mms/6", "01", "QA00",
        "category", leaf=True, residual=True,
    )  # fmt: skip
    assert (icd11["XQ1A"].kind, icd11["01"].kind, icd11["BlockL1-QA0"].parent) == (
        "extension",
        "chapter",
        "01",
    )
    assert [icd11.lifted("QA00.Z", level) for level in ("category", "block", "chapter")] == [
        "QA00", "BlockL1-QA0", "01",
    ]  # fmt: skip
    assert icd11.lifted("QB10.0", "block") == "02", "where there is no block it is the chapter"
    assert "release 2024-01" in icd11.citation
    assert "CC BY-ND 3.0 IGO" in icd11.citation
    names = {(one.text, one.kind, one.language) for one in icd11.terminology.concept("QA00").names}
    assert ("Podredumbre de la pluma", "title", "es") in names
    assert icd11.terminology.concept("QB10.Z").xrefs == ("ICD10:Z91",)
    assert [one.text for one in icd11.terminology.concept("BlockL1-QA0").names][1:] == [
        "Disorders of tail feathers (es)"
    ]
    gem = open_maps("2024-01").gem
    assert (gem["9999"], gem["1231"]) == ((), ("Z9012", "Z92", "Z90"))


def test_files_may_come_one_after_the_other_and_releases_stand_side_by_side(tmp_path: Path) -> None:
    tables = write_tables(tmp_path, "en", "es")
    import_terminology("ICD11", tables[2:])
    assert import_terminology("ICD11", tables[1:2])[0].release == "2024-01"
    assert open_icd11("2024-01").terminology.concept("QA00").label == "Plume rot", "it says both"
    import_terminology("ICD11", tables[:1])
    plain = tmp_path / "SimpleTabulation-ICD-11-MMS-en.txt"
    plain.write_text(tabulation(version="Version:2025 Jan 20"), encoding="utf-8")
    import_terminology("ICD11", [plain])
    before = open_icd11("2024-01").terminology.concept("QA00.0")
    assert [(one.text, one.kind) for one in before.names] == [
        ("Acute plume rot", "title"), ("Acute plume rot (es)", "title"), ("Sudden rot of plumes", "icd10"),
    ]  # fmt: skip
    assert open_icd11().release == "2025-01"
    both = import_terminology("ICD11", [tables[0], plain])
    assert [one.release for one in both] == ["2025-01", "2024-01"]
    said = [TableFile("", (), last, (), "\t").release() for last in ("2025 Sep", "2025 draft")]
    assert said == ["2025-09", ""]


def test_a_map_that_comes_later_takes_the_place_of_its_own_and_of_no_other(tmp_path: Path) -> None:
    tables = write_tables(tmp_path, "en", "de")
    import_terminology("ICD11", tables)
    with ZipFile(tables[2]) as archive:
        told = archive.read("mapping/10To11MapToOneCategory.txt").decode()
    later = tmp_path / "10To11MapToOneCategory.txt"
    told = told.replace("Sudden rot of plumes", "Abrupt rot")
    told = told.replace("Bleeding feather", "FEATHER HAEMORRHAGE")
    later.write_text(told, encoding="utf-8")
    kept = import_terminology("ICD11", [later])[0]
    assert isinstance(kept, Kept)
    assert (kept.languages, [*kept.maps.values()]) == (("de", "en"), [6, 5, 3, 6])
    names = open_icd11().terminology.concept("QA00.0").names
    assert [(one.text, one.kind) for one in names] == [
        ("Acute plume rot", "title"), ("Acute plume rot (de)", "title"), ("Abrupt rot", "icd10"),
    ]  # fmt: skip
    assert [one.kind for one in open_icd11().terminology.concept("QA01").names] == ["title"] * 2


def test_a_class_that_is_not_translated_stands_where_its_title_in_english_does(tmp_path: Path) -> None:
    plain = tmp_path / "SimpleTabulation-ICD-11-MMS-es.txt"
    told = tabulation("es").replace('"- - - Acute plume rot (es)"', '""')
    plain.write_text(told, encoding="utf-8")
    import_terminology("ICD11", [plain])
    found = open_icd11()["QA00.0"]
    assert (found.title, found.parent) == ("Acute plume rot", "QA00")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("\tcategory\t1\tTrue\t02", "\tTrue\t02", "too few or too many cells (line 14 of"),
        ('"- - Beak fever, unspecified"', '""', "a class without a title (line 14 of"),
        ("QB10.Z", "QB10.0", "a code that stands there twice (line 14 of"),
    ],
)
def test_a_damaged_row_is_named_and_counted_and_the_rest_is_kept(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    plain = tmp_path / "SimpleTabulation-ICD-11-MMS-en.txt"
    plain.write_text(tabulation().replace(old, new, 1), encoding="utf-8")
    kept = import_terminology("ICD11", [plain])[0]
    assert isinstance(kept, Kept)
    assert kept.categories == 11
    assert kept.left_out == {f"{said} {plain.name})": 1}


def test_a_wrong_file_is_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    wrong = tmp_path / "names.csv"
    wrong.write_text("code,name\n1,a\n")
    with pytest.raises(TerminologyError, match=r"names\.csv is neither"):
        import_terminology("ICD11", [*write_tables(tmp_path), wrong])
    with pytest.raises(UnknownNameError, match=r"fetch SimpleTabulation.*casespan terminology import"):
        open_icd11()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "SimpleTabulation-ICD-11-MMS-en.txt",
            tabulation().replace("http", "x"),
            "no classes that can be read",
        ),
        ("SimpleTabulation-ICD-11-MMS.txt", tabulation("es"), "does not say its language"),
    ],
    ids=["without classes", "without language"],
)
def test_a_table_that_says_too_little_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(TerminologyError, match=said):
        import_terminology("ICD11", [tmp_path / name])


def test_a_code_that_is_in_no_release_is_named(tmp_path: Path) -> None:
    import_terminology("ICD11", write_tables(tmp_path))
    for call in (lambda: open_icd11()["QX99"], lambda: open_icd11().lifted("QX99", "block")):
        with pytest.raises(TerminologyError, match="has no code “QX99”"):
            call()


@pytest.fixture
def search(tmp_path: Path) -> Search:
    import_terminology("ICD11", write_tables(tmp_path, "en", "es"))
    return Search(open_icd11().terminology)


@pytest.mark.parametrize(
    ("typed", "best", "kind"),
    [
        ("QA00.Z", "QA00.Z", "code"),
        ("qa00z", "QA00.Z", "code"),
        ("acute plume", "QA00.0", "title"),
        ("podredumbre", "QA00", "title"),
        ("pyrexia of the bill", "QB10.Z", "icd10"),
        ("feather hemorrhage", "QA01", "title"),
        ("faether haemorhage", "QA01", "title"),
    ],
)
def test_a_class_is_found_by_code_title_or_what_it_was_called_and_says_by_what(
    search: Search, typed: str, best: str, kind: str
) -> None:
    found = search.find(typed)[0]
    assert (found.code, found.matched.kind) == (best, kind)


@pytest.mark.parametrize(
    ("typed", "last"),
    [("QA0", {"QA0Z"}), ("QA00", {"QA00.Y", "QA00.Z"}), ("QA00.", {"QA00.Y", "QA00.Z"})],
)
def test_residual_codes_are_found_without_their_last_letters_and_come_last(
    search: Search, typed: str, last: set[str]
) -> None:
    found = search.find(typed, 4)
    assert [one.residual for one in found] == sorted(one.residual for one in found)
    assert last <= {one.code for one in found}
    # Where there is room, none of them is left out.
    assert {one.code for one in search.find("QA0", 10) if one.residual} == {"QA0Z", "QA00.Y", "QA00.Z"}
    named = [one.code for one in search.find("plume rot")]
    assert named[-2:] == ["QA00.Z", "QA00.Y"]


def test_extension_codes_are_found_only_when_asked_for(search: Search) -> None:
    found = [one.code for typed in ("left wing", "XQ1A", "XQ1") for one in search.find(typed)]
    assert not any(code.startswith("X") for code in found)
    begun = Browser(search.terminology).find("QA00.0&XQ1A/QA01", 3)
    assert begun[0].code == "QA00.0&XQ1A/QA01", "what is typed goes on behind the last joint"
    asked = Search(search.terminology, extensions=True, language="es")
    assert [asked.find(typed)[0].label for typed in ("left wing", "XQ1")] == ["Left wing (es)"] * 2


def test_a_class_of_a_chapter_apart_comes_behind_one_that_is_called_the_same(tmp_path: Path) -> None:
    text = tabulation().replace("\t01\t", "\t26\t").replace("Beak fever with rattling", "Plume rot")
    (tmp_path / "SimpleTabulation-ICD-11-MMS-en.txt").write_text(text, encoding="utf-8")
    import_terminology("ICD11", [tmp_path / "SimpleTabulation-ICD-11-MMS-en.txt"])
    assert [one.code for one in Search(open_icd11().terminology).find("plume rot", 2)] == ["QB10.0", "QA00"]


def test_words_of_the_lexicon_are_found_and_marked(tmp_path: Path) -> None:
    assert "heart attack" in lexicon()["acute myocardial infarction"]
    text = tabulation().replace("Feather haemorrhage", "Acute myocardial infarction")
    (tmp_path / "SimpleTabulation-ICD-11-MMS-en.txt").write_text(text, encoding="utf-8")
    import_terminology("ICD11", [tmp_path / "SimpleTabulation-ICD-11-MMS-en.txt"])
    for typed in ("heart attack", "haert attack", "heart att"):
        found = Search(open_icd11().terminology).find(typed)[0]
        assert (found.code, found.matched.kind, found.matched.text) == ("QA01", "lexicon", "heart attack")
    browser = Browser(open_icd11().terminology)
    assert browser.find("heart attack", 1)[0].matched == "heart attack (our words)"
    assert "heart attack" in browser.view("QA01").ours
    fear = text.replace("Acute plume rot", "Fear of a heart attack")
    (tmp_path / "SimpleTabulation-ICD-11-MMS-en.txt").write_text(fear, encoding="utf-8")
    import_terminology("ICD11", [tmp_path / "SimpleTabulation-ICD-11-MMS-en.txt"])
    mapper = Mapper(open_icd11(), open_maps("2024-01"))
    best, *_ = mapper.map("", "Heart attack", "text", "both").candidates
    assert best.code == "QA01", "what no title says in these words, our words do"


def test_tables_in_a_zip_are_found_whatever_the_letters_of_their_ending(tmp_path: Path) -> None:
    path = tmp_path / "tables.zip"
    with ZipFile(path, "w") as archive:
        # The last column may be a head alone.
        archive.writestr("SimpleTabulation-ICD-11-MMS-en.TXT", tabulation().replace("\t\r\n", "\r\n"))
        archive.writestr("readme.pdf", "x")
    import_terminology("ICD11", [path])
    assert Search(open_icd11().terminology).find("acute plume")[0].code == "QA00.0"


def test_a_zip_that_broke_off_is_called_damaged(tmp_path: Path) -> None:
    path = write_tables(tmp_path)[0]
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(TerminologyError, match="cannot be read"):
        import_terminology("ICD11", [path])
