"""`casespan rank`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json
from app.cli.console import complain, echo, echo_json
from app.cli.rankings import add_ranking, options_of, show_knowledge, show_ranking
from app.text import counted

if TYPE_CHECKING:
    from extractors.differential.index import Diseases
    from extractors.differential.ranking import Options, Ranking
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
    add_ranking(command)
    add_json(command)


def rank(options: argparse.Namespace) -> int:
    """Rank all diseases for each case; 1 where a case could not be read or ranked."""
    from extractors.differential.knowledge import codes_of_names, shipped_ranker
    from extractors.evidence.cases import read_cases

    ranker = shipped_ranker()
    diseases = ranker.diseases
    cases = read_cases(options.cases, diseases.terminology, codes_of_names(diseases))
    chosen = options_of(options)
    found = [
        (case, ranker.rank(case.present, case.excluded, case.publications, chosen))
        for case in map(_with_findings, cases.cases)
    ]
    if options.json:
        echo_json(_as_json(diseases, cases, found, options.explain))
    else:
        _show(diseases, cases, found, chosen, options.explain)
    _complain(cases, found)
    return 1 if cases.unread or not all(ranking.diseases for _, ranking in found) else 0


def _with_findings(case: Case) -> Case:
    """A case with findings; of a text alone those that the rules find in it."""
    if case.present or case.excluded or not case.text:
        return case
    from extractors.phenotypes.engine import load_rules

    present, excluded = load_rules().profile(case.text)
    return replace(case, present=tuple(present), excluded=tuple(excluded))


def _complain(cases: Cases, found: Sequence[tuple[Case, Ranking]]) -> None:
    """What could not be read or ranked, and what was read otherwise, each in a sentence."""
    if cases.unknown:
        unknown = ", ".join(cases.unknown)
        complain(f"{counted(len(cases.unknown), 'code')} not counted, no terms of this release: {unknown}.")
    if cases.mapped:
        pairs = ", ".join(f"{codes} ({counted(times, 'time')})" for codes, times in cases.mapped.items())
        complain(f"{counted(len(cases.mapped), 'code')} read as the code in use: {pairs}.")
    if nothing := [case.id for case, ranking in found if not ranking.diseases]:
        complain(
            f"{counted(len(nothing), 'case')} without a present finding to rank by: {', '.join(nothing)}."
        )
    for one in cases.unread:
        complain(f"{one.where} {one.reason}; it was left out.")


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
    show_knowledge(diseases, options, explained)
    read = {one.id for one in cases.cases if not (one.present or one.excluded)}
    for case, ranking in found:
        echo()
        title = f"{case.id}: {counted(len(case.present), 'finding')}, {len(case.excluded)} denied"
        title += ", found in its text by rules" if case.id in read else ""
        show_ranking(diseases, title, case.publications, ranking, options, explained)


COMMAND = Command("cases.jsonl --explain", _arguments, rank, project=False)
