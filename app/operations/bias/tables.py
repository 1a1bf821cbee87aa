"""The section on bias in words and small tables, the same for terminal, page and window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from app import tables
from app.agreement.compare import RESAMPLES
from app.agreement.measures import BY_KEY, Measure
from app.agreement.statistics.intervals import LEAST_REPORTS
from app.tables import DASH, footnote
from app.text import counted, shortened

if TYPE_CHECKING:
    from app.agreement.statistics.contrast import Contrast, ContrastRow, Score
    from app.agreement.statistics.tests_of_shares import Share
    from app.operations.bias.measures import Bias, JudgedRun, PlantedResult, Timing
    from app.operations.bias.seeding import PlantedSummary
    from app.operations.project.seeded_errors import PlantedAccepted

VERDICTS = {"accepted": "Accepted", "edited": "Edited", "rejected": "Rejected", "": "All"}
KINDS = {
    "spurious": "Spurious span",
    "label": "Wrong category",
    "boundary": "Wrong edges",
    "polarity": "Wrong polarity",
    "": "All",
}


# The first column holds words, the others numbers, all of them as texts.
Table: TypeAlias = tables.Table[str]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the section: sentences, and the table below them, if any."""

    title: str
    sentences: tuple[str, ...]
    table: Table | None = None

    @property
    def titled(self) -> Table | None:
        """The table with the title of the piece, and no line breaks within percentages."""
        if self.table is None:
            return None
        rows = tuple(tuple(cell.replace(" %", "\u00a0%") for cell in row) for row in self.table.rows)
        return replace(self.table, rows=rows, title=self.title)


def bias_title(bias: Bias) -> str:
    """What the section is called."""
    return f"Automation bias of {bias.annotator}"


def bias_parts(bias: Bias) -> tuple[Part, ...]:
    """The whole section; an undefined number is a dash, and a sentence says why."""
    return (
        _blind(bias),
        _judged(bias),
        *((_times(bias),) if bias.judged else ()),
        *_agreement(bias),
        *_planted(bias),
        Part("Limits", tuple(_limits(bias))),
    )


def percent(share: Share) -> str:
    """A share in percent, a dash where it is undefined."""
    return DASH if share.value is None else f"{share.value:.1%}".replace("%", " %")


def percent_range(share: Share) -> str:
    """A share in percent with its interval."""
    if share.interval is None:
        return DASH
    low, high = (100 * bound for bound in share.interval)
    return f"{percent(share)} ({low:.1f} to {high:.1f})"


def describe_planting(summary: PlantedSummary) -> list[str]:
    """What was planted, for whoever planted it; reviewers ought not to read it."""
    kinds = ", ".join(f"{number} {kind}" for kind, number in summary.planted.items())
    parts = [
        f"{summary.annotator}: a copy of {summary.run} with {counted(summary.spans, 'span')}, "
        f"{summary.errors} of them wrong on purpose ({kinds}; seed {summary.seed})."
    ]
    if summary.errors < summary.wanted:
        parts.append(f"{summary.wanted} were wanted; no more can be made without their standing out.")
    return parts


def describe_removal(annotator: str, removed: Sequence[PlantedAccepted]) -> list[str]:
    """What was taken out of an annotator's set as planted errors."""
    if not removed:
        return [f"No planted error stands in the set of {annotator}; nothing was removed."]
    parts = [f"{counted(len(removed), 'span')} of planted errors removed from the set of {annotator}."]
    return parts + [f"{one.report}, {one.category}: {shortened(one.quote, 60)!r}" for one in removed]


def _blind(bias: Bias) -> Part:
    share = bias.blind
    title = "Blind first"
    if not share.n:
        return Part(title, (f"{bias.annotator} has done no report; there is no blind-first share.",))
    words = (
        f"{bias.annotator} has done {counted(share.n, 'report')}, {share.part} of them blind: "
        f"{percent(share)} {_interval_words(share)}. Blind is a report in which no spans of others were "
        "shown before it was done, and nothing was changed after they were."
    )
    return Part(title, (words,))


def _interval_words(share: Share) -> str:
    low, high = (100 * bound for bound in share.interval or (0.0, 0.0))
    return f"(95 % interval {low:.1f} to {high:.1f} %)"


def _judged(bias: Bias) -> Part:
    title = "Verdicts on the suggestions"
    if not bias.judged:
        of = f"of {bias.run}" if bias.run else "of a run"
        return Part(title, (f"{bias.annotator} has judged no item {of}; there is no accept-unchanged rate.",))
    parts = [_judged_words(one) for one in bias.judged]
    rows = (
        ("Reports", *(str(one.reports) for one in bias.judged)),
        ("Judged items", *(str(one.items) for one in bias.judged)),
        ("Accepted, unchanged", *(str(one.unchanged) for one in bias.judged)),
        ("Accepted, changed since", *(str(one.changed) for one in bias.judged)),
        ("Edited", *(str(one.edited) for one in bias.judged)),
        ("Rejected", *(str(one.rejected) for one in bias.judged)),
        ("Accept-unchanged rate (95 %)", *(percent_range(one.accepted_unchanged) for one in bias.judged)),
    )
    header = ("Suggestions of", *(one.run for one in bias.judged))
    return Part(title, tuple(parts), Table(header, rows))


def _judged_words(one: JudgedRun) -> str:
    rate = one.accepted_unchanged
    return (
        f"Of {counted(one.items, 'judged item')} of {one.run} in {counted(one.reports, 'report')}, "
        f"{one.unchanged} were accepted and are unchanged: {percent(rate)} {_interval_words(rate)}."
    )


def _times(bias: Bias) -> Part:
    rows: list[tuple[str, ...]] = []
    words: list[str] = []
    for one in bias.judged:
        total = one.times[-1]
        if total.n:
            rows += [_time_row(one.run, line) for line in one.times]
        else:
            words.append(f"No item of {one.run} was timed.")
    if rows:
        words.insert(0, "Seconds from an item's being shown to its verdict: median, and the middle half.")
    table = Table(("Set, verdict", "Timed", "Not timed", "Median (s)", "Middle half (s)"), tuple(rows))
    return Part("Time per item", tuple(words), table if rows else None)


def _time_row(run: str, line: Timing) -> tuple[str, ...]:
    middle = DASH if line.low is None or line.high is None else f"{line.low:.1f} to {line.high:.1f}"
    median = DASH if line.median is None else f"{line.median:.1f}"
    return f"{run}, {VERDICTS[line.verdict].lower()}", str(line.n), str(line.untimed), median, middle


def _agreement(bias: Bias) -> list[Part]:
    parts = [_contrast_part(one, bias.run) for one in (bias.with_run, bias.with_reference) if one is not None]
    if bias.no_contrast:
        other = bias.against if bias.with_run is not None else bias.run
        title = f"Agreement with {other}" if other else "Agreement with and without suggestions"
        parts.append(Part(title, (bias.no_contrast,)))
    return parts


def _contrast_part(one: Contrast, run: str) -> Part:
    title = f"Agreement with {one.right}"
    missing = _missing_group(one, run)
    groups = (
        f"{one.left} against {one.right}: {counted(one.first, 'report')} done with the spans of {run} shown, "
        f"{counted(one.second, 'report')} done blind."
    )
    if not one.first and not one.second:
        return Part(title, (missing,))
    notes: list[str] = []
    rows = tuple(_contrast_row(row, one, notes) for row in one.rows)
    header = ("Measure", f"Shown (n = {one.first})", f"Blind (n = {one.second})", "Difference")
    parts = [groups, *([missing] if missing else [])]
    parts += [f"[{number}] {note}" for number, note in enumerate(notes, 1)]
    if not any(row.difference.interval for row in one.rows) and not missing:
        parts.append(f"There are no intervals of the differences: they need {LEAST_REPORTS} reports in each.")
    return Part(title, tuple(parts), Table(header, rows))


def _missing_group(one: Contrast, run: str) -> str:
    if not one.first and not one.second:
        return (
            f"No report that {one.right} annotated was done either with the spans of {run} shown or blind; "
            "there is nothing to compare."
        )
    if not one.first:
        return f"No report was done with the spans of {run} shown; there is nothing to compare."
    return "" if one.second else "No report was done blind; there is nothing to compare."


def _contrast_row(row: ContrastRow, of: Contrast, notes: list[str]) -> tuple[str, ...]:
    measure = BY_KEY[row.measure]
    # The profile matters where it does something of its own.
    name = f"{measure.name}, {row.profile}" if measure.strict else measure.name
    return (
        name,
        _score(row.first, measure, notes if of.first else None),
        _score(row.second, measure, notes if of.second else None),
        _score(row.difference, measure, None, signed=True),
    )


def _score(score: Score, measure: Measure, notes: list[str] | None, *, signed: bool = False) -> str:
    """The score with its interval; of an undefined one the number of its note, where notes are taken."""
    if score.value is None:
        if notes is None:
            return DASH
        return f"{DASH} [{footnote(score.reason, notes)}]"
    sign = "+" if signed else ""
    numbers = [
        f"{number:{sign}z.{measure.decimals}f}".replace("-", "−")
        for number in (score.value, *(score.interval or ()))
    ]
    return numbers[0] if len(numbers) == 1 else f"{numbers[0]} ({numbers[1]} to {numbers[2]})"


def _planted(bias: Bias) -> list[Part]:
    if not bias.planted:
        return [Part("Planted errors", ("No errors were planted to see whether they are found.",))]
    parts = [_planted_part(bias.annotator, one) for one in bias.planted]
    if bias.passed:
        spans = counted(bias.passed, "span has", "spans have")
        words = f"In the set of {bias.annotator} {spans} a planted error; remove them before the set is used."
        parts.append(Part("Planted errors that were let through", (words,)))
    return parts


def _planted_part(annotator: str, one: PlantedResult) -> Part:
    total, title = one.lines[-1], f"Planted errors in {one.planted_set}"
    of = f", a copy of {one.source}" if one.source else ""
    parts = [f"{one.planted_set}{of}, holds {counted(total.planted, 'planted error')}."]
    if not total.judged:
        parts.append(f"{annotator} has judged none of them; there is no detection rate.")
        return Part(title, tuple(parts))
    parts.append(
        f"{annotator} judged {total.judged} of them and caught {total.caught}: {percent(total.rate)} "
        f"{_interval_words(total.rate)}. Caught is what was rejected, changed so that the error is gone, or "
        "taken out later."
    )
    if one.others:
        parts.append(
            f"Of {counted(one.others, 'other judged item')} of the set, {one.others_refused} were edited or "
            "rejected, rightly or not."
        )
    if one.source_seen:
        seen = counted(one.source_seen, "of these reports", "of these reports")
        parts.append(f"In {seen} {annotator} had the unspoilt spans of {one.source} shown as well.")
    rows = tuple(
        (KINDS[line.kind], str(line.planted), str(line.judged), str(line.caught), str(line.missed),
         percent_range(line.rate))
        for line in one.lines
    )  # fmt: skip
    header = ("Error", "Planted", "Judged", "Caught", "Missed", "Detection rate (95 %)")
    return Part(title, tuple(parts), Table(header, rows))


def _limits(bias: Bias) -> Sequence[str]:
    parts = []
    if bias.with_run is not None:
        parts.append(
            "The comparison is not randomised: who looks chooses where, and reports done with spans shown "
            "may be harder, easier, earlier or later than those done blind. A difference need not be an "
            "effect of what was shown."
        )
        parts.append(
            "Scores take all reports and categories of a group together. Their 95 % intervals are bootstraps "
            f"over reports ({RESAMPLES} resamples, both groups apart), given from {LEAST_REPORTS} reports on."
        )
    if bias.neither:
        parts.append(
            f"{counted(bias.neither, 'done report')} {'is' if bias.neither == 1 else 'are'} in neither "
            f"group: others' spans were shown there, but not those of {bias.run}."
        )
    if bias.with_reference is not None:
        parts.append(
            f"Where {bias.against} was made from spans that {bias.annotator} had seen or made, agreement "
            "with it is no independent sign of truth."
        )
    parts.append(
        "Intervals of shares are Wilson's and treat items as independent; items of one "
        "report are alike, so that the true intervals are wider."
    )
    if bias.planted:
        parts.append(
            "Planted errors are made by a program where nobody had marked the same; a few may be right all "
            "the same, and real errors of models may be easier or harder to see."
        )
    return parts
