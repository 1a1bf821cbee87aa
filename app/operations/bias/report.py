"""The section on bias as plain text, HTML, CSV and JSON, and whose work it may be asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.operations.bias.tables import KINDS, VERDICTS, bias_parts, bias_title
from app.operations.project.output import write_file
from app.operations.project.seeded_errors import planted_sets
from app.store.annotate.annotators import annotators
from app.tables import Table, csv_text, render, text_lines, wrapped
from extractors.model.errors import ProjectError

if TYPE_CHECKING:
    from app.agreement.statistics.contrast import Contrast, Score
    from app.agreement.statistics.tests_of_shares import Share
    from app.operations.bias.measures import Bias, JudgedRun, PlantedResult
    from app.store.project import Project

_WIDTH = 100
_COLUMNS = ("part", "set", "item", "group", "value", "low", "high", "n", "reason")
_Line = tuple[object, ...]


def bias_text(bias: Bias) -> str:
    """The section as plain text that can go into a methods paper."""
    lines = [bias_title(bias), "=" * len(bias_title(bias)), *_wrapped(bias.caveats)]
    for part in bias_parts(bias):
        lines += ["", part.title, "-" * len(part.title), *_wrapped(part.sentences)]
        if part.table is not None:
            lines += ["", *text_lines(part.table, rule=False)]
    return "\n".join(lines) + "\n"


def bias_html(bias: Bias) -> str:
    """The section as a page that needs nothing else."""
    title, parts = bias_title(bias), bias_parts(bias)
    return render("bias.html.j2", palette=(), title=title, caveats=bias.caveats, parts=parts)


def report_bias(bias: Bias, out: Path) -> None:
    """Write the page to `out`; raises StorageError or ProjectError where it is refused."""
    write_file(out, bias_html(bias))


def tabulate_bias(bias: Bias, out: Path) -> None:
    """Write every number as a row of CSV to `out`; raises as `report_bias`."""
    write_file(out, csv_text(Table(_COLUMNS, tuple(_lines(bias))), mark=True))


def bias_json(bias: Bias) -> dict[str, Any]:
    """The section as plain values: shares and scores 0-1 but for tsr (0-100), undefined ones None."""
    return {
        "annotator": bias.annotator,
        "run": bias.run or None,
        "against": bias.against or None,
        "remarks": list(bias.caveats),
        "blind_first": _share(bias.blind),
        "judged": [_judged(one) for one in bias.judged],
        "agreement_with_run": _contrast(bias.with_run),
        "agreement_with_reference": _contrast(bias.with_reference),
        "no_agreement": bias.no_contrast or None,
        "in_neither_group": bias.neither,
        "planted": [_planted(one) for one in bias.planted],
        "planted_accepted": bias.passed,
        "text": bias_text(bias),
    }


def _wrapped(sentences: tuple[str, ...]) -> list[str]:
    return [line for sentence in sentences for line in wrapped(sentence, width=_WIDTH)]


def _share(share: Share) -> dict[str, Any]:
    interval = list(share.interval) if share.interval else None
    return {"part": share.part, "n": share.n, "share": share.value, "interval": interval}


def _judged(one: JudgedRun) -> dict[str, Any]:
    return {
        "set": one.run,
        "reports": one.reports,
        "items": one.items,
        "accepted_unchanged": one.unchanged,
        "accepted_changed": one.changed,
        "edited": one.edited,
        "rejected": one.rejected,
        "accept_unchanged_rate": _share(one.accepted_unchanged),
        "seconds": {
            line.verdict or "all": {
                "n": line.n,
                "untimed": line.untimed,
                "median": line.median,
                "quartiles": None if line.low is None else [line.low, line.high],
            }
            for line in one.times
        },
    }


def _contrast(one: Contrast | None) -> dict[str, Any] | None:
    if one is None:
        return None
    measures = {
        row.measure: {
            "profile": row.profile,
            "shown": _score(row.first),
            "blind": _score(row.second),
            "difference": _score(row.difference),
        }
        for row in one.rows
    }
    return {"with": one.right, "reports_shown": one.first, "reports_blind": one.second, "measures": measures}


def _score(score: Score) -> dict[str, Any]:
    interval = list(score.interval) if score.interval else None
    return {"value": score.value, "interval": interval, "reason": score.reason or None}


def _planted(one: PlantedResult) -> dict[str, Any]:
    return {
        "set": one.planted_set,
        "copy_of": one.source or None,
        "kinds": {
            line.kind or "all": {
                **{key: getattr(line, key) for key in ("planted", "judged", "caught", "missed")},
                "detection_rate": _share(line.rate),
            }
            for line in one.lines
        },
        "others_judged": one.others,
        "others_edited_or_rejected": one.others_refused,
        "reports_with_source_shown": one.source_seen,
    }


def _lines(bias: Bias) -> Iterator[_Line]:
    yield from (("remark", "", "", "", "", "", "", "", caveat) for caveat in bias.caveats)
    yield _share_line("blind-first share", bias.annotator, "", "", bias.blind, "No report is done.")
    for one in bias.judged:
        counts = {"accepted, unchanged": one.unchanged, "accepted, changed since": one.changed}
        counts |= {"edited": one.edited, "rejected": one.rejected}
        for item, number in counts.items():
            yield "verdicts", one.run, item, "", number, "", "", one.items, ""
        yield _share_line("accept-unchanged rate", one.run, "", "", one.accepted_unchanged, "")
        for line in one.times:
            cells = ["" if value is None else value for value in (line.median, line.low, line.high)]
            none = "" if line.n else "No item was timed."
            yield "seconds per item", one.run, VERDICTS[line.verdict].lower(), "median", *cells, line.n, none
    for contrast in (bias.with_run, bias.with_reference):
        yield from _contrast_lines(contrast) if contrast is not None else ()
    if bias.no_contrast:
        yield "agreement", bias.against or bias.run, "", "", "", "", "", "", bias.no_contrast
    for result in bias.planted:
        for error in result.lines:
            name = KINDS[error.kind].lower()
            for group in ("planted", "caught", "missed"):
                number = getattr(error, group)
                yield "planted errors", result.planted_set, name, group, number, "", "", error.planted, ""
            yield _share_line("detection rate", result.planted_set, name, "", error.rate, "None was judged.")


def _contrast_lines(one: Contrast) -> Iterator[_Line]:
    for row in one.rows:
        groups = (("shown", row.first, one.first), ("blind", row.second, one.second))
        for group, score, number in (*groups, ("difference", row.difference, one.first + one.second)):
            value = "" if score.value is None else score.value
            numbers = value, *(score.interval or ("", "")), number
            reason = score.reason if number else "No report is in this group."
            yield "agreement", one.right, f"{row.measure}, {row.profile}", group, *numbers, reason


def _share_line(part: str, of: str, item: str, group: str, share: Share, reason: str) -> _Line:
    value = "" if share.value is None else share.value
    return part, of, item, group, value, *(share.interval or ("", "")), share.n, "" if share.n else reason


@dataclass(frozen=True, slots=True)
class BiasSets:
    """Names: people whose work can be measured, runs that may have helped, sets to be held against.

    `sources` are the runs that errors can be planted into copies of, `taken` all names there are.
    """

    people: tuple[str, ...]
    runs: tuple[str, ...]
    references: tuple[str, ...]
    sources: tuple[str, ...]
    taken: tuple[str, ...]


def list_bias_sets(project: Project) -> BiasSets:
    """What there is to choose from, gold first among the references."""
    known = annotators(project)
    people = tuple(one.name for one in known if one.kind == "person")
    runs = tuple(one.name for one in known if one.kind == "run")
    gold = tuple(one.name for one in known if one.kind == "gold")
    spoilt = planted_sets(project)
    sources = tuple(name for name in runs if name not in spoilt)
    return BiasSets(people, runs, (*gold, *people, *sources), sources, tuple(one.name for one in known))


def annotator_to_measure(project: Project) -> str:
    """The annotator to measure where nobody is named: the project's owner, else the only person.

    Raises ProjectError where that is nobody.
    """
    people = [one.name for one in annotators(project) if one.kind == "person"]
    if project.owner in people:
        return project.owner
    if len(people) != 1:
        raise ProjectError(f"Name the annotator to measure; there are {', '.join(people) or 'no people'}.")
    return people[0]
