"""`import casespan`: what docstrings and the guide's notebook show is what comes, and nothing is changed."""

from __future__ import annotations

import doctest
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import casespan
from app.cli import main
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.compare.agreement import measure_agreement
from app.operations.demo.job import add_case
from app.operations.demo.sample import build_sample
from app.operations.project.files import create_project
from app.store.project import Project
from extractors.model.progress import finished
from tests import notebooks
from tests.builders import ME, Kept, sample_reports

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "resources" / "guide" / "notebook.ipynb"
HEAVY = {"numpy", "pandas", "spacy", "sqlite3", "lxml", "PySide6", "argparse"}


def demo(path: Path) -> None:
    """What a demonstration leaves: the sample project with its annotators, gold, runs and the case."""
    finished(build_sample(path))
    finished(add_case(path))


@pytest.fixture
def study(kept: Kept, tmp_path: Path) -> Path:
    return kept.copy(demo, tmp_path / "study.casespan")


def test_what_the_docstrings_show_is_what_comes(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(study.parent)
    tried = 0
    with casespan.open(study) as project:
        names = {"casespan": casespan, "project": project}
        for example in doctest.DocTestFinder().find(casespan, globs=names):
            said: list[str] = []
            wrong = doctest.DocTestRunner(verbose=False).run(example, out=said.append)
            assert not wrong.failed, "".join(said)
            tried += bool(example.examples)
    assert tried == 9


def test_what_the_readme_shows_runs(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(study.parent)
    (source,) = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    names: dict[str, object] = {}
    exec(source, names)
    assert {"quotes", "scores", "found", "place", "agreed"} <= names.keys()


def test_the_notebook_of_the_guide_shows_what_comes(study: Path) -> None:
    (study.parent / "demo").mkdir()
    study.rename(study.parent / "demo" / "demo.casespan")
    cells = notebooks.read(NOTEBOOK)["cells"]
    said = [notebooks.shown(cell) for cell in cells if cell["cell_type"] == "code"]
    assert notebooks.run(cells, study.parent) == said, (
        f"python -m tests.notebooks {NOTEBOOK.name} writes it anew"
    )


def test_reading_changes_nothing_while_another_has_the_project_open(kept: Kept, tmp_path: Path) -> None:
    path = kept.copy(sample_reports, tmp_path / "study.casespan")
    before = hashlib.sha256(path.read_bytes()).digest(), sorted(tmp_path.iterdir())
    with casespan.open(path) as project:
        assert (len(project.reports()), len(project.quotes()), len(project.runs())) == (10, 0, 0)
    assert (hashlib.sha256(path.read_bytes()).digest(), sorted(tmp_path.iterdir())) == before
    with Project.open(path, write=True) as other, casespan.open(path) as project:
        report = project.reports().iloc[0]
        add_span(other, ME, SpanPlace(report["report"], 0, 8), "CVS")
        (quote,) = project.quotes(ME).to_dict("records")
        assert quote["quote"] == report["text"][quote["start"] : quote["end"]] == report["text"][:8]


def test_a_table_without_rows_has_the_columns_and_types_of_one_with_rows(study: Path, tmp_path: Path) -> None:
    empty = create_project(tmp_path / "empty.casespan")
    with casespan.open(study) as full, casespan.open(empty) as bare:
        for name in ("reports", "quotes", "runs"):
            filled, none = getattr(full, name)(), getattr(bare, name)()
            assert len(filled) > len(none) == 0
            assert filled.dtypes.to_dict() == none.dtypes.to_dict()


def test_decisions_name_what_was_decided_and_which_is_the_latest(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = ["--left", "annotator-1", "--right", "annotator-2"]
    assert main(["queue", str(study), *sides, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)[0]["differences"][0]["id"]
    for choice in ("left", "right"):
        assert main(["resolve", str(study), *sides, "--id", first, "--take", choice, "--by", ME]) == 0
    assert main(["gold", str(study), *sides, "--as", "both", "--by", ME]) == 0
    capsys.readouterr()
    assert main(["spans", str(study), "--annotator", "both", "--json"]) == 0
    with casespan.open(study) as project:
        found = project.decisions()
        quotes = project.quotes("both")
    # What stands in a category that is not decided yet is there, too.
    assert sorted(quotes["id"]) == sorted(one["uuid"] for one in json.loads(capsys.readouterr().out))
    assert set(found["decided_by"]) == {ME}
    assert set(found.loc[found["latest"], "choice"]) == {"right"}


def test_two_tables_agree_as_the_sides_of_a_project_do(study: Path) -> None:
    with casespan.open(study) as project:
        inside = project.scores("rules", "gold", profile="strict")
        outside = casespan.agree(project.quotes("rules"), project.quotes("gold"), profile="strict")
    names = ["left", "right"]
    assert outside.drop(columns=[*names, "reason"]).equals(inside.drop(columns=[*names, "reason"]))
    agreement = measure_agreement(study, "rules", "gold", "strict")
    pooled = inside[inside["level"] == "pooled"].set_index("measure")
    assert pooled["score"]["f1"] == agreement.pooled.scores["f1"]
    assert (pooled["low"]["f1"], pooled["high"]["f1"]) == agreement.pooled.intervals["f1"]


def test_what_is_found_in_a_text_stands_where_it_says() -> None:
    text = "Case report 😀\r\n\r\nShe had a fever of 39 °C 𝑨 and no cough.\r\nBlood pressure was 120/80 mmHg."
    found = casespan.extract(text)
    assert set(found["category"]) >= {"Vitals_Hema", "RESP"}
    places = zip(found["start"].tolist(), found["end"].tolist(), strict=True)
    assert [text[start:end] for start, end in places] == found["quote"].tolist()
    assert set(casespan.extract(text, ["RESP"])["category"]) == {"RESP"}
    place = casespan.ground("no  cough", text)
    assert (place.status, text[place.start : place.end]) == ("normalised", "no cough")


def test_sides_agree_on_all_reports_that_either_names_and_categories_that_are_looked_for() -> None:
    def row(report: str, quote: str, category: str = "GI", **more: object) -> dict[str, object]:
        return {"report": report, "category": category, "quote": quote, **more}

    left = [row("1", "pain", start=None), row("1", "cough", "RESP", start=3, end=8)]
    right = [row("2", "pain", polarity="negated"), row("1", "pain", polarity="negated")]
    found = casespan.agree(pd.DataFrame(left), pd.DataFrame(right), profile="strict")
    for level, names in (("report", ["1", "2"]), ("category", ["RESP", "GI"])):
        assert list(dict.fromkeys(found[found["level"] == level]["name"])) == names
    pooled = found[found["level"] == "pooled"].set_index("measure").loc["f1"]
    assert (pooled["support_left"], pooled["support"], pooled["n"]) == (2, 2, 4)
    narrow = casespan.agree(pd.DataFrame(left), pd.DataFrame(right), "strict", ["GI"])
    assert narrow[narrow["level"] == "pooled"]["support_left"].unique().tolist() == [1]


def test_what_goes_wrong_is_one_sentence(study: Path, tmp_path: Path) -> None:
    with pytest.raises(casespan.CasespanError, match="There is no project"):
        casespan.open(tmp_path / "none.casespan")
    with casespan.open(study) as project, pytest.raises(casespan.CasespanError, match="nobody"):
        project.quotes("nobody")
    with pytest.raises(casespan.CasespanError, match="left side has no quotes"):
        casespan.agree([{"words": "fever"}], ["fever"])  # type: ignore[list-item]
    with pytest.raises(casespan.CasespanError, match="category"):
        casespan.extract("Fever.", ["Fevers"])


def test_importing_it_loads_nothing_heavy() -> None:
    told = f"import sys, casespan; sys.exit(repr(sorted({HEAVY!r} & sys.modules.keys())))"
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "app" / "notebook")])}
    done = subprocess.run(
        [sys.executable, "-c", told], env=environ, capture_output=True, text=True, check=False
    )
    assert done.stderr.strip() == "[]"
