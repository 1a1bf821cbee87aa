"""Every format of annotation tools: what is written is read again, or named as lost."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats import READ_FORMATS, WRITE_FORMATS, format_of, read, write
from app.formats.losses import Fact, facts_in, facts_of
from app.formats.record import ExportedAnnotation, Imported, LeftOut, ReportExport, Span
from extractors.model.coding import Coding
from extractors.model.document import Document
from extractors.model.finding import POLARITIES, Finding

CATEGORIES = ("Neuro", "GI", "Lab_Image")
BOTH = [
    one for one in READ_FORMATS if one in WRITE_FORMATS and one != "crb" and format_of(one).recount is None
]
TEXTS = st.text(st.sampled_from("ab é😀\n\t\u00a0𝑨\u0301אב.-"), min_size=60, max_size=90).filter(str.strip)
SPANS = st.lists(
    st.tuples(
        st.sampled_from((*CATEGORIES, "Other label", "Sign")),
        st.integers(0, 58),
        st.integers(1, 30),
        st.sampled_from(POLARITIES),
        st.sampled_from(("", "skin", "facial features")),
        st.sampled_from(("", "Sure of it? 😀")),
        st.integers(0, 12),
    ),
    max_size=7,
    unique_by=lambda one: one[:3],
)


def report(text: str, spans: list[tuple[str, int, int, str, str, str, int]], key: str = "a") -> ReportExport:
    """Spans as quotes, or as they came along where their labels are none of the scheme's."""
    annotations, others = [], []
    for label, start, length, polarity, field, note, gap in spans:
        end = min(start + length, len(text))
        quote = text[start:end]
        if quote.strip() != quote or not quote:
            continue
        cut = start + gap
        parts: tuple[tuple[int, int], ...] = ((start, cut), (cut + 1, end)) if gap and cut + 1 < end else ()
        if "\n" in text[cut : cut + 1] or any(text[a:b].strip() != text[a:b] for a, b in parts):
            parts = ()
        coded = (Coding("HPO", "", "HP:0001250", "Seizure", "", "imported"),) if gap % 3 == 1 else ()
        span = Span(label, quote, (start, end), parts, polarity, {}, field, note, coded)  # type: ignore[arg-type]
        if label in CATEGORIES:
            finding = Finding(label, quote, start, end, field=field, polarity=polarity)  # type: ignore[arg-type]
            annotations.append(
                ExportedAnnotation(finding, "human", "Anna", "", coded, note, span if parts else None)
            )
        else:
            others.append(span)
    looked_at = tuple(one for one in CATEGORIES if any(one == each.finding.category for each in annotations))
    return ReportExport(
        Document("A title", text, ()), key, tuple(annotations), looked_at, tuple(others), {}, "Anna"
    )


def back(out: Path, name: str) -> list[Imported]:
    found = list(read(out, name, CATEGORIES))
    assert [one.reason for one in found if isinstance(one, LeftOut) and one.failed] == []
    return [one for one in found if isinstance(one, Imported)]


@pytest.mark.parametrize("name", BOTH)
@given(text=TEXTS, spans=SPANS)
def test_what_is_written_comes_back_but_for_what_is_named(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    text: str,
    spans: list[tuple[str, int, int, str, str, str, int]],
) -> None:
    folder = tmp_path_factory.mktemp("out")
    known, given = format_of(name), report(text, spans)
    out = folder / f"out{known.suffixes[0]}" if not known.folder else folder / "out"
    write(out, name, [given])
    (record,) = back(out, name) or [Imported(Document("", "", ()), "", "")]
    assert record.document.text == ("" if "texts" in known.lacks else text)
    assert facts_in(record, known.lacks) == facts_of(given, known.lacks)
    if "texts" not in known.lacks:
        assert (record.document.title == given.document.title) == ("title" not in known.lacks)


@pytest.mark.parametrize("name", BOTH)
def test_a_format_is_recognised_by_what_is_in_the_file(name: str, tmp_path: Path) -> None:
    text = "A man 😀 had no seizures.\nHe was ill."
    known = format_of(name)
    out = tmp_path / "out" if known.folder else tmp_path / f"out{known.suffixes[0]}"
    write(
        out,
        name,
        [report(text, [("Neuro", 15, 8, "negated", "", "", 0), ("Sign", 2, 3, "present", "", "", 0)])],
    )
    records = [one for one in read(out, "auto", CATEGORIES) if isinstance(one, Imported)]
    # Of what is written here nothing is foreign; Prodigy's own keys say whose it is.
    assert [set(one.rest) - {"prodigy"} for one in records] == [set()]
    assert [facts_in(one, known.lacks) for one in records] == [
        Counter(
            {
                Fact(
                    "Neuro",
                    ((15, 23),),
                    "seizures",
                    "present" if "polarity" in known.lacks else "negated",
                    "",
                    "",
                ): 1,
                Fact("Sign", ((2, 5),), "man", "present", "", ""): 1,
            }
        )
    ]


@pytest.mark.parametrize("name", ["bioc", "cas"])
def test_a_format_of_xml_and_of_json_is_read_in_both_by_one_name(name: str, tmp_path: Path) -> None:
    json_name = f"{name}-json"
    out = tmp_path / "out" if format_of(json_name).folder else tmp_path / "out.json"
    write(out, json_name, [report("A man 😀.", [("Neuro", 2, 3, "negated", "", "", 0)])])
    (record,) = back(out, name)
    assert record.quotes == {"Neuro": ("man",)}


@pytest.mark.parametrize("name", ["jsonl", "prodigy", "label-studio", "bioc", "cas-json"])
def test_concepts_keep_their_release_uri_and_onset(name: str, tmp_path: Path) -> None:
    coding = Coding("HPO", "2025-01-16", "HP:1", "A b [c]", "http://a/HP_1", "imported", "P3Y")
    finding = Finding("Neuro", "man", 2, 5)
    one = ExportedAnnotation(finding, "human", "Anna", concepts=(coding,))
    write(tmp_path / "out", name, [ReportExport(Document("a", "A man.", ()), "a", (one,), ("Neuro",))])
    (record,) = back(tmp_path / "out", name)
    assert record.details["Neuro"][0].concepts == (coding,)


def test_losses_count_what_is_under_labels_that_the_scheme_lacks() -> None:
    spans = [("Other label", 2, 3, "negated", "skin", "Sure?\nOf it?", 0)]
    given = [report("A man.", spans)]
    said = " ".join(format_of("conll").losses(given))
    assert all(what in said for what in ("1 polarity", "1 field of a quote", "1 note"))
    assert "line ends, tabs and runs of blanks: 1 note" in " ".join(format_of("brat").losses(given))
    for title, lost in (("A man.", False), ("A boy", True)):
        titled = [replace(given[0], document=replace(given[0].document, title=title))]
        assert ("place for it: 1 title" in " ".join(format_of("brat").losses(titled))) is lost


def test_a_note_is_the_same_whatever_blanks_part_its_words() -> None:
    given = report("A man.", [("Neuro", 2, 3, "present", "", " Sure?\n Of  it? ", 0)])
    assert [one.note for one in facts_of(given)] == ["Sure? Of it?"]


def test_brat_says_which_spans_lose_the_line_ends_around_them(tmp_path: Path) -> None:
    one = ExportedAnnotation(Finding("Neuro", "\nman", 1, 5), "human", "Anna")
    given = [ReportExport(Document("a", "A\nman.", ()), "a", (one,), ("Neuro",))]
    assert "Written without the line ends at its ends: 1 span." in [*format_of("brat").losses(given)]
    write(tmp_path / "out", "brat", given)
    lacks = format_of("brat").lacks
    assert facts_in(back(tmp_path / "out", "brat")[0], lacks) == facts_of(given[0], lacks)


def test_half_a_file_of_tokens_is_refused_and_numbers_that_are_none_cost_their_line(tmp_path: Path) -> None:
    out = tmp_path / "out.conll"
    write(out, "conll", [report("A man was ill.", [])])
    _, left = read_text(out, out.read_text("utf-8")[:-6], "conll")
    assert ["only a part of one" in one.reason for one in left] == [True]
    records, left = read_text(
        tmp_path / "in.jsonl", '{"text": "A", "x": 1e400}\n' + line(text="B"), "prodigy"
    )
    assert [one.document.text for one in records] == ["B"]
    assert ["1e400, which is no number" in one.reason for one in left] == [True]


def line(**more: object) -> str:
    return json.dumps(more, ensure_ascii=False) + "\n"


def read_text(path: Path, text: str, name: str) -> tuple[list[Imported], list[LeftOut]]:
    path.write_text(text, encoding="utf-8")
    found = list(read(path, name, CATEGORIES))
    return [one for one in found if isinstance(one, Imported)], [
        one for one in found if isinstance(one, LeftOut)
    ]


def test_prodigy_keeps_what_was_accepted_and_names_every_line_that_was_not(tmp_path: Path) -> None:
    span = {"start": 2, "end": 5, "token_start": 1, "token_end": 1, "label": "Neuro", "source": "x"}
    text = (
        line(text="A man.", spans=[span], answer="accept", _task_hash=3, _annotator_id="db-anna")
        + line(text="No.", spans=[span], answer="reject", _task_hash=4)
        + line(text="A man.", spans=[{**span, "label": "GI"}, span], answer="accept", _task_hash=5)
        + line(text="Well.", spans=[], answer="accept", _task_hash=6)
        + '{"text": "half\n'
        + line(text=" \n", spans=[], answer="accept", _task_hash=7)
        + line(text="Passed over.", spans=[span], answer="ignore", _task_hash=8)
    )
    records, left = read_text(tmp_path / "in.jsonl", text, "auto")
    assert [one.document.text for one in records] == ["A man.", "Well."]
    assert records[0].quotes == {"Neuro": ("man",), "GI": ("man",)}
    assert "2 times" in records[0].notes[-1]
    assert [one.failed for one in left] == [False, True, True, False]
    assert ["'reject'" in left[0].reason, "'ignore'" in left[3].reason] == [True, True]
    assert ["Line 5" in left[1].reason, "Line 6" in left[2].reason] == [True, True]


def test_of_lines_with_one_text_each_is_heard_and_what_only_the_first_may_keep_is_said(
    tmp_path: Path,
) -> None:
    span = {"start": 2, "end": 9, "label": "GI"}
    first = line(text="A man.", spans=[], answer="accept", meta={"looked_at": ["Neuro"]}, relations=[1])
    others = (
        line(text="A man.", spans=[span], answer="accept", meta={"looked_at": ["GI"]}, relations=[1]),
        line(text="A man.", spans=[], answer="accept", relations=[2]),
    )
    for number, but in ((1, ""), (2, ", but of relations and the like those of the first alone are kept")):
        text = "".join((first, *others[:number]))
        ((record,), _) = read_text(tmp_path / "in.jsonl", text, "prodigy")
        assert (record.quotes or {}).keys() == {"Neuro", "GI"}
        assert record.rest["prodigy"]["relations"] == [1]
        assert "outside of the text" in record.notes[0]
        said = f"Its text is there {number + 1} times; what each says of it was put together{but}."
        assert record.notes[-1] == said


def test_prodigys_lines_without_tokens_are_recognised_and_a_broken_one_costs_itself(tmp_path: Path) -> None:
    spans = [{"start": 2, "end": 5, "label": "Neuro"}]
    lines = [line(text=f"A man {number}.", spans=spans) for number in range(5)]
    text = "".join([*lines[:3], '{"text": "broken\n', *lines[3:]])
    records, left = read_text(tmp_path / "in.jsonl", text, "auto")
    assert [one.quotes for one in records] == [{"Neuro": ("man",)}] * 5
    assert [one.reason[:6] for one in left] == ["Line 4"]


def test_prodigys_tokens_tile_the_text_and_spans_sit_on_their_edges(tmp_path: Path) -> None:
    text = "A man's  fever\u00a0😀 was high. "
    given = report(text, [("Neuro", 2, 2, "present", "", "", 0), ("GI", 9, 9, "present", "", "", 0)])
    write(tmp_path / "out.jsonl", "prodigy", [given])
    task = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))
    assert "".join(token["text"] + " " * token["ws"] for token in task["tokens"]) == text
    for span in task["spans"]:
        assert task["tokens"][span["token_start"]]["start"] == span["start"]
        assert task["tokens"][span["token_end"]]["end"] == span["end"]


def test_label_studio_counts_utf16_and_leaves_out_what_was_cancelled(tmp_path: Path) -> None:
    region = {"start": 3, "end": 6, "text": "other words", "labels": ["Neuro", "Mood"]}
    result = [
        {"id": "a", "from_name": "ner", "to_name": "body", "type": "labels", "value": region},
        {
            "id": "a",
            "from_name": "polarity",
            "to_name": "body",
            "type": "choices",
            "value": {"choices": ["negated"]},
        },
        {"from_id": "a", "to_id": "a", "type": "relation", "direction": "right"},
    ]
    task = {
        "id": 7,
        "data": {"body": "😀 man.", "other": "A man."},
        "annotations": [{"result": result}, {"was_cancelled": True, "result": result}],
    }
    (record,), left = read_text(tmp_path / "in.json", json.dumps([task, {"data": {}}]), "auto")
    assert record.quotes == {"Neuro": ("man",)}
    assert record.details["Neuro"][0].place == (2, 5)
    assert record.details["Neuro"][0].polarity == "negated"
    assert [span.label for span in record.spans or ()] == ["Mood"]
    assert "cancelled" in record.notes[0]
    assert [one.reason for one in left] == ['Task 2: there is no text in its "data".']


def test_label_studios_configuration_stands_beside_the_tasks_and_each_region_has_a_name(
    tmp_path: Path,
) -> None:
    given = report("A man.", [("A&B", 2, 3, "present", "", "", 0), ("Sign", 2, 3, "negated", "", "", 0)])
    # Of one region that had two labels.
    spans = tuple(replace(span, own={"label-studio": {"id": "x"}}) for span in given.spans)
    # Of a relation to a region that is gone nothing is written.
    relations = [{"from_id": "x", "to_id": name, "type": "relation"} for name in ("x-2", "gone")]
    rest = {"label-studio": {"relations": relations}}
    write(tmp_path / "out.json", "label-studio", [replace(given, spans=spans, rest=rest)])
    config = (tmp_path / "out.json.labels.xml").read_text(encoding="utf-8")
    assert '<Label value="A&amp;B"/>' in config
    (task,) = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    first, second, denied, relation = task["annotations"][0]["result"]
    assert relation == relations[0]
    assert f'name="{first["from_name"]}" toName="{first["to_name"]}"' in config
    assert first["id"] != second["id"] == denied["id"]


def test_doccano_is_read_in_each_of_its_shapes_and_entities_keep_their_numbers(tmp_path: Path) -> None:
    entities = [{"id": 2, "label": "Neuro", "start_offset": 3, "end_offset": 6}]
    relations = [{"id": 1, "from_id": 2, "to_id": 2, "type": "same"}]
    text = (
        line(id=1, text="😀 man.", label=[[3, 6, "Neuro"], [3, 99, "GI"]], Comments=["why?"])
        + line(id=2, text="😀 man!", entities=entities, relations=relations)
        + line(id=3, text="Well.", labels=[])
        + line(id=4, text="Well!", label=["a"])
    )
    records, left = read_text(tmp_path / "in.jsonl", text, "doccano")
    assert [one.details["Neuro"][0].place for one in records[:2]] == [(2, 5), (2, 5)]
    assert "outside of the text" in records[0].notes[-1]
    assert [one.reason[:6] for one in left] == ["Line 4"]
    record = records[1]
    span = record.details["Neuro"][0].span
    finding = Finding("Neuro", "man", 2, 5)
    given = ReportExport(
        record.document,
        "2",
        (
            ExportedAnnotation(finding, "imported", "A", span=span),
            ExportedAnnotation(replace(finding, start=2, end=6, quote="man!"), "human", "A"),
        ),
        ("Neuro",),
        (),
        record.rest,
    )
    write(tmp_path / "out.jsonl", "doccano", [given])
    again = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))
    new = {"id": 4, "label": "Neuro", "start_offset": 3, "end_offset": 7}
    assert (again["entities"], again["relations"]) == ([*entities, new], relations)
