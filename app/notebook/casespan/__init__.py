"""Casespan from a notebook: projects as pandas DataFrames, and extraction, grounding, agreement without one.

    import casespan

    with casespan.open("study.casespan") as project:
        quotes = project.quotes()
        scores = project.scores("Dr Ana Ruiz", "gold")

A project is opened read only: nothing here changes it, and another process may have it open. Whatever is told
by places counts Unicode code points from 0, start included and end excluded: `text[start:end]` is the quote's
own stretch. Times are UTC. What goes wrong is a `CasespanError`, one sentence that says what to do.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from app import __version__
from extractors.model.errors import CasespanError
from extractors.model.finding import Grounding

if TYPE_CHECKING:
    from types import TracebackType

    import pandas as pd

    from app.agreement.types import Agreement, Item, ReportPair, Row
    from app.store.project import Project as _Opened
    from extractors.rules import RulesExtractor

__all__ = [
    "CasespanError",
    "Grounding",
    "Profile",
    "Project",
    "Quotes",
    "__version__",
    "agree",
    "extract",
    "ground",
    "open",
]

Profile: TypeAlias = Literal["paper", "strict"]
"""How agreement is measured: the published formulas, or one-to-one matching with intervals."""

Quotes: TypeAlias = "pd.DataFrame | Mapping[str, Iterable[str]] | Iterable[str]"
"""One side of `agree`: a table as `extract` and `Project.quotes` give it, quotes by category, bare quotes."""

_EXTRACTED = ("category", "field", "quote", "start", "end", "polarity")
_SCORE = (
    *("left", "right", "profile", "level", "name", "measure", "score", "low", "high"),
    *("n", "support_left", "support", "reason"),
)
_TYPES: dict[str, str] = {
    **dict.fromkeys(("start", "end", "characters", "sections", "calls", "calls_done", "held"), "Int64"),
    **dict.fromkeys(("n", "support_left", "support"), "Int64"),
    **dict.fromkeys(("confidence", "seconds", "score", "low", "high"), "float64"),
    **dict.fromkeys(("settings", "quotes"), "object"),
    "latest": "bool",
}
_TIMES = ("added_at", "created_at", "started_at", "finished_at", "decided_at")


def open(path: str | os.PathLike[str], *, passphrase: str | None = None) -> Project:
    """The project file at `path`, read only; an encrypted one by its `passphrase`.

    The file is never changed: one of an older version is migrated in memory. Close it, or use it in a `with`
    block; until then each call reads what is in the file by then.

    Raises CasespanError where there is no project, where it is damaged, or newer than this program.

    >>> with casespan.open("study.casespan") as project:
    ...     len(project.reports())
    10
    """
    from app.operations.project.encryption import passphrases
    from app.operations.project.opening import open_project

    with passphrases([passphrase] if passphrase else []):
        return Project(open_project(Path(path), write=False, unchanged=True))


class Project:
    """A project file as tables; made by `casespan.open`, to be used in the thread that opened it.

    `path` is the file, `categories` the ids of its scheme in their order. Every method returns a new
    DataFrame with the columns named there, also where it has no rows, and raises CasespanError where the file
    is damaged.
    """

    def __init__(self, opened: _Opened) -> None:
        self._project = opened
        self.path = opened.path
        self.categories: tuple[str, ...] = tuple(opened.scheme.ids)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"casespan.open({str(self.path)!r})"

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        self._project.close()

    def reports(self) -> pd.DataFrame:
        """A row for each report, in the order of their import.

        Columns: report (its short name, unique), title, text, characters (of the text, code points),
        sections (how many), source (the file), pmcid, pmid, doi, journal, date, licence ("" where the report
        has none), added_at (UTC), id (UUID).

        >>> project.reports()[["report", "characters"]].head(2).values.tolist()
        [['PMC99000001', 5611], ['PMC99000002', 4942]]
        """
        from app.operations.exchange.rows import REPORT, report_rows

        return _table(report_rows(self._project), REPORT)

    def quotes(self, annotator: str | None = None) -> pd.DataFrame:
        """A row for each quote of each annotator, or of one of that name: by report, annotator and category.

        Columns: report, annotator, kind ("person", "gold", "run"), category, field ("" where unknown), quote
        (as it was given), start and end (code points of the report's text; missing where the quote has no
        place), polarity ("present", "negated", "uncertain"), grounding ("exact", "normalised", "fuzzy",
        "conflict", "ungrounded"), origin ("human", "accepted", "edited", "imported", "model"), concepts
        (codes, parted by a space), note, created_at (UTC), id (UUID). Spans that hold an HPO term and no
        category are not among them.

        >>> gold = project.quotes("gold")
        >>> len(gold), sorted(gold["polarity"].unique())
        (474, ['negated', 'present', 'uncertain'])

        Raises CasespanError for an annotator that is not there.
        """
        from app.operations.exchange.rows import QUOTE, quote_rows

        return _table(quote_rows(self._project, annotator), QUOTE)

    def runs(self) -> pd.DataFrame:
        """A row for each run of the rules, a model, a built-in method or a person, the earliest first.

        Columns: annotator (the name its quotes stand under), kind ("rules", "model", "method", "person"),
        name, state ("running", "done", "cancelled", "failed"), started_at and finished_at (UTC; missing while
        it runs), software (the program's version), calls (of a model), calls_done (those answered in full),
        held (how many quotes it holds), settings (a dictionary: model digest, strategy, options, seed), id
        (UUID).

        >>> project.runs()["annotator"].tolist()[:2]
        ['rules', 'invented-replies/ucp/few-shot']
        """
        from app.operations.exchange.rows import RUN, run_rows

        return _table(run_rows(self._project), RUN)

    def decisions(self) -> pd.DataFrame:
        """A row for each decision on a difference between two annotators, in the order they were taken.

        Columns: report, category, kind (of the difference), left and right (the annotators), choice, quotes
        (a list: what was decided to hold), reason (a code), note, clause (of the guideline), confidence (0 to
        1, missing where not given), decided_by, decided_at (UTC), seconds (how long it took; missing where
        not measured), difference (its name), latest (no later decision on the same difference), id (UUID).

        >>> project.decisions()["choice"].value_counts().to_dict()
        {}
        """
        from app.operations.exchange.rows import DECISION, decision_rows

        return _table(decision_rows(self._project), DECISION)

    def scores(self, left: str, right: str, profile: Profile = "paper") -> pd.DataFrame:
        """Agreement of two annotators over the reports that both looked at, one score a row.

        `left` is the prediction, or the first annotator; `right` the reference. Columns: left, right,
        profile, level ("category", "report", "average", "pooled"), name (the category's id or the report's
        short name, "" for average and pooled), measure, score, low and high (the 95 % bootstrap interval), n
        (pairs of report and category that both looked at), support_left and support (quotes of left and
        right), reason. "tsr" runs from 0 to 100, "omission" and "hallucination" are percent, all other scores
        0 to 1. A score that is undefined is missing, and `reason` says why in a sentence; intervals are
        missing for single reports, and everywhere below five reports.

        >>> scores = project.scores("rules", "gold")
        >>> average = scores[scores["level"] == "average"].set_index("measure")["score"]
        >>> bool(average["tsr"] > 80)
        True

        Raises CasespanError for an annotator or profile that is not there, and where both looked at no
        report.
        """
        from app.operations.compare.agreement import measure_agreement

        return _scores(measure_agreement(self._project, left, right, profile))


def extract(text: str, categories: Sequence[str] | None = None) -> pd.DataFrame:
    """What the built-in rules find in the text of a case report, in text order.

    Headings are found as in a text file that is imported: what is literature or discussion is left alone.
    Columns: category, field ("" where unknown), quote, start, end (code points of `text`), polarity
    ("present", "negated", "uncertain"). `categories` (ids) narrows it down.

    >>> found = casespan.extract("He had a fever of 39 °C and no cough.")
    >>> found[["category", "quote", "polarity"]].values.tolist()
    [['Vitals_Hema', 'a fever of 39 °C', 'present'], ['RESP', 'no cough', 'negated']]

    Raises CasespanError for a category that there is not.
    """
    from dataclasses import asdict

    from app.formats.documents.text import text_document
    from extractors.model.scheme import default_scheme

    scheme = default_scheme()
    wanted = scheme.ids if categories is None else [scheme.category(one).id for one in categories]
    found = _rules().extract(text_document(text, "", scheme.ids))
    return _table((asdict(one) for one in found if one.category in wanted), _EXTRACTED)


def ground(quote: str, text: str) -> Grounding:
    """Where a quote stands in a text, word for word or nearly so.

    `status` is "exact", "normalised" (but for case, white space, typography), "fuzzy", "conflict" (a number,
    side or negation differs) or "ungrounded"; `start` and `end` are code points of `text`, None in the last
    two; `score` is the similarity from 0 to 100; `places` lists all equally good places where there are
    several; `reason` says in a sentence what is not exact; `candidate` is the best place that was rejected.

    >>> found = casespan.ground("Fever  of 39 °C", "He had a fever of 39 °C.")
    >>> found.status, found.start, found.end
    ('normalised', 9, 23)
    """
    from extractors.grounding.grounder import Grounder

    return Grounder(text).ground(quote)


def agree(
    left: Quotes, right: Quotes, profile: Profile = "paper", categories: Sequence[str] | None = None
) -> pd.DataFrame:
    """Agreement of two sets of quotes, one score a row; columns and units are those of `Project.scores`.

    Each side is a table with the column quote, and where there are any, report, category, start, end,
    polarity and field; or quotes by category; or bare quotes. Both sides are held to have looked for every
    category that either names, or for those of `categories`, in every report that either names: where one is
    silent, it found nothing. Measures on spans need start and end of every quote.

    >>> scores = casespan.agree(["fever of 39 °C"], ["fever of 39 °C", "cough"], profile="strict")
    >>> pooled = scores[scores["level"] == "pooled"].set_index("measure")["score"]
    >>> float(pooled["f1"].round(2)), float(pooled["recall"])
    (0.67, 0.5)

    Raises CasespanError for another profile, and for a table without the column quote.
    """
    from app.agreement.compare import compare
    from extractors.model.scheme import default_scheme

    ours, theirs = _sides(left, "left"), _sides(right, "right")
    named = dict.fromkeys(
        category for side in (ours, theirs) for given in side.values() for category in given
    )
    order = {category: place for place, category in enumerate(default_scheme().ids)}
    looked = tuple(categories or sorted(named, key=lambda one: order.get(one, len(order))))
    pairs = [_pair(key, ours.get(key, {}), theirs.get(key, {}), looked) for key in {**ours, **theirs}]
    return _scores(compare(pairs, looked, "left", "right", profile))


_Cells: TypeAlias = "dict[str, dict[str, list[Item]]]"


def _sides(given: Quotes, side: str) -> _Cells:
    """A side's quotes by report and category."""
    from app.agreement.types import Item
    from extractors.model.errors import CallError

    cells: _Cells = {}
    for row in _rows(given):
        if not isinstance(row.get("quote"), str):
            raise CallError(f"The {side} side has no quotes: give it a column “quote” with texts.")
        start, end = _number(row.get("start")), _number(row.get("end"))
        item = Item(row["quote"], start, end, row.get("polarity") or "present", row.get("field") or "")
        of_report = cells.setdefault(str(row.get("report", "")), {})
        of_report.setdefault(str(row.get("category", "")), []).append(item)
    return cells


def _rows(given: Quotes) -> Iterator[Mapping[Any, Any]]:
    if hasattr(given, "to_dict"):
        yield from given.to_dict("records")
    elif isinstance(given, Mapping):
        yield from ({"category": category, "quote": quote} for category in given for quote in given[category])
    else:
        yield from ({"quote": quote} for quote in given)


def _number(value: float | str | None) -> int | None:
    """A place as a table has it, where one that is missing is a number that equals nothing."""
    return None if value is None or value != value or repr(value) == "<NA>" else int(value)


def _pair(
    key: str, left: Mapping[str, Sequence[Item]], right: Mapping[str, Sequence[Item]], looked: Sequence[str]
) -> ReportPair:
    from app.agreement.types import ReportPair

    ours, theirs = ({one: tuple(side.get(one, ())) for one in looked} for side in (left, right))
    return ReportPair(key, key, ours, theirs)


def _scores(agreement: Agreement) -> pd.DataFrame:
    lines: list[tuple[str, str, Row]] = [
        *(("category", category, row) for category, row in agreement.categories.items()),
        *(("report", report.key, report.row) for report in agreement.reports),
        ("average", "", agreement.average),
        ("pooled", "", agreement.pooled),
    ]
    return _table(
        (row for level, name, line in lines for row in _score_rows(agreement, level, name, line)), _SCORE
    )


def _score_rows(agreement: Agreement, level: str, name: str, row: Row) -> Iterator[dict[str, Any]]:
    for measure, score in row.scores.items():
        low, high = row.intervals.get(measure) or (None, None)
        yield {
            "left": agreement.left,
            "right": agreement.right,
            "profile": agreement.profile,
            "level": level,
            "name": name,
            "measure": measure,
            "score": score,
            "low": low,
            "high": high,
            "n": row.n,
            "support_left": row.support_left,
            "support": row.support,
            "reason": row.reasons.get(measure, ""),
        }


@cache
def _rules() -> RulesExtractor:
    from extractors.model.scheme import default_scheme
    from extractors.rules import RulesExtractor

    return RulesExtractor(default_scheme())


def _table(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Rows as a table whose columns have the same types whatever the rows are."""
    import pandas as pd

    table = pd.DataFrame([[row[name] for name in columns] for row in rows], columns=list(columns))
    for name in set(_TIMES) & set(columns):
        times = pd.to_datetime(table[name], utc=True, format="ISO8601")
        table[name] = times.astype("datetime64[us, UTC]")
    return table.astype({name: _TYPES.get(name, "str") for name in columns if name not in _TIMES})
