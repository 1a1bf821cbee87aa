"""Options and words that commands which rank diseases share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.cli.console import echo
from app.text import counted

if TYPE_CHECKING:
    from extractors.differential.explaining import Explanation
    from extractors.differential.index import Diseases
    from extractors.differential.ranking import Options, Ranked, Ranking


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
    """What was asked for."""
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
    from extractors.differential.explaining import explain, fits
    from extractors.differential.report import NO_FINDING, NO_FIT, codes_in_words, left_out_in_words

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
