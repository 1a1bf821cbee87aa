"""`casespan rank`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json
from app.cli.console import complain, say, say_json
from app.text import counted

if TYPE_CHECKING:
    from extractors.differential.explaining import Explanation, Parting
    from extractors.differential.index import Diseases
    from extractors.differential.ranking import Contribution, Options, Ranked, Ranking
    from extractors.evidence.cases import Case, Cases


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "cases",
        nargs="+",
        type=Path,
        metavar="CASES",
        help="cases as JSON Lines, phenopackets of version 2, rows of RareBench, patients of Matchmaker "
        "Exchange, or folders of them",
    )
    command.add_argument("--top", type=_many, default=10, metavar="N", help="how many diseases (default: 10)")
    command.add_argument(
        "--explain",
        action="store_true",
        help="say of each disease what speaks for it and against it, what it leaves unexplained and what to "
        "look for next",
    )
    add_ranking(command)
    add_json(command)


def add_ranking(command: argparse.ArgumentParser) -> None:
    """Add what changes the order of diseases."""
    command.add_argument(
        "--own-publication",
        choices=("leave-out", "keep"),
        default="leave-out",
        help="whether annotations of diseases that cite a case's own publication count (default: leave-out)",
    )
    command.add_argument(
        "--no-prevalence", action="store_true", help="do not prefer what is more frequent among near ties"
    )


def _many(said: str) -> int:
    if not said.isdecimal() or int(said) < 1:
        raise argparse.ArgumentTypeError(f"{said} is no number from 1 on")
    return int(said)


def rank(options: argparse.Namespace) -> int:
    """Rank all diseases for each case; 1 where a case could not be read or ranked."""
    from extractors.differential.knowledge import codes_of_names, shipped_ranker
    from extractors.differential.ranking import Options
    from extractors.evidence.cases import read_cases

    ranker = shipped_ranker()
    diseases = ranker.diseases
    cases = read_cases(options.cases, diseases.terminology, codes_of_names(diseases))
    chosen = Options(options.top, not options.no_prevalence, options.own_publication == "leave-out")
    found = [
        (case, ranker.rank(case.present, case.excluded, case.publications, chosen)) for case in cases.cases
    ]
    if options.json:
        say_json(_as_json(diseases, cases, found, options.explain))
    else:
        _show(diseases, cases, found, chosen, options.explain)
    for one in cases.unread:
        complain(f"{one.where} {one.reason}; it was left out.")
    return 1 if cases.unread or not all(ranking.diseases for _, ranking in found) else 0


def _as_json(
    diseases: Diseases, cases: Cases, found: Sequence[tuple[Case, Ranking]], explained: bool
) -> dict[str, object]:
    from extractors.differential.report import knowledge_as_json, ranking_as_json

    return {
        "knowledge": knowledge_as_json(diseases),
        "cases": [
            {"id": case.id, **ranking_as_json(diseases, ranking, explained=explained)}
            for case, ranking in found
        ],
        "unread": [{"where": one.where, "reason": one.reason} for one in cases.unread],
        "mapped": dict(cases.mapped),
    }


def _show(
    diseases: Diseases,
    cases: Cases,
    found: Sequence[tuple[Case, Ranking]],
    options: Options,
    explained: bool,
) -> None:
    from extractors.differential.report import ADVICE, order_in_words

    release = f"HPO {diseases.terminology.release}, annotations {diseases.release}"
    say(f"{ADVICE} {counted(len(diseases), 'disease')}; {release}")
    say(order_in_words(options))
    for case, ranking in found:
        say()
        _show_case(diseases, case, ranking, options, explained)
    for codes, times in cases.mapped.items():
        say(f"Read as the code in use, {counted(times, 'time')}: {codes}")


def _show_case(diseases: Diseases, case: Case, ranking: Ranking, options: Options, explained: bool) -> None:
    from extractors.differential.explaining import explain, fits
    from extractors.differential.report import NO_FINDING, NO_FIT

    say(f"{case.id}: {counted(len(case.present), 'finding')}, {len(case.excluded)} denied")
    if case.publications:
        papers = ", ".join(f"PMID:{number}" for number in case.publications)
        counts = "left out" if options.leave_out else "counted, as asked for"
        rows = f"{ranking.left_out} rows " if options.leave_out else ""
        say(f"  annotations that cite {papers}: {rows}{counts}")
    if ranking.unknown:
        say(f"  no terms: {', '.join(ranking.unknown)}")
    if not ranking.diseases:
        say(f"  {NO_FINDING}")
        return
    reasons = explain(diseases, ranking) if explained else []
    for place, disease in enumerate(ranking.diseases):
        known = f"{disease.name} ({', '.join(disease.codes)})"
        say(f"  {disease.rank:>3}  {known}  evidence {disease.evidence:+.1f}")
        if explained:
            _show_reason(diseases, ranking.diseases, place, reasons[place])
    if explained and not fits(diseases, ranking):
        say(f"  {NO_FIT}")


def _show_reason(diseases: Diseases, listed: Sequence[Ranked], place: int, reason: Explanation) -> None:
    for title, contributions in (
        ("for", reason.support),
        ("against", reason.against),
        ("unexplained", reason.unexplained),
    ):
        if contributions:
            said = "; ".join(_contribution(diseases, one) for one in contributions)
            say(f"       {title}: {said}")
    if reason.next:
        other = listed[0 if place else 1].name
        say(f"       look for, against {other}: {'; '.join(map(_parting, reason.next))}")


def _contribution(diseases: Diseases, one: Contribution) -> str:
    name = _label(diseases, one.code)
    denied = "no " if one.polarity == "negated" else ""
    by = f" (as {_label(diseases, one.matched)})" if one.matched not in ("", one.code) else ""
    return f"{denied}{name}{by} {one.value:+.1f}"


def _label(diseases: Diseases, code: str) -> str:
    row = diseases.terminology.row(code)
    return code if row is None else diseases.terminology.label(row)


def _parting(one: Parting) -> str:
    return f"{one.label} ({one.here:.0%} here, {one.there:.0%} there)"


COMMAND = Command("cases.jsonl --explain", _arguments, rank, project=False)
