"""Figures with their pictures, from packages into a project and out again; regions on them."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copyfile

import pytest
from lxml import etree

from app.operations.annotate.regions import Marked, add_region, change_region, list_regions
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.project.history import list_history, undo_change
from app.operations.project.opening import open_project
from app.store.annotate.disclosures import disclosures
from extractors.model.errors import ProjectError
from tests.e2e.conftest import Casespan
from tests.pictures import package, picture

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"


@pytest.fixture
def project(casespan: Casespan, tmp_path: Path) -> Path:
    path = tmp_path / "p.casespan"
    assert casespan("new", path, "--annotator", "Ana").code == 0
    return path


def text_of(project: Path) -> str:
    with closing(sqlite3.connect(project)) as db:
        return str(db.execute("SELECT text FROM document JOIN text ON sha256 = text_sha256").fetchone()[0])


def test_figures_come_along_with_captions_panels_mentions_and_pictures(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    sent = package(tmp_path / "p.tar.gz")
    (before,) = casespan("import", project, sent, "--dry-run", "--json").json
    assert before["left_out"] is None
    done = casespan("import", project, sent, "--json")
    assert done.json["figures"] == {
        "figures": 3, "images": 4, "captions": 2, "mentions": 4, "kept": 2, "missing": 1, "refused": 1
    }  # fmt: skip
    assert [one["title"] for one in done.json["left_out"]] == ["Figure 3"]
    # What is there already brings no pictures that would have to be named one by one.
    again = casespan("import", project, sent, "--json").json
    assert (len(again["repeated"]), again["left_out"]) == (1, [])
    (before,) = casespan("import", project, sent, "--dry-run", "--json").json
    assert before["left_out"].startswith("It is in the project already")
    said = casespan("figures", project, "--json").json
    assert said["totals"] == done.json["figures"]
    (report,) = said["reports"]
    one, two, three = report["figures"]
    listed = casespan("figures", project, "--document", report["report"]).out.splitlines()
    assert listed[1].endswith(", panels A, B, 3 mentions")
    text = text_of(project)
    assert [text[figure["start"] : figure["end"]] for figure in (one, two)] == [
        "Chest. (A) Before. (B) After.", "Mass \U0001d4b3 of the liver."
    ]  # fmt: skip
    assert (one["id"], one["label"], one["panels"]) == ("f1", "Figure 1", ["A", "B"])
    mentions = [
        (text[m["start"] : m["end"]], m["panels"], m["by"]) for f in (one, two) for m in f["mentions"]
    ]
    assert mentions == [
        ("Fig. 1", [], "xref"),
        ("Figure 1", ["A", "B"], "xref"),
        ("Figs. 1 and 2", [], "xref"),
        ("Fig. 2b", ["B"], "text"),
        ("Figs. 1 and 2", [], "xref"),
    ]
    assert [image["state"] for figure in (one, two, three) for image in figure["images"]] == [
        "kept", "kept", "missing", "refused"
    ]  # fmt: skip
    assert (two["images"][0]["file"], two["images"][0]["width"]) == ("pic-g002.jpg", 320)
    said = casespan("figures", project, "--save", tmp_path / "out").out.splitlines()
    assert said[:2] == [f"2 pictures written to {tmp_path / 'out'}.", "PMC77: 3 figures"]
    saved = {path.name: path.read_bytes() for path in (tmp_path / "out" / "PMC77").iterdir()}
    assert saved == {"f1.jpg": picture(20), "f2.jpg": picture(200)}


def test_a_picture_that_a_damaged_project_has_lost_is_missing_in_what_is_rescued(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    casespan("import", project, package(tmp_path / "p.tar.gz"))
    with closing(sqlite3.connect(project)) as db, db:
        db.execute("DELETE FROM picture")
    said = casespan("rescue", project, out := tmp_path / "out.casespan", "--json")
    assert (said.code, said.json["tables"]["picture"]["lost"]) == (1, 2)
    assert casespan("check", out).code == 0
    totals = casespan("figures", out, "--json").json["totals"]
    assert (totals["images"], totals["kept"], totals["missing"], totals["refused"]) == (4, 0, 3, 1)


def test_undo_redo_check_and_packets_cover_figures(casespan: Casespan, project: Path, tmp_path: Path) -> None:
    casespan("import", project, package(tmp_path / "p.tar.gz"))
    before = casespan("figures", project, "--json").json["reports"]
    assert (
        casespan("undo", project).code
        == casespan("redo", project).code
        == casespan("check", project).code
        == 0
    )
    assert casespan("figures", project, "--json").json["reports"] == before
    mark = ("regions", project, "--document", "PMC77", "--add", "f1", "--category", "RESP")
    assert (
        casespan(*mark, "--box", "10", "10", "900", "50", "--finding", "opacity", "--json").json[0]["width"]
        == 310
    )
    assert casespan(*mark, "--box", "400", "0", "50", "50").code == 2
    assert "needs --document, --box" in casespan(*mark).err
    nowhere = (*mark[:5], "f9", *mark[6:], "--box", "1", "1", "50", "50")
    assert "There is no figure f9 in the report" in casespan(*nowhere).err
    with open_project(project, write=True) as opened:
        with pytest.raises(ProjectError, match="4 pixels"):
            add_region(opened, "Ana", ("PMC77", "f1", ""), (-6, 3, 9, 9), Marked("RESP"))
        least = add_region(opened, "Ana", ("PMC77", "f1", ""), (-6, 3, 10, 4), Marked("RESP"))
        assert (least.x, least.y, least.width, least.height) == (0, 3, 4, 4)
        undo_change(opened)
    with open_project(project) as opened:
        (there,) = list_regions(opened, "Ana", "PMC77")
        assert list_regions(opened, "Ana", "PMC77", "Ben") == [there]
        assert [one.annotator for one in disclosures(opened)] == ["Ben"], "who was shown them is on record"
        before_it = list_history(opened)
        change_region(opened, there.uuid, Marked("RESP", " opacity "))
        assert list_history(opened) == before_it
    out = ("export", project, tmp_path / "out.jsonl", "--annotator", "Ana", "--format")
    assert casespan(*out, "jsonl").code == 0
    (region,) = json.loads((tmp_path / "out.jsonl").read_text())["regions"]
    assert (region["figure"], region["finding"], region["span"]) == ("f1", "opacity", None)
    assert "id" not in region
    again = tmp_path / "again.casespan"
    casespan("new", again)
    ran = casespan("import", again, tmp_path / "out.jsonl", "--annotator", "Ana")
    assert "1 region on pictures of PMC77 not taken over: Figure f1 has no such picture" in ran.out + ran.err
    assert "has no place for it: 1 region on pictures" in casespan(*out, "conll").out
    assert casespan("packet", project, tmp_path / "packets", "--to", "Ben").code == 0
    (ben,) = (tmp_path / "packets").glob("*.casespan")
    assert casespan("check", ben).code == 0
    assert casespan("figures", ben, "--json").json["reports"] == before
    assert casespan("regions", ben, "--annotator", "Ben", "--json").json == []
    add = ("regions", ben, "--annotator", "Ben", "--document", "PMC77", "--add", "f1", "--category", "RESP")
    assert casespan(*add, "--box", "20", "10", "300", "40", "--out", tmp_path / "r.jsonl").code == 0
    assert json.loads((tmp_path / "r.jsonl").read_text())["figure"] == "f1"
    assert casespan("regions", ben, "--annotator", "Ben", "--out", tmp_path / "r.CSV").code == 0
    assert (tmp_path / "r.CSV").read_text("utf-8").startswith("id,report,figure,picture,")
    assert casespan("merge", project, ben).code == 0
    (marked,) = casespan("regions", ben, "--annotator", "Ben", "--json").json
    removed = casespan("regions", ben, "--remove", marked["id"], "--json")
    assert (removed.code, removed.json) == (0, {"removed": 1})
    score = casespan("regions", project, "--against", "Ben", "--json").json
    for wrong in (
        ("Bob",),
        ("Ben", "--document", "nobody"),
        ("Ben", "--iou", "7"),
        ("Ben", "--out", tmp_path / "score.csv"),
    ):
        assert casespan("regions", project, "--against", *wrong).code == 2
    assert "--category is of a region to be marked" in casespan("regions", ben, "--category", "RESP").err
    looks = []
    for whose in ((), ("--annotator", "Ben")):
        assert casespan("regions", project, *whose).code == 0
        with open_project(project) as opened:
            looks.append(len(disclosures(opened)))
    assert looks[1] == looks[0] + 1
    assert (score["pairs"], score["same_category"]) == (1, 1.0)
    assert score["mean_iou"] == pytest.approx(300 * 40 / (310 * 50))
    assert casespan("check", project).code == 0
    for change in (
        "UPDATE picture SET bytes = x'00' WHERE rowid = 1",
        "UPDATE figures SET images = images + 1",
        "DELETE FROM picture",
    ):
        with closing(sqlite3.connect(copyfile(project, tmp_path / "damaged.casespan"))) as db:
            db.execute(change)
            db.commit()
        assert casespan("check", tmp_path / "damaged.casespan").code == 1


def test_regions_of_another_hospital_come_to_the_pictures_that_are_here(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    casespan("import", project, package(tmp_path / "p.tar.gz"))
    here = Path(copyfile(project, tmp_path / "here.casespan"))
    # The same words in three places: the region goes with those in the middle.
    first, middle, last = [found.start() for found in re.finditer("Fig", text_of(project))][:3]
    with open_project(project, write=True) as opened:
        for place, uuid in ((first, ""), (middle, "a" * 32), (last, "")):
            add_span(opened, "Ana", SpanPlace("PMC77", place, place + 3), "RESP", uuid=uuid)
        add_span(opened, "Ben", SpanPlace("PMC77", 0, 3), "RESP")
    mark = ("regions", project, "--document", "PMC77", "--add", "f1", "--category", "RESP", "--note", "?")
    box = ("--box", "10", "10", "90", "50", "--span", "a" * 32)
    assert "is not one of Ben" in casespan(*mark, "--annotator", "Ben", *box).err
    assert casespan(*mark, *box).code == 0
    out = tmp_path / "out.jsonl"
    assert casespan("export", project, out, "--annotator", "Ana", "--format", "jsonl").code == 0
    for _ in range(2):
        assert casespan("import", here, out, "--annotator", "Ben").code == 0
    ana, ben = (
        casespan("regions", path, "--annotator", name, "--json").json
        for path, name in ((project, "Ana"), (here, "Ben"))
    )
    own = {"id", "annotator", "span"}
    assert [{k: v for k, v in one.items() if k not in own} for one in ben] == [
        {k: v for k, v in one.items() if k not in own} for one in ana
    ]
    rows = casespan("spans", here, "--annotator", "Ben", "--json").json
    assert [row["start"] for row in rows if row["uuid"] == ben[0]["span"]] == [middle]
    assert len(rows) == 3
    assert casespan("check", here).code == casespan("undo", here).code == 0


def test_several_pictures_of_a_figure_are_saved_by_number(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    (folder := tmp_path / "in").mkdir()
    shown = "".join(f'<graphic href="{name}.jpg"/>' for name in ("a", "gone", "b"))
    figure = f'<fig id="F1"><label>Figure 1</label>{shown}</fig>'
    (folder / "x.xml").write_text(f"<article><body><p>x</p>{figure}</body></article>", "utf-8")
    (folder / "y.xml").write_text('<article><body><p>y</p><fig id="F1"/></body></article>', "utf-8")
    for name, shade in (("a", 20), ("b", 200)):
        (folder / f"{name}.jpg").write_bytes(picture(shade))
    done = casespan("import", project, folder, "--json").json["figures"]
    assert (done["figures"], done["kept"], done["missing"]) == (2, 2, 1)
    assert casespan("figures", project, "--save", tmp_path / "out").code == 0
    saved = {path.name: path.read_bytes() for path in (tmp_path / "out").rglob("*.jpg")}
    assert saved == {"f1-1.jpg": picture(20), "f1-2.jpg": picture(200)}


def test_figures_are_brought_to_reports_that_are_there(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    bare, full = package(tmp_path / "bare.tar.gz", pictures=False), package(tmp_path / "full.tar.gz")
    unread = casespan("import", project, full, "--no-pictures", "--json").json["left_out"]
    assert [one["title"] for one in unread] == ["pic-g001.jpg", "pic-g002.jpg", "bad.png"]
    left_out = casespan("figures", project, "--json").json["totals"]
    assert (left_out["kept"], left_out["missing"]) == (0, 4)
    # Of those reports alone that are named.
    (tmp_path / "note.txt").write_text("She was well.", "utf-8")
    casespan("import", project, tmp_path / "note.txt")
    keys = [one["report"] for one in casespan("figures", project, "--json").json["reports"]]
    (other,) = {one["id"] for one in casespan("list", project, "--json").json["documents"]} - {"PMC77"}
    assert casespan("figures", project, "--from", full, "--document", other).code == 0
    assert (keys.count("PMC77"), casespan("figures", project, "--json").json["totals"]["kept"]) == (1, 0)
    assert casespan("figures", project, "--from", full, "--json").json["totals"]["kept"] == 2
    assert casespan("figures", project, "--from", bare, "--json").json["totals"]["kept"] == 2
    casespan("undo", project)
    assert casespan("figures", project, "--json").json["totals"]["kept"] == 0
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "pic-g001.jpg").write_bytes(picture(20))
    assert casespan("figures", project, "--from", folder, "--json").json["totals"]["kept"] == 1
    for shown in ((), ("--json",)):
        assert casespan("figures", project, "--from", tmp_path / "nowhere", *shown).code == 1
    silent = casespan("figures", project, "--from", tmp_path / "note.txt", "--json")
    assert "say nothing of figures" in silent.out + silent.err
    with closing(sqlite3.connect(project)) as db:
        # As a project of before has it.
        db.execute("DELETE FROM history WHERE table_name = 'figures'")
        db.execute("DELETE FROM figures")
        db.commit()
    read = casespan("figures", project, "--json").json
    assert (read["totals"]["captions"], read["totals"]["mentions"], read["totals"]["images"]) == (2, 5, 0)
    assert casespan("figures", project, "--from", full, "--json").json["totals"]["kept"] == 2


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the articles are not part of the project")
def test_counts_equal_those_of_the_xml(casespan: Casespan, project: Path) -> None:
    files = sorted((CORPORA / "jats").glob("*/PMC*.xml"))[::4]
    casespan("import", project, *files)
    found = {one["report"]: one["figures"] for one in casespan("figures", project, "--json").json["reports"]}
    assert found
    for path in files:
        root = etree.parse(path)
        if path.stem not in found:
            continue
        figures = found[path.stem]
        expected = (
            len(root.findall(".//fig")),
            root.xpath("count(.//graphic[ancestor::fig])"),
            root.xpath("count(.//fig[normalize-space(caption)])"),
            root.xpath("count(.//xref[@ref-type='fig'])"),
        )
        mentions = {(m["start"], m["end"]) for f in figures for m in f["mentions"] if m["by"] == "xref"}
        images = sum(len(figure["images"]) for figure in figures)
        captions = sum(figure["start"] is not None for figure in figures)
        assert (len(figures), images, captions, len(mentions)) == expected, path.name
