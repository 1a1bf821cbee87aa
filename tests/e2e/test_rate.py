"""`casespan rate`: one output, a sheet, the means, and the files they are written to."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from tests.e2e.conftest import Casespan

REPORT, ONE = "PMC99000001", ("--run", "gold", "--document", "PMC99000001", "--rater", "Dr Ana Ruiz")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_an_output_is_rated_in_part_or_whole_and_the_means_are_shown(casespan: Casespan, study: Path) -> None:
    assert "Nobody has rated" in casespan("rate", study).out
    part = casespan(
        "rate", study, *ONE, "--score", "accuracy=4", "--score", "readability=5", "--note", "fair"
    )
    assert (part.code, part.err) == (0, "")
    assert "2 items, the others are left out: it counts as partial" in part.out
    second = casespan("rate", study, *ONE[:-1], "Ben", "--score", "accuracy=2", "--json")
    assert second.json["scores"] == {"accuracy": 2}
    table = casespan("rate", study).out
    assert "2 ratings by 2 raters, 0 of them blind, 2 with items left out." in table
    assert re.search(r"  by Ben +by Dr Ana Ruiz\n", table)
    assert re.search(r"\nAccuracy of key information .* 2\.00 +4\.00\n", table)
    assert "Critical omissions (5 = none)" in table
    means = casespan("rate", study, "--json").json
    assert means["runs"][0]["items"]["accuracy"]["mean"] == 3
    assert means["agreement"]["readability"]["alpha"] is None
    assert means["agreement"]["readability"]["reason"]
    assert casespan("rate", study, "--rater", "Ben", "--json").json["ratings"] == 1


def test_what_is_wrong_is_one_sentence_and_changes_nothing(casespan: Casespan, study: Path) -> None:
    for words, sentence in (
        ((*ONE, "--score", "accuracy=6"), "from 1 to 5, not 6"),
        ((*ONE, "--score", "accuracy"), "not of the form ITEM=N"),
        ((*ONE, "--score", "charm=2"), "no item 'charm'"),
        ((*ONE, "--score", "accuracy=2", "--score", "accuracy=3"), "'accuracy' twice"),
        (("--score", "accuracy=2"), "give --run, --document and --rater"),
        ((*ONE[:-1], "gold", "--score", "accuracy=2"), "a person who rates"),
        ((*ONE, "--score", "accuracy=2", "--csv", "x.csv"), "do not go together"),
        (("--blind",), "The means name the runs"),
        (("--template", "x.csv"), "give --rater"),
        (("--document", REPORT), "add --score"),
        (("--rater", "Nobody"), "'Nobody' has rated nothing"),
    ):
        outcome = casespan("rate", study, *words)
        assert outcome.code == 2, words
        assert sentence in outcome.err
        assert outcome.err.count("\n") == 1
    assert casespan("rate", study, "--json").json["ratings"] == 0


def test_a_rating_can_be_removed_and_undone(casespan: Casespan, study: Path) -> None:
    casespan("rate", study, *ONE, "--score", "accuracy=4")
    assert "was removed" in casespan("rate", study, *ONE, "--remove").out
    assert casespan("rate", study, "--json").json["ratings"] == 0
    assert f"remove the rating of an output of {REPORT}" in casespan("undo", study).out
    assert casespan("rate", study, "--json").json["ratings"] == 1


def test_a_blind_sheet_goes_out_and_comes_back(casespan: Casespan, study: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sets = ("--run", "gold", "--run", "annotator-1")
    written = casespan("rate", study, "--template", sheet, "--rater", "Cy", "--blind", *sets)
    assert "20 outputs to rate written" in written.out
    assert not {"gold", "annotator-1"} & {row["run"] for row in rows_of(sheet)}
    rows = rows_of(sheet)
    for row in rows[1:]:
        row["accuracy"] = "5"
    rows[3]["accuracy"] = "9"
    rewrite(sheet, rows)
    wrong = casespan("rate", study, "--from", sheet)
    assert wrong.code == 1
    assert "from 1 to 5, not 9" in wrong.err
    assert "Nothing was recorded" in wrong.err
    assert casespan("rate", study, "--json").json["ratings"] == 0
    rows[3]["accuracy"] = "1"
    rewrite(sheet, rows)
    assert "20 outputs rated, 20 of them in part." in casespan("rate", study, "--from", sheet).out
    means = casespan("rate", study, "--json").json
    assert {run["run"]: run["blind"] for run in means["runs"]} == {"gold": 10, "annotator-1": 10}
    assert casespan("check", study).code == 0


def rewrite(sheet: Path, rows: list[dict[str, str]]) -> None:
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_scores_are_written_as_csv_and_the_means_as_a_page(
    casespan: Casespan, study: Path, tmp_path: Path
) -> None:
    casespan("rate", study, *ONE, "--score", "accuracy=4", "--note", "=1+1")
    table, page = tmp_path / "scores.csv", tmp_path / "means.html"
    assert "1 rating written" in casespan("rate", study, "--csv", table).out
    (row,) = rows_of(table)
    assert (row["run"], row["item"], row["score"], row["note"]) == ("gold", "accuracy", "4", "'=1+1")
    assert casespan("rate", study, "--html", page).code == 0
    assert "Accuracy of key information" in page.read_text(encoding="utf-8")
    assert casespan("rate", study, "--csv", study).code == 2
