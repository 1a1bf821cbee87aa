"""`casespan rank` and `differential`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json, add_only, complain, echo, echo_json, echo_lines, finish
from app.operations.project.output import require_writable_name
from app.text import counted

if TYPE_CHECKING:
    from app.operations.profile.differential import Differential
    from extractors.differential.index import Diseases
    from extractors.differential.ranking import Options, Ranked, Ranking
    from extractors.differential.report import Explanation
    from extractors.evidence.cases import Case, Cases


def add_ranking(command: argparse.ArgumentParser) -> None:
    """Add how long the list is, what changes its order, and whether it is explained."""
    command.add_argument("--top", type=_many, default=10, metavar="N", help="how many diseases (default: 10)")
    command.add_argument(
        "--explain",
        action="store_true",
        help="say of each disease what speaks for it and against it, what it leaves unexplained and what to "
        "look for next",
    )
    command.add_argument(
        "--own-publication",
        choices=("leave-out", "keep"),
        default="leave-out",
        help="whether annotations of diseases that cite a case's own publication count (default: leave-out)",
    )
    command.add_argument(
        "--no-prevalence", action="store_true", help="do not prefer what is more frequent among near ties"
    )


def _many(words: str) -> int:
    if not words.isdecimal() or int(words) < 1:
        raise argparse.ArgumentTypeError(f"{words} is no number from 1 on")
    return int(words)


def options_of(given: argparse.Namespace) -> Options:
    from extractors.differential.ranking import Options

    return Options(given.top, not given.no_prevalence, given.own_publication == "leave-out")


def show_knowledge(diseases: Diseases, options: Options, explained: bool) -> None:
    """What it is, which releases it goes by, and what the order goes by."""
    from extractors.differential.report import ADVICE, FREQUENCIES, order_in_words, releases_in_words

    echo(f"{ADVICE} {releases_in_words(diseases)}, {counted(len(diseases), 'disease')}")
    echo(order_in_words(options))
    if explained:
        echo(FREQUENCIES)


def show_ranking(
    diseases: Diseases,
    title: str,
    publications: Sequence[int],
    ranking: Ranking,
    options: Options,
    explained: bool,
) -> None:
    """One patient's list below a title."""
    from extractors.differential.report import (
        NO_FINDING,
        NO_FIT,
        codes_in_words,
        explain,
        fits,
        left_out_in_words,
    )

    echo(title)
    if publications:
        echo(f"  {left_out_in_words(publications, ranking, options)}")
    for sentence in codes_in_words(ranking):
        echo(f"  {sentence}")
    if not ranking.diseases:
        echo(f"  {NO_FINDING}")
        return
    reasons = explain(diseases, ranking) if explained else []
    for place, disease in enumerate(ranking.diseases):
        known = f"{disease.name} ({', '.join(disease.codes)})"
        echo(f"  {disease.rank:>3}  {known}  evidence {disease.evidence:+.1f}")
        if explained:
            _show_reason(diseases, ranking.diseases, place, reasons[place])
    if explained and not fits(reasons):
        echo(f"  {NO_FIT}")


def _show_reason(diseases: Diseases, listed: Sequence[Ranked], place: int, reason: Explanation) -> None:
    from extractors.differential.report import finding_in_words, parting_in_words

    for title, contributions in (
        ("for", reason.support),
        ("against", reason.against),
        ("unexplained", reason.unexplained),
    ):
        if contributions:
            words = "; ".join(finding_in_words(diseases, one) for one in contributions)
            echo(f"       {title}: {words}")
    if reason.next:
        other = listed[0 if place else 1].name
        echo(f"       look for, against {other}: {'; '.join(map(parting_in_words, reason.next))}")


def _rank_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "cases",
        nargs="+",
        type=Path,
        metavar="CASES",
        help="cases as JSON Lines, phenopackets of version 2, rows of RareBench, patients of Matchmaker "
        "Exchange, or folders of them",
    )
    add_ranking(command)
    add_json(command)


def rank(options: argparse.Namespace) -> int:
    """Rank all diseases for each case; 1 where a case could not be read or ranked."""
    from extractors.differential.ranking import codes_of_names, shipped_ranker
    from extractors.evidence.cases import read_cases

    ranker = shipped_ranker()
    diseases = ranker.diseases
    cases = read_cases(options.cases, diseases.terminology, codes_of_names(diseases))
    chosen = options_of(options)
    nothing: list[str] = []

    def ranked() -> Iterator[tuple[Case, Ranking]]:
        # One after the other: of hundreds of cases all diseases take gigabytes.
        for case in map(_with_findings, cases.cases):
            ranking = ranker.rank(case.present, case.excluded, case.publications, chosen)
            if not ranking.diseases:
                nothing.append(case.id)
            yield case, ranking

    if options.json:
        echo_json(_as_json(diseases, cases, ranked(), options.explain))
    else:
        _show_ranked(diseases, cases, ranked(), chosen, options.explain)
    _complain(cases, nothing)
    return 1 if cases.unread or nothing else 0


def _with_findings(case: Case) -> Case:
    """A case with findings; of a text alone those that the rules find in it."""
    if case.present or case.excluded or not case.text:
        return case
    from extractors.phenotypes.engine import load_rules

    present, excluded = load_rules().profile(case.text)
    return replace(case, present=tuple(present), excluded=tuple(excluded))


def _complain(cases: Cases, nothing: Sequence[str]) -> None:
    """What could not be read or ranked, and what was read otherwise, each in a sentence."""
    if cases.unknown:
        unknown = ", ".join(cases.unknown)
        complain(f"{counted(len(cases.unknown), 'code')} not counted, no terms of this release: {unknown}.")
    if cases.mapped:
        pairs = ", ".join(f"{codes} ({counted(times, 'time')})" for codes, times in cases.mapped.items())
        complain(f"{counted(len(cases.mapped), 'code')} read as the code in use: {pairs}.")
    if nothing:
        complain(
            f"{counted(len(nothing), 'case')} without a present finding to rank by: {', '.join(nothing)}."
        )
    for one in cases.unread:
        complain(f"{one.where} {one.reason}; it was left out.")


def _as_json(
    diseases: Diseases, cases: Cases, found: Iterator[tuple[Case, Ranking]], explained: bool
) -> dict[str, object]:
    from extractors.differential.report import knowledge_as_json, ranking_as_json

    return {
        "knowledge": knowledge_as_json(diseases),
        "cases": (
            {"id": case.id, **ranking_as_json(diseases, ranking, explained=explained)}
            for case, ranking in found
        ),
        "unread": [{"where": one.where, "reason": one.reason} for one in cases.unread],
        "mapped": dict(cases.mapped),
    }


def _show_ranked(
    diseases: Diseases,
    cases: Cases,
    found: Iterator[tuple[Case, Ranking]],
    options: Options,
    explained: bool,
) -> None:
    show_knowledge(diseases, options, explained)
    read = {one.id for one in cases.cases if not (one.present or one.excluded)}
    for case, ranking in found:
        echo()
        title = f"{case.id}: {counted(len(case.present), 'finding')}, {len(case.excluded)} denied"
        title += ", found in its text by rules" if case.id in read else ""
        show_ranking(diseases, title, case.publications, ranking, options, explained)


RANK = Command("cases.jsonl --explain", _rank_arguments, rank, project=False)


def _differential_arguments(command: argparse.ArgumentParser) -> None:
    add_only(command, "document", "ID")
    command.add_argument(
        "--annotator",
        metavar="NAME",
        help="by whose terms (default: those of the project's annotator, else of whoever alone has some)",
    )
    add_ranking(command)
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--html", type=Path, metavar="FILE", help="write a self-contained page, with reasons")
    output.add_argument(
        "--csv", type=Path, metavar="FILE", help="write a row for each disease of each report, with reasons"
    )


def differential(options: argparse.Namespace) -> int:
    """Rank the diseases that explain each report; 1 where a report has no finding to rank by."""
    from app.operations.profile.differential import (
        differential_json,
        rank_reports,
        write_differential_csv,
        write_differential_page,
    )

    out: Path | None = options.html or options.csv
    if out is not None:
        require_writable_name(out)
    found = finish(
        rank_reports(options.project, options.annotator, options.document or (), options_of(options))
    )
    if options.json:
        echo_json(differential_json(found, explained=options.explain))
    elif out is not None:
        (write_differential_page if options.html else write_differential_csv)(found, out)
        echo(f"Diseases that explain {counted(len(found.reports), 'report')} written to {out}.")
    else:
        _show_differential(found, options.explain)
    return 0 if found.reports and all(one.ranking.diseases for one in found.reports) else 1


def _show_differential(found: Differential, explained: bool) -> None:
    show_knowledge(found.diseases, found.options, explained)
    echo_lines(found.notes)
    for one in found.reports:
        echo()
        present, denied = counted(len(one.profile.present), "finding"), len(one.profile.excluded)
        title = f"{one.report}: {present}, {denied} denied, by {found.annotator}"
        show_ranking(found.diseases, title, one.publications, one.ranking, found.options, explained)


DIFFERENTIAL = Command(
    "study.casespan --document PMC3518197 --explain", _differential_arguments, differential
)
