"""Tables of labels, and sheets of ratings, as people write them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from app.agreement.ratings.summary import OutputRating
from app.formats.labels import Meaning, label_map_text, read_label_map, resolved
from app.formats.record import Imported, Span
from app.formats.tabular.rating_csv import EmptyOutput, RatingRow, read_sheet, write_ratings, write_sheet
from extractors.model.document import Document
from extractors.model.errors import FormatError
from extractors.model.scheme import default_scheme

SCHEME = default_scheme()
(FIELD, *_) = SCHEME.category("Neuro").fields


def test_a_table_of_labels_comes_back_as_it_was_written(tmp_path: Path) -> None:
    known = {
        "Sign": Meaning("Neuro"),
        'A "b" \x7f=': Meaning("Neuro", FIELD),
        "No sign": Meaning("GI", "", "negated"),
        "Both": Meaning("Neuro", FIELD, "uncertain"),
        "Out": None,
    }
    path = tmp_path / "labels.toml"
    path.write_text(label_map_text(known), "utf-8")
    assert read_label_map(path, SCHEME) == known
    path.write_text('Sign = "Neuro"\n', "utf-8")
    assert read_label_map(path, SCHEME) == {"Sign": Meaning("Neuro")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x", "The table of labels"),
        ("labels = 1", "must be a table"),
        ("a = 1", "'a' must name a category, or a table with category, field and polarity."),
        ('a = { category = "GI", more = "x" }', "'a' must name a category"),
        ('a = "Brain"', "'a' is to be 'Brain'; categories are"),
        ('a = { category = "Neuro", field = "x" }', "'a' is to have the field 'x', which Neuro lacks."),
        ('a = { category = "Neuro", polarity = "no" }', "'a' is to be 'no'; polarities are present,"),
    ],
)
def test_a_table_that_says_nothing_possible_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "labels.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(FormatError) as refused:
        read_label_map(path, SCHEME)
    assert said in str(refused.value)


def test_spans_become_quotes_by_their_label_and_others_stay() -> None:
    def span(label: str, quote: str = "man", **more: object) -> Span:
        return Span(label, quote, (2, 5), **more)  # type: ignore[arg-type]

    spans = (
        span("Neuro", polarity="negated", note="n"),
        span("Sign"),
        span("Sign", polarity="uncertain", field="own"),
        span("GI", " "),
        span("Other"),
        span("Out", own={"brat": 1}),
        span("Sign", own={"brat": 1}),
    )
    labels = {"Sign": Meaning("GI", "f", "negated"), "Out": None, "Neuro": Meaning("Neuro")}
    given = Imported(Document("T", "A man.", ()), "s", "d", {"GI": ("was",)}, spans=spans)
    found = resolved(given, ("Neuro", "GI"), labels)
    assert found.quotes == {"Neuro": ("man",), "GI": ("was", "man", "man", "man")}
    told = [(one.place, one.polarity, one.field, one.note, one.span) for one in found.details["GI"]]
    assert told == [
        (None, None, "", "", None),
        ((2, 5), "negated", "f", "", None),
        ((2, 5), "uncertain", "own", "", None),
        ((2, 5), "negated", "f", "", spans[6]),
    ]
    assert [(one.polarity, one.note) for one in found.details["Neuro"]] == [("negated", "n")]
    assert found.spans == (spans[3], spans[4], spans[5])
    # What a table says of a label counts, be the label a category's own name.
    stays = resolved(
        Imported(Document("T", "A man.", ()), "s", "d", spans=(span("GI"),)), ("GI",), {"GI": None}
    )
    assert (stays.quotes, stays.spans) == (None, (span("GI"),))
    plain = Imported(Document("T", "A man.", ()), "s", "d", {"GI": ()})
    assert resolved(plain, ("GI",), {}) is plain


def test_ratings_are_a_row_for_each_item_in_the_order_of_the_scale_and_a_note_alone_is_one(
    tmp_path: Path,
) -> None:
    path = tmp_path / "r.csv"
    given = OutputRating("R1", "rules", "Ann", {"omissions": 2, "accuracy": 5}, "Why.", True, "2026-01-01")
    noted = OutputRating("R2", "rules", "Bob", {}, "Nothing to say.", False, "2026-01-02")
    write_ratings(path, [given, noted])
    ends = ["Why.", "yes", "no", "2026-01-01"]
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[1:] == [
        ["R1", "rules", "Ann", "accuracy", "Accuracy of key information", "5", *ends],
        ["R1", "rules", "Ann", "omissions", "Critical omissions (5 = none)", "2", *ends],
        ["R2", "rules", "Bob", "", "", "", "Nothing to say.", "no", "no", "2026-01-02"],
    ]
    write_sheet(path, "Ann", [EmptyOutput("R1", "T", "rules", "a; b")], {"accuracy": "How?"}, blind=True)
    with path.open(encoding="utf-8-sig", newline="") as file:
        head, asked, row = csv.reader(file)
    assert head == ["report", "title", "run", "rater", "blind", "quotes", "accuracy", "note"]
    assert (asked, row) == (
        ["", "", "", "", "", "", "How?", ""],
        ["R1", "T", "rules", "Ann", "yes", "a; b", "", ""],
    )
    assert read_sheet(path, ("accuracy",)) == [RatingRow(3, "R1", "rules", "Ann", {}, "", True)]


def test_a_sheet_of_ratings_is_read_whoever_divided_its_cells(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    row = RatingRow(2, "1", "rules", "Ann", {"accuracy": "4"}, "a, b", True)
    for text in (
        "report; run;rater;accuracy;other;note;blind\n1;rules;Ann; 4 ;;'a, b;Yes\n;q;;;;;\n",
        'report,run,rater,item,score,note,blind\n1,rules,Ann,accuracy,4,"a, b",yes\n',
    ):
        path.write_text(text.replace("'a", "a"), "utf-8")
        assert read_sheet(path, ("accuracy", "other")) == [row]
    path.write_text("report,run,accuracy,item\n1,rules,'=4\n", "utf-8")
    assert read_sheet(path, ("accuracy",)) == [RatingRow(2, "1", "rules", "", {"accuracy": "=4"}, "", None)]
    for text, said in (
        ("report,run,report,accuracy\n", "has the column 'report' twice"),
        ("report,run,,,accuracy\n1,r,,,4,5\n", "Line 2 has more cells than there are columns."),
        ("report,accuracy\n", "has no column 'run'"),
        ("report,run,item\n", "has no column of scores"),
        ('report,run,accuracy\n1,r,"4\n', "is no CSV"),
    ):
        path.write_text(text, "utf-8")
        with pytest.raises(FormatError) as refused:
            read_sheet(path, ("accuracy",))
        assert said in str(refused.value)
