"""The scores of a study's runs, as JSON and as files."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from csv import reader as csv_rows
from csv import writer
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.formats.writing import write_atomically
from app.messages import under_licence
from app.operations.project.output import require_writable_name
from app.operations.study.answers import answered, learned_of, study_runs
from app.operations.study.items import built_details, counting_items, kept_items
from app.store.study.items import builds
from app.studies.charts import Picture, figure_table
from app.studies.charts import svg as drawn
from app.studies.pages import cases_of, charts, page, pairs_table, scores_table
from app.studies.raters import rater_alphas, rater_pairs
from app.studies.scoring import about_unscored, scoring_runs
from app.tables import Table, csv_text, records
from extractors.model.errors import CallError

if TYPE_CHECKING:
    from app.store.project import Project
    from app.studies.results import Interval, Pair, Profile, Row, RunScores, Score, Scores
    from app.studies.study import Figure, Study
    from extractors.model.progress import Progress


def scoring_study(
    project: Project,
    study: Study,
    names: Sequence[str] = (),
    labels: Sequence[str] = (),
    profile: Profile = "strict",
    settings: Mapping[str, Any] | None = None,
    *,
    tasks: Collection[str] = (),
    published: bool = False,
) -> Generator[Progress, None, Scores]:
    """Score the runs of a study, all or those named, also by the values of labels.

    Raises UnknownNameError for a run that is not there, CallError where there is none or nothing is labelled.
    """
    kept = counting_items(project, study, tasks)
    for label in labels:
        if not any(one.item.values(label) for one in kept):
            raise CallError(f"No item of {study.id} has the label {label!r}; choose another for --by.")
    found = study_runs(project, study, names)
    if not found:
        raise CallError(f"{study.id} has no run to score yet; make one with casespan study run.")
    rows = {run.name: [one.row for one in answered(project, study, run, kept)] for run in found}
    every = kept_items(project, study)
    # What scoring says takes the place of what the run said, where it says anything.
    own = {key: value for key, value in (settings or {}).items() if value is not None}
    own |= {**learned_of(project, study, every), "built": built_details(project, study)}
    of_runs = {
        run.name: {
            **(settings or {}),
            **run.settings.get("settings", {}),
            "model": run.settings.get("method") or run.settings.get("model"),
            "kind": run.kind,
            **own,
        }
        for run in found
    }
    there = {label for label in study.by if any(one.item.values(label) for one in kept)}
    labels = [*labels, *(label for label in study.by if label in there and label not in labels)]
    items = [one.item for one in every]
    made = yield from scoring_runs(study, rows, labels, profile, of_runs, published=published, items=items)
    return replace(made, built=[one.summary for one in builds(project, study.id)])


def page_labels(project: Project, study: Study) -> list[str]:
    """The labels by which a page or pictures of the study show the scores, as far as items have them."""
    kept = kept_items(project, study)
    return [label for label in study.page_by if any(one.item.values(label) for one in kept)]


def scores_json(study: Study, scores: Scores) -> dict[str, Any]:
    """Everything as scripts want it."""
    cells = {
        "study": study.id,
        "profile": scores.profile,
        "runs": {
            name: {**_run_json(own), **_alpha(study, scores.rows[name])} for name, own in scores.runs.items()
        },
        "by": {
            label: {
                value: {name: _run_json(own) for name, own in runs.items()} for value, runs in values.items()
            }
            for label, values in scores.by.items()
        },
        "pairs": [
            *(_pair_json(pair) for pair in scores.pairs),
            *rater_pairs(study, scores.rows),
        ],
        "tables": {
            number: {
                "title": table.title,
                "columns": [column.key or column.title for column in table.heads],
                "rows": [list(row.values()) for row in records(table)],
            }
            for number, table in tables_of(study, scores).items()
        },
        "notes": notes_of(study, scores),
    }
    return study.finish(cells, scores)


def tables_of(study: Study, scores: Scores) -> dict[str, Table[Any]]:
    """The paper's tables by their numbers, as far as there is anything to show in them."""
    made = {table.number: (table.title, table.make(scores)) for table in study.tables}
    return {number: replace(one, title=title) for number, (title, one) in made.items() if one is not None}


def notes_of(study: Study, scores: Scores) -> list[str]:
    """What must be said beside the numbers."""
    unscored = [about_unscored(study, name, own) for name, own in scores.runs.items()]
    return [*filter(None, unscored), *study.caveats(scores)]


def write_scores(
    study: Study, scores: Scores, csv: Path | None, html: Path | None, svg: Path | None
) -> list[Path]:
    """Write the scores as CSV into a folder, as a page, as charts into a folder; the files written."""
    tables = tables_of(study, scores)
    figures = _figures(study, scores) if csv or svg or html else {}
    files: dict[Path, str] = {}
    if csv is not None:
        files |= {csv / name: csv_text(table) for name, table in _sheets(scores, tables).items()}
        for one, picture in figures.items():
            files[csv / f"figure-{one.number}.csv"] = csv_text(figure_table(one.title, picture))
    if svg is not None:
        files |= {svg / f"{name}.svg": text for name, text in charts(scores).items()}
        for one, picture in figures.items():
            files[svg / f"figure-{one.number}.svg"] = drawn(_titled(one), picture)
    if html is not None:
        shown = {_titled(one): (drawn(one.title, picture), picture.about) for one, picture in figures.items()}
        notes = notes_of(study, scores)
        files[html] = page(
            study.title, scores, tables, notes, shown, study.lead(scores), cases_of(study, scores)
        )
    for folder in filter(None, (csv, svg)):
        folder.mkdir(parents=True, exist_ok=True)
    if study.guard:
        licence = under_licence(study.guard)
        files = {path: _marked(path, text, licence) for path, text in files.items()}
        about = "\n".join((licence, *study.caveats(scores)))
        files |= {folder / "LICENCE.txt": f"{about}\n" for folder in (csv, svg) if folder is not None}
    for path, text in files.items():
        require_writable_name(path)
        write_atomically(path, text)
    return list(files)


def _marked(path: Path, text: str, licence: str) -> str:
    """A file that says under which licence its numbers are: a table in a column of its own."""
    if path.suffix == ".svg":
        return text.replace(">\n", f">\n<desc>{licence}</desc>\n", 1)
    if path.suffix != ".csv":
        return text
    head, *rows = csv_rows(StringIO(text, newline=""))
    out = StringIO(newline="")
    writer(out, lineterminator="\n").writerows([[*head, "licence"], *([*row, licence] for row in rows)])
    return out.getvalue()


def _sheets(scores: Scores, tables: Mapping[str, Table[Any]]) -> dict[str, Table[Any]]:
    """Every table by the name of its file."""
    sheets = {"runs.csv": scores_table(scores)}
    sheets |= {f"by-{label}.csv": scores_table(scores, label) for label in scores.by}
    sheets |= {f"table-{number.replace(' ', '-')}.csv": table for number, table in tables.items()}
    differences = pairs_table(scores)
    return sheets if differences is None else {**sheets, "differences.csv": differences}


def _figures(study: Study, scores: Scores) -> dict[Figure, Picture]:
    made = {one: one.make(scores) for one in study.figures}
    return {one: picture for one, picture in made.items() if picture is not None}


def _titled(figure: Figure) -> str:
    return f"Figure {figure.number}. {figure.title}"


def _run_json(own: RunScores) -> dict[str, Any]:
    scores = own.scores
    reasons = {name: score.reason for name, score in scores.items() if score.value is None}
    numbers = {name: score.n for name, score in scores.items() if score.n is not None}
    return {
        "n": own.n,
        "unscored": own.unscored,
        **{name: score.value for name, score in scores.items()},
        "ci": {name: _interval(score.interval) for name, score in scores.items()},
        **({"why": reasons} if reasons else {}),
        **({"n_of": numbers} if numbers else {}),
        "raters": {
            name: {
                "score": one.score,
                "n": one.n,
                "unscored": one.unscored,
                "ci": _interval(one.interval),
            }
            for name, one in own.raters.items()
        },
    }


def _alpha(study: Study, rows: Sequence[Row]) -> dict[str, Any]:
    found = rater_alphas(study, rows)
    return {"alpha": found} if found else {}


def _pair_json(pair: Pair) -> dict[str, Any]:
    return {
        "left": pair.left,
        "right": pair.right,
        "label": pair.label or None,
        "value": pair.value or None,
        "n": pair.n,
        "differences": {name: _difference(one) for name, one in pair.differences.items()},
        **({"raters": {name: _difference(one) for name, one in pair.raters.items()}} if pair.raters else {}),
        **pair.statistics,
    }


def _difference(score: Score) -> dict[str, Any]:
    values: dict[str, Any] = {"why": score.reason} if score.value is None else {}
    values |= {} if score.n is None else {"n": score.n}
    return {"value": score.value, "ci": _interval(score.interval), **values}


def _interval(interval: Interval) -> list[float] | None:
    return list(interval) if interval else None
