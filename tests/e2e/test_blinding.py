"""`casespan terminology import orphanet`, `anchor`, `view`: from names to a case without its answer."""

from __future__ import annotations

import io
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from extractors.terminology.library import FOLDER
from tests.e2e.conftest import Casespan
from tests.e2e.models import MODEL
from tests.scripted_behaviours import cuts, prompt_text, replies
from tests.scripted_ollama import ScriptedOllama

REPORT = """<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
<article-id pub-id-type="pmc">555</article-id>
<title-group><article-title>Cronkhite-Canada syndrome in a fisherman</article-title></title-group>
<abstract><p>Cronkhite-Canada syndrome (CCS) is rare. We report CCS.</p></abstract></article-meta></front>
<body><sec><title>Case report</title><p>A fisherman of 62 lost his hair and his nails within two months, had
watery stools up to ten times a day and lost twelve kilograms in weight before he came to us.</p>
<p>Colonoscopy showed many polyps (<xref ref-type="fig" rid="f1">Fig. 1</xref>), and he was diagnosed with
CCS. He was treated with prednisolone.</p>
<fig id="f1"><label>Fig. 1</label><caption><p>Endoscopy of the colon in CCS.</p></caption>
<graphic xlink:href="ccs-colon"/></fig></sec>
<sec><title>Discussion</title><p>CCS was first described by Cronkhite.</p></sec></body></article>"""
PLAIN = (
    "Ankle sprain in a dancer\n\nCase report\n\nA dancer of 20 sprained her ankle and was well after a week."
)


def packet(code: str, label: str, synonyms: list[str], kind: str = "Disease", parents: Any = None) -> str:  # noqa: ANN401
    return json.dumps(
        {
            "Orphapacket": {
                "ORPHAcode": code,
                "Label": label,
                "version": "1.3",
                "creationDate": "2025-12-09 10:00:00",
                "DisorderType": {"value": kind},
                "Synonyms": [{"Synonym": one} for one in synonyms],
                "Parents": parents,
                "Genes": [{"Gene": {"Symbol": "PRSS1", "DisorderGeneAssociationType": "Disease-causing"}}],
            }
        }
    )


@pytest.fixture
def project(casespan: Casespan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    packets, reports = tmp_path / "packets", tmp_path / "reports"
    for folder in (packets, reports):
        folder.mkdir()
    above = [{"Parent": [{"ORPHAcode": "7", "Label": "Intestinal polyposis"}]}]
    (packets / "2930.json").write_text(
        packet("2930", "Cronkhite-Canada syndrome", ["CCS"], parents=above), "utf-8"
    )
    (packets / "7.json").write_text(packet("7", "Intestinal polyposis", [], "Category"), "utf-8")
    (reports / "PMC555.xml").write_text(REPORT, "utf-8")
    (reports / "ankle.txt").write_text(PLAIN, "utf-8")
    picture = Image.new("RGB", (64, 48), "white")
    picture.info["comment"] = "Cronkhite"
    kept = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "Cronkhite-Canada"
    picture.save(kept, "JPEG", exif=exif)
    (reports / "ccs-colon.jpg").write_bytes(kept.getvalue())
    said = casespan("terminology", "import", "orphanet", packets, "--json")
    assert (said.code, said.json["disorders"], said.json["left_out"]) == (0, 2, {}), said.err
    path = tmp_path / "study.casespan"
    assert casespan("new", path, "--annotator", "Ada").code == 0
    assert casespan("import", path, reports).code == 0
    return path


def test_from_proposal_to_views_that_do_not_leak(casespan: Casespan, project: Path, tmp_path: Path) -> None:
    def anchors(*more: object) -> dict[str, Any]:
        said = casespan("anchor", project, *more, "--json")
        assert said.code == 0, said.err
        return {one["report"]: one for one in said.json["reports"]}

    proposed = anchors("--auto")
    assert (proposed["PMC555"]["state"], proposed["PMC555"]["code"]) == ("proposed", "ORPHA:2930")
    assert "title" in {one["why"] for one in proposed["PMC555"]["evidence"]}
    assert (proposed["ankle"]["state"], proposed["ankle"]["code"]) == ("none", None)
    confirmed = anchors("--document", "PMC555", "--code", "2930", "--alias", "fisherman's gut", "--by", "Eve")
    assert confirmed["PMC555"]["state"] == "confirmed"
    assert "fisherman's gut" in confirmed["PMC555"]["aliases"]
    assert anchors("--auto")["PMC555"]["by"] == "Eve"  # what a person said stays
    assert anchors("--document", "PMC555", "--none")["PMC555"]["state"] == "none"
    assert casespan("undo", project).code == 0
    assert anchors()["PMC555"]["code"] == "ORPHA:2930"

    views = casespan(
        "view", project, "--track", "all", "--document", "PMC555", "--save", tmp_path / "out", "--json"
    )
    by_track = {one["track"]: one for one in views.json["views"]}
    first = by_track["T1"]
    assert (first["state"], first["leakage_audit"]["verdict"], first["leakage_audit"]["leaks"]) == (
        "ready",
        "clean",
        [],
    )
    assert first["leakage_audit"]["masked"] == {"CCS": 1}
    assert "[CAPTION_MASKED]" in first["text"]
    assert [one["name"] for one in first["pictures"]] == ["figure-1.png"]
    assert first["leakage_audit"]["pictures"] == "not read"
    assert by_track["T2"]["diagnosis"] == "Cronkhite-Canada syndrome"
    assert "prednisolone" not in by_track["T2"]["text"]
    assert "polyps" not in by_track["T4"]["text"]
    paper = casespan(
        "view", project, "--track", "T1", "--profile", "paper", "--document", "PMC555", "--json"
    ).json
    assert paper["views"][0]["leakage_audit"]["layers"] == [1, 2, 3]
    saved = sorted(one.relative_to(tmp_path / "out").as_posix() for one in (tmp_path / "out").rglob("*.*"))
    texts, pictures = (
        [f"000{number}/view.txt" for number in (1, 2, 3)],
        ["0001/figure-1.png", "0002/figure-1.png"],
    )
    assert saved == sorted([*texts, *pictures, "audits.jsonl"])
    bare = (tmp_path / "out" / "0001" / "figure-1.png").read_bytes()
    assert b"Cronkhite" not in bare
    assert b"CCS" not in (tmp_path / "out" / "0001" / "view.txt").read_bytes()
    look = ("view", project, "--document", "PMC555", "--json", "--track")
    for wrong in (
        ("T9", "--tick"),
        ("T1", "--tick", "--document", "nobody"),
        ("T4", "--tick", "--cut", "99999"),
        ("T1", "--cut", "350"),
    ):
        assert casespan(*look, *wrong).code == 2
    refused = casespan("anchor", project, "--document", "PMC555", "--none", "--by", "rules")
    assert (refused.code, "'rules' is kept for runs" in refused.err) == (2, True)
    assert casespan(*look, "T1").json["views"][0]["leakage_audit"]["pictures"] == "not read"
    ticked = casespan(*look, "T1", "--tick")
    assert ticked.json["views"][0]["leakage_audit"]["pictures"] == "ticked"
    nobody = casespan("view", project, "--track", "T1", "--document", "ankle", "--json").json["views"][0]
    assert (nobody["state"], nobody["text"]) == ("refused", "")
    assert casespan("check", project).code == 0

    out = tmp_path / "out.jsonl"
    kept = ("--track", "T4", "--document", "PMC555", "--json")
    proposed_cut = casespan("view", project, *kept).json["views"][0]["leakage_audit"]["cut"]
    for more, then in (((), proposed_cut), (("--keep",), 350)):
        (shown,) = casespan("view", project, *kept, "--cut", "350", *more).json["views"]
        (after,) = casespan("view", project, *kept).json["views"]
        assert (shown["leakage_audit"]["cut"], after["leakage_audit"]["cut"]) == (350, then)
    assert casespan("import", project, _quotes(tmp_path), "--annotator", "Ada").code == 0
    assert casespan("export", project, out, "--format", "jsonl", "--annotator", "Ada").code == 0
    (line,) = map(json.loads, out.read_text("utf-8").splitlines())
    assert [one["code"] for one in line["concepts"]] == ["ORPHA:2930"]
    again = tmp_path / "again.casespan"
    assert casespan("new", again).code == 0
    assert casespan("import", again, out, "--annotator", "Ada").code == 0
    (report,) = casespan("anchor", again, "--json").json["reports"]
    assert (report["state"], report["code"]) == ("confirmed", "ORPHA:2930")
    assert {"CCS", "fisherman's gut"} <= set(report["aliases"])
    texts = []
    for path in (project, again):
        (shown,) = casespan("view", path, *kept).json["views"]
        assert shown["leakage_audit"]["cut"] == 350
        texts.append(shown["text"])
    assert texts[0] == texts[1]


def test_a_picture_that_cannot_be_decoded_stays_out_of_a_view_and_that_is_said(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    (folder := tmp_path / "more").mkdir()
    (folder / "a.xml").write_text(REPORT.replace(">555<", ">556<").replace("62", "63"), "utf-8")
    # Sound from its head to its end, with too few pixels between.
    sound = io.BytesIO()
    Image.new("RGB", (64, 48)).save(sound, "PNG")
    at = sound.getvalue().index(b"IDAT") - 4
    pixels = b"IDAT" + zlib.compress(bytes(9))
    data = struct.pack(">I", len(pixels) - 4) + pixels + struct.pack(">I", zlib.crc32(pixels))
    (folder / "ccs-colon.png").write_bytes(sound.getvalue()[:at] + data + sound.getvalue()[-12:])
    assert casespan("import", project, folder).code == 0
    casespan("anchor", project, "--auto")
    said = casespan("view", project, "--track", "T1", "--document", "PMC556", "--save", tmp_path / "views")
    _, written, missing = said.out.splitlines()
    assert written.startswith("1 view written to ")
    assert missing == "1 picture that cannot be decoded left out; see audits.jsonl."
    audit = json.loads((tmp_path / "views" / "audits.jsonl").read_text("utf-8"))
    assert [*audit["why_left_out"].items()] == [(audit["pictures_left_out"][0], "It cannot be decoded.")]


def _quotes(folder: Path) -> Path:
    path = folder / "quotes.json"
    path.write_text(json.dumps([{"pmcid": "555", "GI": ["many polyps"]}]), "utf-8")
    return path


def test_a_nomenclature_that_is_none_is_refused_in_a_sentence(
    casespan: Casespan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    table = tmp_path / "own.csv"
    table.write_text("code,name,aliases\nORPHA:1,Alpha disease,AD|Alpha's\n2,,\nx,Nothing,\n", "utf-8")
    said = casespan("terminology", "import", "orphanet", table, "--json")
    assert (said.code, said.json["disorders"]) == (1, 1)
    assert said.json["left_out"] == {"entries without a name": 1, "rows without code and name": 1}
    (odd := tmp_path / "odd").mkdir()
    strange = {"half": r"\ud800", "none": "", "list": "["}
    for name, label in {"sound": "Alpha disease", **strange}.items():
        told = packet("1", "L", []).replace('"L"', "[" * 100_000 if name == "list" else f'"{label}"')
        (odd / f"{name}.json").write_text(told if label else "{}", "utf-8")
    assert casespan("terminology", "import", "orphanet", odd, "--json").json["left_out"] == {
        "files that are no ORPHApackets": 3
    }
    circle = tmp_path / "circle"
    circle.mkdir()
    for code, up in (("1", "2"), ("2", "1")):
        parents = [{"Parent": [{"ORPHAcode": up, "Label": "x"}]}]
        (circle / f"{code}.json").write_text(packet(code, f"Disease {code}", [], parents=parents), "utf-8")
    product = tmp_path / "product1.xml"
    entry = "<Disorder><OrphaCode>5</OrphaCode><Name>Five</Name></Disorder>"
    product.write_text(
        f"<JDBOR date='2025-12-09' version='1'><DisorderList>{entry * 2}</DisorderList></JDBOR>", "utf-8"
    )
    for path, sentence in (
        (circle, "ORPHA:1 stands above or below itself"),
        (product, "ORPHA:5 stands there twice"),
        (tmp_path / "none.csv", "cannot be read"),
    ):
        refused = casespan("terminology", "import", "orphanet", path)
        assert refused.code == 2
        assert sentence in refused.err
        assert refused.err.count("\n") == 1
    missing = casespan("anchor", tmp_path / "no.casespan", "--auto")
    assert missing.code == 2
    table.write_text("1,One\n2,Two,Twain\n3,Three\n", "utf-8")
    for limit, most, file in (("_MOST", 2, table), ("_MOST_NAMES", 3, table), ("_MOST_ELEMENTS", 3, product)):
        with monkeypatch.context() as lower:
            lower.setattr(f"extractors.evidence.orphanet.{limit}", most)
            assert "it holds more than" in casespan("terminology", "import", "orphanet", file).err
    monkeypatch.setattr("extractors.evidence.orphapackets._LARGEST", 20)
    assert "has no ORPHApackets" in casespan("terminology", "import", "orphanet", circle).err


def test_proposals_of_another_nomenclature_are_made_anew(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    packets = tmp_path / "packets"

    def proposed(label: str, *names: str) -> dict[str, Any]:
        (packets / "2930.json").write_text(packet("2930", label, list(names)), "utf-8")
        assert casespan("terminology", "import", "orphanet", packets).code == 0
        said = casespan("anchor", project, "--auto", "--json").json["reports"]
        return dict(next(one for one in said if one["report"] == "PMC555"))

    assert "CCD" in proposed("Cronkhite-Canada syndrome", "CCD")["aliases"]
    # The same release with other names, and then with a name that the report does not say.
    assert "CCX" in proposed("Cronkhite-Canada syndrome", "CCX")["aliases"]
    assert (gone := proposed("Alpha disease"))["state"] == "none", gone
    proposed("Cronkhite-Canada syndrome")
    casespan("anchor", project, "--document", "PMC555", "--alias", "fisherman's gut")
    for names in (["Cronkhite-Canada syndrome", "CCD"], ["Alpha disease"]):
        assert "fisherman's gut" in proposed(*names)["aliases"]


def test_a_model_chooses_among_the_disorders_that_a_report_names(casespan: Casespan, project: Path) -> None:
    with ScriptedOllama(answer=lambda body: '{"answer": "A"}', models=[MODEL]) as server:
        asked = casespan("anchor", project, "--model", MODEL.name, "--host", server.url, "--json")
        assert asked.code == 0, asked.err
        (call,) = server.calls
        assert "A. Cronkhite-Canada syndrome" in prompt_text(call.body)
        server.script(cuts('{"answer'))
        told = ("--model", MODEL.name, "--host", server.url, "--seed", 2)
        left = casespan("anchor", project, *told)
        assert left.code == 1
        assert "1 of 1 call without a whole answer; PMC555: The reply was cut" in left.err
        server.script(replies("I do not see it."))
        odd = casespan("anchor", project, *told[:4], "--seed", 3)
        assert "PMC555: The reply has none of the letters." in odd.err
        longer = casespan("anchor", project, *told, "--resume", "--reply-tokens", 512)
        assert (longer.code, len(server.calls)) == (0, 4)
    (report,) = (one for one in asked.json["reports"] if one["report"] == "PMC555")
    assert (report["state"], report["code"]) == ("proposed", "ORPHA:2930")
    assert report["by"] == "tiny/anchor"
    for given in (("--seed", "2"), ("--resume",)):
        said = casespan("anchor", project, "--document", "PMC555", *given)
        assert (said.code, said.err) == (2, f"casespan: {given[0]} is for models; it goes with --model.\n")
    for about in ((), ("--document", "PMC555", "--document", "ankle")):
        for said_of_one in (("--code", "2930"), ("--none",), ("--alias", "CCS")):
            said = casespan("anchor", project, *about, *said_of_one)
            assert (said.code, "are about one report" in said.err) == (2, True)
    assert casespan("anchor", project, "--document", "PMC555", "--none", "--alias", "CCS").code == 2
