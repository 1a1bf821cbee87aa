"""BioC, DocBin, CAS and CoNLL as other programs write them, and what is damaged or made to do harm."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import bioc
import cassis
import pytest
import spacy
from spacy.tokens import DocBin, Span

from app.formats import read, write
from app.formats.losses import overlapping
from app.formats.record import ExportedAnnotation, Imported, LeftOut, ReportExport
from app.formats.record import Span as Given
from app.formats.standoff import label_studio
from app.formats.standoff.places import joined
from extractors.model.coding import Coding
from extractors.model.document import Document
from extractors.model.finding import Finding

CATEGORIES = ("Neuro", "GI")


def found(path: Path, name: str = "auto") -> tuple[list[Imported], list[LeftOut]]:
    records = list(read(path, name, CATEGORIES))
    return [one for one in records if isinstance(one, Imported)], [
        one for one in records if isinstance(one, LeftOut)
    ]


def again(record: Imported, drop: int = 0) -> ReportExport:
    """The record on its way out as it came, without the first `drop` of its quotes."""
    annotations = []
    for category, quotes in (record.quotes or {}).items():
        for quote, said in zip(quotes, record.details[category], strict=True):
            start, end = said.place or (None, None)
            one = Finding(category, quote, start, end, said.field, said.polarity or "present")
            annotations.append(
                ExportedAnnotation(one, "imported", "Anna", "", said.concepts, said.note, said.span)
            )
    key, spans = record.key or "a", record.spans or ()
    return ReportExport(record.document, key, tuple(annotations[drop:]), (), spans, record.rest, "Anna")


PUBTATOR = """<?xml version="1.0"?><!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source>PubTator</source><date>2024</date><key>k</key><infon key="by">them</infon>
<document><id>17</id><infon key="tt">x</infon>
<passage><infon key="type">title</infon><offset>0</offset><text>A man é</text>
 <annotation id="3"><infon key="type">Neuro</infon><infon key="identifier">HP:0001250</infon>
  <infon key="source">m</infon><location offset="2" length="3"/><text>man</text></annotation></passage>
<passage><infon key="type">abstract</infon><offset>8</offset><text>He fell ill and fell.</text>
 <annotation id="4"><infon key="type">Sign</infon><location offset="11" length="4"/>
  <location offset="24" length="4"/><text>fell fell</text></annotation>
 <annotation id="5"><infon key="type">Far</infon><location offset="99" length="4"/>
  <text>gone</text></annotation>
 <relation id="R1"><infon key="type">cause</infon><node refid="3" role="a"/>
  <node refid="4" role="b"/></relation>
</passage></document>
<document><id>18</id><passage><text>No offset.</text></passage></document></collection>"""


@pytest.mark.parametrize("name", ["bioc", "bioc-json"])
def test_biocs_passages_infons_and_relations_come_back_and_what_is_malformed_costs_its_document(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / "in.xml"
    path.write_text(PUBTATOR, encoding="utf-8")
    (record,), left = found(path)
    assert record.document.text == "A man é\nHe fell ill and fell."
    assert record.key == "17"
    assert record.quotes == {"Neuro": ("man",)}
    assert [one.code for one in record.details["Neuro"][0].concepts] == ["HP:0001250"]
    sign, far = record.spans or ()
    assert (sign.fragments, far.place, far.quote) == (((11, 15), (24, 28)), None, "gone")
    assert [one.reason[:10] for one in left] == ["Document 2"]
    out = tmp_path / "out"
    write(out, name, [again(record)])
    load = bioc.biocxml.load if name == "bioc" else bioc.biocjson.load
    with out.open("rb" if name == "bioc" else "r") as file:
        collection = load(file)
    bioc.validate(collection)
    (document,) = collection.documents
    assert (collection.source, collection.infons, document.infons["tt"]) == ("PubTator", {"by": "them"}, "x")
    assert [one.infons["type"] for one in document.passages] == ["title", "abstract"]
    (first,) = document.passages[0].annotations
    assert (first.id, first.infons) == (
        "3",
        {"type": "Neuro", "identifier": "HP:0001250", "source": "m"},
    )
    assert [node.refid for node in document.relations[0].nodes] == ["3", "4"]
    assert "another format" not in " ".join(write(out, name, [again(record)]))
    assert "1 relation that came along not written" in " ".join(write(out, name, [again(record, drop=1)]))
    said = " ".join(write(tmp_path / "folder", "brat", [again(record)]))
    assert "it came in another format: 1 report's relations" in said


SENTENCES = """<collection><source>s</source><date>d</date><key>k</key><document><id>1</id>
<passage><infon key="type">title</infon><offset>0</offset><text>A title</text></passage>
<passage><infon key="type">p</infon><offset>9</offset><sentence><infon key="n">1</infon><offset>9</offset>
 <text>He fell.</text><annotation id="a"><infon key="type">Neuro</infon><location offset="12" length="4"/>
 <text>fell</text></annotation></sentence><sentence><offset>19</offset><text>Ill he was.</text></sentence>
</passage><passage><offset>31</offset></passage>
<passage><offset>31</offset><text>The end</text><sentence><offset>31</offset><text>The</text></sentence>
 <sentence><offset>35</offset><text>end</text></sentence>
 <annotation id="b"><infon key="type">Long</infon><location offset="26" length="9"/><text>was. The</text>
 </annotation><annotation id="d"><infon key="type">Off</infon><location offset="17" length="1"/>
 </annotation><relation id="R1"><node refid="a" role="x"/><node refid="b"/></relation>
 <relation id="R2"><node refid="R1"/><node refid="b" role="y"/></relation>
 <relation id="R3"><node refid="zz"/></relation></passage></document></collection>"""


def test_biocs_sentences_and_what_goes_over_them_keep_their_places(tmp_path: Path) -> None:
    path, out = tmp_path / "in.xml", tmp_path / "out.xml"
    path.write_text(SENTENCES, encoding="utf-8")
    (record,), _ = found(path)
    assert record.document.text == "A title\n\nHe fell.  Ill he was.\nThe end", "a passage is a paragraph"
    assert record.details["Neuro"][0].place == (12, 16)
    # What begins in the gap between two sentences is in neither.
    told = [(one.label, one.place, one.quote) for one in record.spans or ()]
    assert told == [("Long", (26, 35), "was.\nThe "), ("Off", None, "")]
    assert record.notes == ("1 annotation has a place outside of the text, which is not used.",)
    assert "1 relation that came along not written" in " ".join(write(out, "bioc", [again(record)]))
    (document,) = bioc.biocxml.loads(out.read_text("utf-8")).documents
    passages = [(one.offset, one.text, [each.offset for each in one.sentences]) for one in document.passages]
    assert passages == [
        (0, "A title", []),
        (9, "He fell.  Ill he was.", [9, 19]),
        (31, "", []),
        (31, "The end", [31, 35]),
    ]
    assert [one.text for one in document.passages[3].sentences] == ["The", "end"]
    inner = document.passages[1].sentences[0]
    assert (inner.infons, [one.id for one in inner.annotations]) == ({"n": "1"}, ["a"])
    assert [(one.id, one.text) for one in document.annotations] == [("b", "was.\nThe ")]
    nodes = {one.id: [(node.refid, node.role) for node in one.nodes] for one in document.relations}
    assert nodes == {"R1": [("a", "x"), ("b", "")], "R2": [("R1", ""), ("b", "y")]}
    said = " ".join(write(out, "bioc", [again(record, drop=1)]))
    assert "3 relations that came along not written" in said
    assert "<relation" not in out.read_text("utf-8")


def test_bioc_of_several_collections_keeps_what_each_says_and_places_in_any_order(tmp_path: Path) -> None:
    def marked(name: str, text: str, *places: tuple[object, object], **infons: str) -> dict[str, Any]:
        locations = [{"offset": offset, "length": length} for offset, length in places]
        return {"id": name, "infons": {"type": "Neuro", **infons}, "text": text, "locations": locations}

    spans = [
        marked("1", "man fell", (6, 4), (2, 3)),
        marked("1", "", (2, 12), (6, 4)),
        marked("3", "nothing", (2, 0)),
        marked("4", "A", (0, 1), concepts="HPO HP:1 L", identifier="HP:1"),
    ]
    about = {"title": "Old", "looked_at": "GI", "x": "y"}
    first = {
        "id": "a",
        "infons": about,
        "passages": [{"offset": 0, "text": "A man fell ill.", "annotations": spans}],
    }
    apart = [
        {"offset": 0, "text": "A man."},
        {"offset": 99, "text": "He fell.", "annotations": [marked("1", "fell", (102, 4))]},
    ]
    wrong = {
        "id": "c",
        "passages": [{"offset": 0, "text": "Text", "annotations": [marked("1", "Text", (0, "4"))]}],
    }
    whole = [
        {"source": "Casespan", "documents": [first]},
        {"source": "Other", "documents": [{"id": "b", "passages": apart}, wrong]},
    ]
    (tmp_path / "in.json").write_text(json.dumps(whole), "utf-8")
    (one, other), (left,) = found(tmp_path / "in.json")
    assert left.reason == "Document 3: an annotation's offset or length is no number."
    assert (one.document.title, one.rest) == ("Old", {"bioc": {"infons": {"x": "y"}}})
    assert one.quotes == {"Neuro": ("man fell", "man fell ill", "nothing", "A"), "GI": ()}
    places = [(said.place, said.span and said.span.fragments) for said in one.details["Neuro"]]
    assert places == [((2, 10), ((2, 5), (6, 10))), ((2, 14), ((2, 14), (6, 10))), (None, ()), ((0, 1), ())]
    # What concepts are made of again is not kept beside them.
    assert [said.span and said.span.own for said in one.details["Neuro"]][3] == {"bioc": {"id": "4"}}
    # Passages far apart are parted by one blank line, and count as their text then.
    assert other.document.text == "A man.\nHe fell."
    assert other.details["Neuro"][0].place == (10, 14)
    assert other.rest["bioc"]["collection"] == {"source": "Other"}
    called = replace(again(one), document=replace(one.document, title="New"))
    write(tmp_path / "out.json", "bioc-json", [called, again(other)])
    out = json.loads((tmp_path / "out.json").read_text("utf-8"))
    new, far = out["documents"]
    assert (out["source"], new["infons"]["title"], new["infons"]["x"]) == ("Other", "New", "y")
    names = [each["id"] for each in new["passages"][0]["annotations"]]
    assert len(set(names)) == len(names) == 3
    assert [passage["offset"] for passage in far["passages"]] == [0, 7]


def test_bioc_whose_line_ends_are_folded_is_written_with_the_places_of_the_text_that_is_kept(
    tmp_path: Path,
) -> None:
    over = {
        "id": "1",
        "infons": {"type": "Neuro"},
        "text": "fell\r\nill",
        "locations": [{"offset": 7, "length": 8}],
    }
    passages = [
        {"offset": 0, "text": "A man\r\nfell", "sentences": [{"offset": 7, "text": "fell"}]},
        {"offset": 12, "text": "ill."},
    ]
    document = {"id": "a", "annotations": [over], "passages": passages}
    (tmp_path / "in.json").write_text(json.dumps({"documents": [document]}), "utf-8")
    (one,), _ = found(tmp_path / "in.json")
    write(tmp_path / "out.json", "bioc-json", [again(one)])
    (back,), _ = found(tmp_path / "out.json")
    for record in (one, back):
        assert record.document.text == "A man\nfell\nill."
        assert record.details["Neuro"][0].place == (6, 14)
    (new,) = json.loads((tmp_path / "out.json").read_text("utf-8"))["documents"]
    (sentence,) = new["passages"][0]["sentences"]
    assert (sentence["offset"], sentence["text"]) == (6, "fell")


XMI = """<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"
 xmlns:x="http:///x.ecore" xmi:version="2.0"><cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView"
 sofaString="{text}"/>{marked}<cas:View sofa="1" members="2 3 4"/></xmi:XMI>"""


@pytest.mark.parametrize("unit", ["utf-16-le", "utf-8"])
def test_offsets_in_other_units_are_told_from_the_quotes_or_whole_words_and_said(
    tmp_path: Path, unit: str
) -> None:
    text, size = "😀 é man fell ill.", 2 if unit == "utf-16-le" else 1
    words = [(text.index(word), text.index(word) + len(word), word) for word in ("man", "fell", "ill")]
    places = [
        (len(text[:a].encode(unit)) // size, len(text[:b].encode(unit)) // size, word) for a, b, word in words
    ]
    locations = [
        {"id": word, "infons": {"type": "Neuro"}, "text": word, "locations": [{"offset": a, "length": b - a}]}
        for a, b, word in places
    ]
    document = {"id": "1", "passages": [{"offset": 0, "text": text, "annotations": locations}]}
    spans = [{"start": a, "end": b, "label": "Neuro", "text": word} for a, b, word in places]
    lines = "".join(f"T{n}\tNeuro {a} {b}\t{word}\n" for n, (a, b, word) in enumerate(places, start=1))
    quotes = [{"category": "Neuro", "quote": word, "start": a, "end": b} for a, b, word in places]
    (tmp_path / "b.json").write_text(json.dumps({"documents": [document]}), encoding="utf-8")
    (tmp_path / "p.jsonl").write_text(json.dumps({"text": text, "spans": spans, "_task_hash": 1}), "utf-8")
    (tmp_path / "j.jsonl").write_text(json.dumps({"text": text, "annotations": quotes}), encoding="utf-8")
    bare = [{name: one[name] for name in one if name != "text"} for one in spans]
    (tmp_path / "q.jsonl").write_text(json.dumps({"text": text, "spans": bare, "_task_hash": 1}), "utf-8")
    # doccano and UIMA count UTF-16 units themselves.
    others = [(a, b) for a, b, _ in (places if unit == "utf-8" else words)]
    labels = [[a, b, "Neuro"] for a, b in others]
    (tmp_path / "d.jsonl").write_text(json.dumps({"text": text, "label": labels}), encoding="utf-8")
    numbered = list(enumerate(others, start=2))
    marked = "".join(f'<x:Neuro xmi:id="{n}" sofa="1" begin="{a}" end="{b}"/>' for n, (a, b) in numbered)
    (tmp_path / "c.xmi").write_text(XMI.format(text=text, marked=marked), encoding="utf-8")
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView", "sofaString": text}
    cas = [{"%ID": n, "%TYPE": "x.Neuro", "@sofa": 1, "begin": a, "end": b} for n, (a, b) in numbered]
    types = {"x.Neuro": {"%NAME": "x.Neuro", "%SUPER_TYPE": "uima.tcas.Annotation"}}
    views = {"_InitialView": {"%SOFA": 1, "%MEMBERS": [2, 3, 4]}}
    whole = {"%TYPES": types, "%FEATURE_STRUCTURES": [sofa, *cas], "%VIEWS": views}
    (tmp_path / "c.json").write_text(json.dumps(whole), encoding="utf-8")
    (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    (tmp_path / "x.ann").write_text(lines, encoding="utf-8")
    records, _ = found(tmp_path)
    assert len(records) == 8
    for record in records:
        assert record.quotes == {"Neuro": ("man", "fell", "ill")}
        assert [one.place and text[slice(*one.place)] for one in record.details["Neuro"]] == [
            "man",
            "fell",
            "ill",
        ]
        assert any("they were converted" in note for note in record.notes), record.source


@pytest.mark.parametrize("name", ["cas", "cas-json"])
def test_a_cas_whose_text_has_other_line_ends_is_written_with_the_places_of_the_text_that_is_kept(
    tmp_path: Path, name: str
) -> None:
    places = ((2, 2, 5, ""), (3, 7, 11, 'Governor="2"'), (4, 7, 7, ""))
    marked = "".join(
        f'<x:Sign xmi:id="{n}" sofa="1" begin="{a}" end="{b}" {more}/>' for n, a, b, more in places
    )
    (tmp_path / "in.xmi").write_text(XMI.format(text="A man&#13;&#10;fell.", marked=marked), "utf-8")
    (record,), _ = found(tmp_path / "in.xmi")
    write(tmp_path / "out", name, [again(record)])
    cas = opened(tmp_path / "out")
    told = {(one.begin, one.get_covered_text()) for one in cas.select("x.Sign")}
    assert (cas.sofa_string, told) == ("A man\nfell.", {(2, "man"), (6, "fell"), (6, "")})


def test_what_xml_cannot_hold_is_said_and_the_places_stay(tmp_path: Path) -> None:
    text = "A\x0b man\x01 fell."
    annotations = (ExportedAnnotation(Finding("Neuro", "man\x01", 3, 7), "human", "Anna"),)
    for name in ("bioc", "cas"):
        out = tmp_path / name
        said = write(out, name, [ReportExport(Document("T", text, ()), "k", annotations, ("Neuro",))])
        assert "1 text with control characters" in " ".join(said)
        (record,), _ = found(out, name)
        assert record.document.text == "A\ufffd man\ufffd fell."
        assert record.details["Neuro"][0].place == (3, 7)


def test_a_docbin_opens_in_spacy_with_overlapping_spans_and_entities_are_read(tmp_path: Path) -> None:
    text = "A man's  fever😀 was high."
    findings = [Finding("Neuro", text[2:7], 2, 7), Finding("GI", text[5:14], 5, 14, polarity="negated")]
    annotations = tuple(ExportedAnnotation(one, "human", "Anna") for one in findings)
    out = tmp_path / "out.spacy"
    write(out, "spacy", [ReportExport(Document("T", text, ()), "k", annotations, ("Neuro",))])
    (document,) = DocBin().from_disk(out).get_docs(spacy.blank("en").vocab)
    assert document.text == text
    spans = [(one.start_char, one.end_char, one.label_) for one in document.spans["sc"]]
    assert spans == [(2, 7, "Neuro"), (5, 14, "GI")]
    # What concepts are written by is not kept beside them.
    coded = replace(annotations[0], concepts=(Coding("HPO", "", "HP:1", "L", "", "imported"),))
    write(out, "spacy", [ReportExport(Document("T", text, ()), "k", (coded, annotations[0]), ("Neuro",))])
    (record,), _ = found(out)
    said, bare = record.details["Neuro"]
    assert ([one.code for one in said.concepts], said.span, bare.concepts) == (["HP:1"], None, ())
    other = spacy.blank("en")("A man fell.")
    other.ents = [Span(other, 1, 2, label="Neuro")]
    DocBin(docs=[other]).to_disk(tmp_path / "ents.spacy")
    (record,), _ = found(tmp_path / "ents.spacy")
    assert record.quotes == {"Neuro": ("man",)}
    assert (record.key, record.document.title) == ("", "ents")
    assert "entities" in record.notes[0]


def test_a_docbins_groups_ids_and_plain_user_data_come_back(tmp_path: Path) -> None:
    given, out = spacy.blank("en")("A man fell ill."), tmp_path / "out.spacy"
    given.spans["sc"] = [Span(given, 1, 2, label="Neuro", kb_id="Q1", span_id="one"), Span(given, 0, 2)]
    given.spans["more"] = [Span(given, 2, 4, label="Fall")]
    given.cats = {"case": 1.0}
    kept = {"a": (1, None, {"b": (2.5, True)}), "c": "d"}
    lost: dict[Any, Any] = {("x", "y"): 1, "bytes": b"z", "deep": {"e": [b"z"]}, "keys": {1: 2}}
    given.user_data.update(lost | kept)
    DocBin(docs=[given], store_user_data=True).to_disk(tmp_path / "in.spacy")
    (record,), _ = found(tmp_path / "in.spacy")
    assert "4 entries of its user data not kept." in record.notes
    assert record.rest == {"spacy": {"cats": {"case": 1.0}, "user_data": kept}}
    told = [(one.label, one.place, one.own) for one in record.spans or ()]
    assert told == [("span", (0, 5), {}), ("Fall", (6, 14), {"spacy": {"group": "more"}})]
    (neuro,) = record.details["Neuro"]
    assert neuro.span is not None
    assert (neuro.place, neuro.span.own) == ((2, 5), {"spacy": {"id": "one", "kb_id": "Q1"}})
    write(out, "spacy", [again(record)])
    (document,) = DocBin().from_disk(out).get_docs(spacy.blank("en").vocab)
    groups = {
        name: [(one.start, one.end, one.label_, one.kb_id_, one.id_) for one in group]
        for name, group in document.spans.items()
    }
    first = (1, 2, "Neuro", "Q1", "one")
    assert groups == {"sc": [(0, 2, "span", "", ""), first], "more": [(2, 4, "Fall", "", "")]}
    assert document.cats == {"case": 1.0}
    assert {key: document.user_data[key] for key in kept} == kept


INCEPTION = """<?xml version="1.0" encoding="UTF-8"?><xmi:XMI xmlns:xmi="http://www.omg.org/XMI"
 xmlns:cas="http:///uima/cas.ecore" xmlns:custom="http:///custom.ecore" xmi:version="2.0"
 xmlns:seg="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore"
 xmlns:ner="http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore"><cas:NULL xmi:id="0"/>
<seg:Token xmi:id="11" sofa="1" begin="0" end="2"/><seg:Token xmi:id="12" sofa="1" begin="3" end="6"/>
<ner:NamedEntity xmi:id="13" sofa="1" begin="3" end="6" value="Neuro"
 identifier="http://purl.obolibrary.org/obo/HP_0001250"/>
<ner:NamedEntity xmi:id="14" sofa="1" begin="7" end="11" value="Sign" colour="red"/>
<custom:Relation xmi:id="15" sofa="1" begin="7" end="11" Governor="13" Dependent="14"/>
<ner:NamedEntity xmi:id="16" sofa="1" begin="70" end="110" value="Far"/>
<ner:NamedEntity xmi:id="17" sofa="1" begin="3" end="3" value="Empty"/>
<custom:Mark xmi:id="18" sofa="1" begin="0" end="2" polarity="1"/>
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="😀 man fell"/>
<cas:View sofa="1" members="11 12 13 14 15 16 17 18"/></xmi:XMI>"""


def type_system() -> str:
    types = cassis.TypeSystem()
    types.create_type("de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token")
    entity = types.create_type("de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity")
    for name in ("value", "identifier", "colour"):
        types.create_feature(entity, name, "uima.cas.String")
    types.create_feature(types.create_type("custom.Mark"), "polarity", "uima.cas.String")
    relation = types.create_type("custom.Relation")
    for name in ("Governor", "Dependent"):
        types.create_feature(relation, name, entity)
    return str(types.to_xml())


def test_two_places_show_what_offsets_count_and_one_does_not(tmp_path: Path) -> None:
    for places, quotes in (
        ([(0, 1), (2, 5), (0, 10)], ("😀", "😀 man fell", "man")),
        ([(2, 5), (0, 11), (4, 4)], ("😀 man fell", " ma")),
    ):
        numbered = enumerate(places, start=2)
        marked = "".join(f'<x:Neuro xmi:id="{n}" sofa="1" begin="{a}" end="{b}"/>' for n, (a, b) in numbered)
        (tmp_path / "c.xmi").write_text(XMI.format(text="😀 man fell", marked=marked), encoding="utf-8")
        (record,), _ = found(tmp_path / "c.xmi")
        assert record.quotes == {"Neuro": quotes}


@pytest.mark.parametrize("name", ["cas", "cas-json"])
@pytest.mark.parametrize("way", ["beside", "zip", "alone"])
def test_inceptions_layers_are_read_and_all_of_it_is_written_again(
    tmp_path: Path, name: str, way: str
) -> None:
    path = tmp_path / "in" / "one.xmi"
    path.parent.mkdir()
    if way == "zip":
        path = path.with_suffix(".zip")
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("one.xmi", INCEPTION)
            archive.writestr("TypeSystem.xml", type_system())
    else:
        path.write_text(INCEPTION, encoding="utf-8")
        if way == "beside":
            (path.parent / "TypeSystem.xml").write_text(type_system(), encoding="utf-8")
    (record,), left = found(path if way == "zip" else path.parent)
    assert left == []
    assert record.document.text == "😀 man fell"
    assert record.quotes == {"Neuro": ("man",)}
    assert record.details["Neuro"][0].place == (2, 5)
    assert [one.code for one in record.details["Neuro"][0].concepts] == ["HP:0001250"]
    others = {("Sign", "fell"), ("Far", ""), ("Mark", "😀")}
    assert {(one.label, one.quote) for one in record.spans or ()} == others
    given = again(record)
    first = given.annotations[0]
    named = (replace(first.concepts[0], label="Seizure"),)
    negated = replace(first, finding=replace(first.finding, polarity="negated"), concepts=named)
    given = replace(given, annotations=(negated,))
    out = tmp_path / "out"
    write(out, name, [given])
    cas = opened(out)
    kinds = sorted(one.type.name.rpartition(".")[2] for one in cas.select_all_annotations())
    assert kinds.count("Token") == 2
    assert kinds.count("Relation") == 1
    entities = {
        one.value: one for one in cas.select("de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity")
    }
    assert (entities["Neuro"].polarity, entities["Neuro"].get_covered_text()) == ("negated", "man")
    assert entities["Neuro"].identifier == "http://purl.obolibrary.org/obo/HP_0001250"
    assert entities["Sign"].colour == "red"
    # A polarity in words of others is not ours to take away.
    assert [one.polarity for one in cas.select("custom.Mark")] == ["1"]
    (back,), _ = found(out, name)
    assert back.details["Neuro"][0].polarity == "negated"
    if way == "beside":
        # What is moved, called otherwise or said no more is so in the layer that it came from.
        (one,) = again(back).annotations
        moved = replace(one.finding, category="GI", quote="fell", start=6, end=10, polarity="present")
        write(
            tmp_path / "moved",
            name,
            [replace(again(back), annotations=(replace(one, finding=moved, concepts=()),))],
        )
        cas = opened(tmp_path / "moved")
        layer = cas.select("de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity")
        (entity,) = (each for each in layer if each.value == "GI")
        assert (entity.get_covered_text(), entity.polarity, entity.identifier) == ("fell", None, None)
        assert len(list(cas.select("casespan.Report"))) == 1
    if way != "alone":
        lost = write(tmp_path / "less", name, [again(record, drop=1)])
        assert "1 relation that came along not written" in " ".join(lost)


def opened(folder: Path) -> cassis.Cas:
    """What stands in the folder, as the library opens it."""
    jsons = sorted(folder.glob("*.json"))
    if jsons:
        return cassis.load_cas_from_json(jsons[0].read_text(encoding="utf-8"))
    types = cassis.load_typesystem(folder / "TypeSystem.xml")
    (file,) = folder.glob("*.xmi")
    return cassis.load_cas_from_xmi(file, typesystem=types)


def test_conll_of_others_is_put_together_of_its_tokens_in_any_scheme_of_labels(tmp_path: Path) -> None:
    text = (
        "-DOCSTART- -X- -X- O\n\nEU NNP B-NP B-Neuro\nrejects VB B-VP I-Neuro\ncall\u00a0it NN O O\n\n"
        "# a remark\nWell UH O S-GI\n. . O _\n-DOCSTART- -X- O O\n\nA X O I-GI\nB X O I-Neuro\nhalf\n"
    )
    (tmp_path / "in.txt").write_text(text, encoding="utf-8")
    (first, second), left = found(tmp_path / "in.txt")
    assert left == []
    assert first.document.text == "EU rejects call\u00a0it\nWell ."
    assert first.quotes == {"Neuro": ("EU rejects",), "GI": ("Well",)}
    assert second.quotes == {"Neuro": ("B",), "GI": ("A",)}
    assert [one.spans for one in (first, second)] == [(), ()], "what is outside has no label"
    assert "put together of its tokens" in first.notes[-1]
    assert "1 line without a label" in second.notes[-1]
    (tmp_path / "twice.txt").write_text(text.partition("-DOCSTART- -X- O O")[0] * 2, encoding="utf-8")
    (both,), _ = found(tmp_path / "twice.txt")
    assert both.notes == (*first.notes, "Its text is there 2 times; what each says of it was put together.")
    # Of a long file a line is cut where what it is told by ends.
    (tmp_path / "long.txt").write_text(f"{'a' * 191} B-Neuro\n" * 30, encoding="utf-8")
    assert found(tmp_path / "long.txt")[0][0].quotes == {"Neuro": ("a" * 191,) * 30}
    (tmp_path / "line.txt").write_text("man B-Neuro\n", encoding="utf-8")
    assert found(tmp_path / "line.txt")[0][0].document.text.startswith("man B-Neuro")


def test_conll_says_beforehand_what_it_has_no_place_for_and_gives_the_exact_text_back(tmp_path: Path) -> None:
    text = " A  man -DOCSTART- fell.\u00a0\n\n He rose "
    findings = [Finding("Neuro", text[4:7], 4, 7), Finding("GI", text[1:8], 1, 8, polarity="negated")]
    findings.append(Finding("Neuro", text[8:10], 8, 10))
    given = ReportExport(
        Document("A title", text, ()),
        "a key",
        tuple(ExportedAnnotation(one, "human", "Anna") for one in findings),
        (),
    )
    said = " ".join(write(tmp_path / "out.conll", "conll", [given]))
    for words in ("1 span that overlaps another", "1 polarity", "1 span."):
        assert words in said
    chain = [Finding("GI", text[start:end], start, end) for start, end in ((1, 5), (4, 9), (6, 12))]
    longer = replace(given, annotations=tuple(ExportedAnnotation(one, "human", "Anna") for one in chain))
    assert overlapping(longer) == 1, "what is left out covers nothing"
    (record,), _ = found(tmp_path / "out.conll")
    assert (record.document.text, record.key, record.document.title) == (text, "a key", "A title")
    assert record.quotes == {"GI": ("A  man",), "Neuro": ("-D",)}
    # Where somebody changed a place, the tokens are what is left; a title that is no JSON stays as it is.
    lines = (tmp_path / "out.conll").read_text("utf-8").replace("\t4\t", "\t9\t")
    (tmp_path / "moved.conll").write_text(lines, "utf-8")
    assert "put together of its tokens" in found(tmp_path / "moved.conll")[0][0].notes[0]
    odd = lines.replace("\t9\t", "\t4\t").replace("A\\u0020title", "\\Title")
    (tmp_path / "odd.conll").write_text(odd, "utf-8")
    assert found(tmp_path / "odd.conll")[0][0].document.title == "\\Title"


@pytest.mark.parametrize("text", ["Fieber。|/它来了", "He fell. It hurt|. /Then", "A fell. |/It hurt. /B"])
def test_conll_parts_sentences_but_no_label(tmp_path: Path, text: str) -> None:
    end, plain = text.index("|"), text.replace("|", "").replace("/", "")
    label = ExportedAnnotation(Finding("GI", plain[:end], 0, end), "human", "Anna")
    write(tmp_path / "out.conll", "conll", [ReportExport(Document("", plain, ()), "k", (label,), ())])
    parts = (tmp_path / "out.conll").read_text("utf-8").strip().split("\n\n")[1:]
    firsts = [int(part.split("\t")[1]) for part in parts]
    assert firsts == [0, *(plain.index(one) for one in text.split("/")[1:])]


def zipped(content: str, name: str = "one.xmi") -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(name, content)
    return data.getvalue()


def boxed(*texts: str) -> bytes:
    return DocBin(docs=[spacy.blank("en")(text) for text in texts]).to_bytes()


BROKEN = [
    ("bioc", PUBTATOR[:400].encode(), "not well-formed"),
    (
        "bioc",
        b'<!DOCTYPE c [<!ENTITY x SYSTEM "file:///x">]><collection>&x;</collection>',
        "external",
    ),
    ("bioc-json", b'{"documents": [{"passages": [', "not valid JSON"),
    ("bioc-json", b'{"documents": [{"passages": [{"offset": "x", "text": "A"}]}]}', "Document 1"),
    ("spacy", b"\x78\x9chalf", "only a part"),
    ("bioc-json", b'{"documents": []}', "no documents"),
    ("bioc-json", b'{"documents": [{"passages": [{"offset": 0, "text": " "}]}]}', "no text"),
    ("bioc", b"<other/>", "no BioC"),
    ("bioc", b"<collection><x></document>", "not well-formed"),
    ("spacy", b"no box", "damaged"),
    ("spacy", boxed(" "), "Document 1: it has no text"),
    ("cas", b'<!DOCTYPE x [<!ENTITY a "b">]><x/>', "document type"),
    (
        "cas",
        INCEPTION.replace("<xmi:XMI", '<!DOCTYPE x SYSTEM "x.dtd"><xmi:XMI', 1).encode(),
        "document type",
    ),
    ("cas", INCEPTION[:900].encode(), "not well-formed"),
    ("cas", zipped("<x/>"), "no XMI"),
    ("cas", zipped(INCEPTION)[:-30], "only a part"),
    ("cas", zipped(INCEPTION).replace(b"man", b"men", 1), "damaged"),
    ("cas", zipped("x", "one.txt"), "no .xmi"),
    ("cas", INCEPTION.replace("😀 man fell", " ").encode(), "no text"),
    ("cas-json", b'{"%TYPES": {}, "%FEATURE_STRUCTURES": [{"%ID"', "damaged"),
    ("conll", b"\n\n", "no tokens"),
    ("doccano", b'{"text": "A man.", "label": 7}', "list of labels"),
    ("doccano", b'{"text": 7, "label": []}', "the text of a report"),
    ("label-studio", b'[{"data": {"text": "A man."}, "annotations": {"a": 1}}]', "must be a list"),
    ("prodigy", b'{"text": "", "spans": []}', "the text of a report"),
    ("prodigy", b'{"text": "A man.", "spans": {"a": 1}}', "must be a list"),
    ("prodigy", b'{"text": "A man.", "spans": [{"start": 0}]}', "no label"),
    ("csv", b"a,b\n1,2\n", "no columns report, category, quote"),
    ("crb", b'{"a": 1}', "no list"),
    ("brat", b" \n", "text is empty"),
]


@pytest.mark.parametrize(("given", "title"), [(["One", 2, 1.5], "One 2 1.5"), ({"a": 1}, ""), (True, "")])
def test_a_title_that_is_no_text_is_read_for_its_words(tmp_path: Path, given: object, title: str) -> None:
    for name, line in (
        ("doccano", {"text": "A man fell.", "label": [], "title": given}),
        ("prodigy", {"text": "A man fell.", "spans": [], "meta": {"title": given}}),
        ("label-studio", {"data": {"text": "A man fell.", "title": given}, "annotations": []}),
    ):
        (tmp_path / "in.jsonl").write_text(json.dumps(line), encoding="utf-8")
        ((record,), _) = found(tmp_path / "in.jsonl", name)
        assert record.document.title == (title or "in")


def test_a_span_of_which_a_part_is_outside_of_the_text_is_one_stretch(tmp_path: Path) -> None:
    parts = ([[2, 5], [6, 10]], [[2, 5], [60, 70]])
    spans = [{"start": 2, "end": 10, "label": "Neuro", "fragments": part} for part in parts]
    (tmp_path / "in.jsonl").write_text(json.dumps({"text": "A man fell.", "spans": spans}), encoding="utf-8")
    ((record,), _) = found(tmp_path / "in.jsonl", "prodigy")
    said = [one.span.fragments if one.span else () for one in record.details["Neuro"]]
    assert said == [((2, 5), (6, 10)), ()]


@pytest.mark.parametrize(("words", "said"), [("man fell", 0), ("", 0), (" ", 0), (None, 0), ("men fell", 1)])
def test_words_in_a_file_are_other_ones_where_more_differs_than_blanks(
    tmp_path: Path, words: str | None, said: int
) -> None:
    place = {"start": 2, "end": 11, "text": words}
    value = {
        "type": "labels",
        "from_name": "label",
        "to_name": "text",
        "value": {**place, "labels": ["Neuro"]},
    }
    for name, line in (
        ("prodigy", {"text": "A man  fell.", "spans": [{**place, "label": "Neuro"}]}),
        ("label-studio", {"data": {"text": "A man  fell."}, "annotations": [{"result": [value]}]}),
    ):
        (tmp_path / "in.jsonl").write_text(json.dumps(line), encoding="utf-8")
        ((record,), _) = found(tmp_path / "in.jsonl", name)
        assert record.quotes == {"Neuro": ("man  fell",)}
        assert sum("Places with other words in the file" in note for note in record.notes) == said


BROKEN_OFF = [
    (
        "label-studio",
        b'[{"data": {"text": "A man."}, "annotations": []}, {"data": {"te',
        "taken (1 record)",
    ),
    (
        "bioc-json",
        b'{"key": "k", "documents": [{"passages": [{"offset": 0, "text": "A man."}]}, {"i',
        "taken (1 record)",
    ),
    ("bioc", PUBTATOR[: PUBTATOR.index("<document><id>18") + 20].encode(), "taken (1 record)"),
    ("crb", b'[{"pmcid": "1", "text": "A man."}, {"pmc', "taken (1 record)"),
    ("csv", b'report,category,quote,text\n1,GI,man,A man.\n2,GI,"bo', "from row 3 on"),
    ("jsonl", '{"text": "A mané é", "annotations": []}\n{"text": "'.encode() + b"\xff", "Line 2: "),
    ("spacy", boxed("A man.", " "), "Document 2: it has no text"),
    (
        "bioc-json",
        b'{"passages": [{"offset": 0, "text": "A man."}]}\n{"passages": []}',
        "Line 2: it has no text",
    ),
]


@pytest.mark.parametrize(("name", "data", "said"), BROKEN + BROKEN_OFF)
def test_what_is_damaged_or_made_to_do_harm_is_one_sentence_and_whole_records_before_it_are_taken(
    tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    (tmp_path / "in").write_bytes(data)
    records, left = found(tmp_path / "in", name)
    assert [one.document.text[:5] for one in records] == ["A man"] * ((name, data, said) in BROKEN_OFF)
    assert [said in one.reason and "please report" not in one.reason for one in left] == [True], left
    assert all(one.failed for one in left)


def test_words_that_are_cut_or_differ_are_said_where_nothing_else_shows_what_offsets_count(
    tmp_path: Path,
) -> None:
    text = "é A man fell ill."
    (tmp_path / "d.jsonl").write_text(
        json.dumps({"text": text, "label": [[3, 6, "X"], [8, 12, "X"]]}), "utf-8"
    )
    value = {"start": 4, "end": 7, "text": "fell", "labels": ["X"]}
    task = {"data": {"text": text}, "annotations": [{"result": [{"type": "labels", "value": value}]}]}
    (tmp_path / "l.json").write_text(json.dumps([task]), "utf-8")
    (tmp_path / "x.txt").write_text(text, "utf-8")
    (tmp_path / "x.ann").write_text("T1\tX 4 7\tfell\n", "utf-8")
    said = ["with a blank: 1 of 2", "than in the text: 1 of 1", "1 annotation keeps its words"]
    for record, words in zip(found(tmp_path)[0], said, strict=True):
        assert words in " ".join(record.notes), record.source


def test_a_docbin_of_another_version_is_one_sentence(tmp_path: Path) -> None:
    import zlib

    import srsly

    (tmp_path / "in.spacy").write_bytes(zlib.compress(srsly.msgpack_dumps({"attrs": [], "tokens": b""})))
    _, left = found(tmp_path / "in.spacy")
    assert ["another version of spaCy" in one.reason for one in left] == [True]


def test_what_records_of_one_text_say_is_put_together_once() -> None:
    document = Document("T", "He had fever.", ())
    spans = [Given("Sign", "fever", (7, 12), own={"id": name}) for name in ("a", "b")]
    other = Given("Sign", "fever", (7, 12), polarity="negated")
    given = [Imported(document, "x", "0" * 64, spans=(one,)) for one in (*spans, other)]
    (found,) = joined(given)
    assert isinstance(found, Imported)
    assert [one.polarity for one in found.spans or ()] == [None, "negated"]
    assert "there 3 times" in found.notes[0]


def test_of_tasks_that_were_given_up_nothing_is_taken_and_that_is_all_that_is_said(tmp_path: Path) -> None:
    def labelled(start: int, end: int) -> list[dict[str, Any]]:
        value = {"start": start, "end": end, "text": "A man."[start:end], "labels": ["Neuro"]}
        return [{"id": str(start), "type": "labels", "from_name": "label", "to_name": "text", "value": value}]

    cancelled = {"was_cancelled": True, "result": labelled(0, 1)}
    first, second = {"result": labelled(2, 5)}, {"result": labelled(0, 1)}
    given_up = "1 of its annotations were cancelled, and are not taken over."
    together = "It was annotated 2 times; what each says was put together."
    for sets, quotes, note in (
        ([first, cancelled], ("man",), given_up),
        ([first, second], ("man", "A"), together),
    ):
        task = {"data": {"text": "A man."}, "annotations": sets}
        (tmp_path / "in.json").write_text(json.dumps([task]), "utf-8")
        (record,), _ = found(tmp_path / "in.json")
        assert (record.quotes, record.notes) == ({"Neuro": quotes}, (note,))


def test_a_task_names_each_region_once_and_keeps_relations_between_those_that_are_there() -> None:
    text, made = "fever and rash", []
    for start, end in ((0, 5), (10, 14)):
        span = Given("Neuro", text[start:end], (start, end), own={"label-studio": {"id": "a"}})
        one = Finding("Neuro", text[start:end], start, end)
        made.append(ExportedAnnotation(one, "imported", "Anna", span=span))
    relations = [{"type": "relation", "from_id": "a", "to_id": to} for to in ("a-2", "gone")]
    rest = {"label-studio": {"relations": relations}}
    report = ReportExport(Document("T", text, ()), "a", tuple(made), (), (), rest, "Anna")
    written: Any = label_studio._task(report, 1)
    (entry,) = written["annotations"]
    assert list(dict.fromkeys(one.get("id") for one in entry["result"])) == ["a", "a-2", None]
    assert [one["to_id"] for one in entry["result"] if "to_id" in one] == ["a-2"]
    assert label_studio._text_keys([{"to_name": "body"}], {"text": 1, "body": 2})[0] == "body"
