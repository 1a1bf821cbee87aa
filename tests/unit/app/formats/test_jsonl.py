"""What of a line of JSONL is taken over where some of it is not as it should be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.formats.jsonl import FORMAT, read_payload
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, ReportExport
from extractors.model.coding import Coding
from extractors.model.document import Document
from extractors.terminology.icd11.tables import NAME as ICD11

TEXT = "Signs\nA man 😀 fell.\n"
PLACE = {"start": 8, "end": 11}
BOX = {"x": 1, "y": 2, "width": 3, "height": 4}


def read(**given: object) -> Imported:
    data = json.dumps({"text": TEXT, **given}).encode()
    (record,) = read_payload(Payload("f.jsonl", "f", data), "", ("Neuro", "GI"))
    assert isinstance(record, Imported), record
    return record


def section(start: int, end: int, **more: object) -> dict[str, object]:
    own = {"heading": "Signs", "path": ["Signs"], "reason": "", "role": "case", "categories": ["GI"]}
    return {**own, "start": start, "end": end, **more}


def test_a_report_is_called_by_its_title_else_its_id_else_its_file() -> None:
    titles = [read(**one).document.title for one in ({"title": "T", "id": "i"}, {"id": "i"}, {})]
    assert titles == ["T", "i", "f"]
    record = read(id=7, identifiers={"pmcid": "PMC123", "doi": "10.1/x"}, metadata={"year": 2020})
    assert read(title="T").key == ""
    assert (record.key, dict(record.document.identifiers)) == ("7", {"pmcid": "123", "doi": "10.1/x"})
    assert dict(record.document.metadata) == {"year": "2020"}
    assert dict(read(metadata={"a": 2020.0, "b": 3.5}).document.metadata) == {"a": "2020", "b": "3.5"}
    assert dict(read(identifiers=None).document.identifiers) == {}


@pytest.mark.parametrize(
    "given",
    [
        None,
        {},
        [section(0, 6)],
        [section(0, 6), section(7, 20)],
        [section(0, 0), section(0, 20)],
        [section(0, 6), section(6, 21)],
        [section(0, 20, role="other")],
        [section(0, 20, heading="\ud800")],
        [{"heading": "Signs", "start": 0, "end": 20}],
        [{**section(0, 20), "start": "0"}],
    ],
)
def test_sections_that_do_not_fit_the_text_are_found_anew(given: object) -> None:
    record = read(sections=given)
    assert record.notes == ("Its sections are missing or do not fit its text; they were found anew.",)
    whole = read(sections=[section(0, 6, categories=[]), section(6, 20, role="excluded", reason="why")])
    assert whole.notes == ()
    first, second = whole.document.sections
    assert (first.start, first.end, first.categories, first.role) == (0, 6, ("Neuro", "GI"), "case")
    assert (second.start, second.categories, second.role, second.reason) == (6, ("GI",), "excluded", "why")


def test_of_quotes_all_that_can_be_understood_is_kept() -> None:
    code = {"terminology": "HPO", "code": "HP:1", "label": "L", "onset": 3}
    bad, parts = {**code, "uri": "\ud800"}, [[8, 9], [10, 11], 1]
    entries: list[dict[str, Any]] = [
        {"category": "GI", "quote": "man", **PLACE, "polarity": "negated", "field": "f", "note": "n"},
        {"category": "GI", "quote": "fell", "start": "8", "end": 11, "polarity": "no", "field": 1, "note": 2},
        {"category": "GI", "quote": " ", **PLACE},
        {"category": "Neuro", "quote": "man", "concepts": [code, {"code": "x"}, 1, bad]},
        {"category": "Other", "quote": "man", **PLACE, "own": {"brat": 1}, "fragments": parts},
    ]  # fmt: skip
    record = read(annotations=entries, spans=[{"label": "Sign", "quote": 1, "start": 8, "end": 99}])
    assert record.quotes == {"Neuro": ("man",), "GI": ("man", "fell")}
    told = [(one.place, one.polarity, one.field, one.note, one.span) for one in record.details["GI"]]
    assert told == [((8, 11), "negated", "f", "n", None), (None, None, "", "", None)]
    assert record.details["Neuro"][0].concepts == (Coding("HPO", "", "HP:1", "L", "", "imported"),)
    sign, other = record.spans or ()
    assert (sign.label, sign.quote, sign.place, sign.own) == ("Sign", "", None, {})
    assert (other.label, other.place, other.own) == ("Other", (8, 11), {"brat": 1})
    assert other.fragments == ((8, 9), (10, 11))
    apart = read(annotations=[{"category": "GI", "quote": "man", **PLACE, "fragments": [[8, 9], [10, 11]]}])
    assert [one.span and one.span.fragments for one in apart.details["GI"]] == [((8, 9), (10, 11))]
    some = read(annotations=[entries[0], entries[3]], looked_at=["Neuro"])
    assert some.quotes == {"Neuro": ("man",)}
    assert "GI is not complete in the file: its quotes (1) are not taken over." in some.notes
    assert read(looked_at=["GI"]).quotes == {"GI": ()}
    # Nobody looked through a category is said, too; a label of one's own is never looked for.
    none = read(annotations=entries[:1], looked_at=[])
    assert (none.quotes, none.notes[-1][:22]) == (None, "GI is not complete in ")
    own = read(annotations=[entries[0], entries[4]], looked_at=["GI"])
    assert (own.quotes, len(own.notes)) == ({"GI": ("man",)}, 1)
    assert [one.label for one in own.spans or ()] == ["Other"]
    labelled = read(spans=[{"label": "GI", "quote": "man", **PLACE}])
    assert [one.label for one in labelled.spans or ()] == ["GI"]
    assert (read().quotes, read().spans) == (None, None)


def test_regions_go_with_their_quote_and_those_not_understood_are_counted() -> None:
    whole = {"figure": "f1", "picture": "p", "category": "GI", **BOX}
    given = [
        {**whole, "finding": "rash", "note": None, "span": 0},
        *({**whole, "span": at} for at in (1, -1, True, "0")),
        {**whole, "picture": 1},
        {**whole, "note": "\ud800"},
        "no",
    ]
    record = read(regions=given, annotations=[{"category": "GI", "quote": "man", **PLACE}])
    told = [(one.box, one.finding, one.note, one.span) for one in record.regions]
    box = (1, 2, 3, 4)
    assert told == [(box, "rash", "", ("GI", "man", (8, 11))), *[(box, "", "", None)] * 4]
    assert "3 regions without a picture, a box or a category not taken over." in record.notes
    assert read().regions == ()


def test_what_is_said_of_views_is_kept_and_what_is_no_list_costs_the_line() -> None:
    record = read(aliases=["Fabry", 1, "\ud800"], cut=6, rest={"brat": {}})
    assert (record.aliases, record.cut, record.rest) == (("Fabry",), 6, {"brat": {}})
    assert [read(cut=cut).cut for cut in (None, "6", 99)] == [0, 0, 0]
    for wrong in (
        {"annotations": {"a": 1}},
        {"spans": "x"},
        {"text": " "},
        {"text": 1},
        {"rest": [1]},
        {"title": True},
    ):
        data = json.dumps({"text": TEXT, **wrong}).encode()
        (left,) = read_payload(Payload("f.jsonl", "f", data), "", ("GI",))
        assert isinstance(left, LeftOut)
        assert left.failed


def test_a_code_of_icd11_names_its_source_as_its_licence_wants() -> None:
    coded = Coding(ICD11, "2025-01", "8A80", "Migraine", "", "human")
    assert FORMAT.write is not None
    (line,) = FORMAT.write([ReportExport(Document("a", TEXT, ()), "a", (), ("GI",), concepts=(coded,))])
    assert "World Health Organization" in json.loads(line)["concepts"][0]["source"]


def test_where_a_view_ends_is_written_without_any_name_to_hide() -> None:
    assert FORMAT.write is not None
    (line,) = FORMAT.write([ReportExport(Document("a", TEXT, ()), "a", (), (), cut=6)])
    assert json.loads(line)["cut"] == 6
