"""Compare two annotators of a project, or every pair of several."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.messages import nothing_to_compare
from app.operations.compare.annotation_sets import SideSets, read_side_sets
from app.operations.project.opening import opened
from extractors.model.errors import ProjectError
from extractors.model.progress import Progress, at_once

if TYPE_CHECKING:
    from app.agreement import Agreement, PairScores, Profile
    from app.store.project import Project


def measure_agreement(
    where: Project | Path,
    left: str,
    right: str,
    profile: Profile,
    documents: Sequence[str] = (),
    *,
    tokens: bool = False,
) -> Agreement:
    """Agreement of two annotators over the reports (all, or those of the given keys) that both looked at.

    With `tokens` there are the measures on tokens as well, which take reading the reports' texts.

    Raises UnknownNameError for an annotator that is not there, ProjectError where both looked at no report.
    """
    with opened(where) as project:
        sides = read_side_sets(project, (left, right), with_texts=tokens)
    return compare_sides(sides, left, right, profile, documents)


def read_sets(where: Project | Path, names: Sequence[str] | None = None) -> SideSets:
    """The sets of several annotators, or of everybody who looked at a report.

    Raises UnknownNameError for one that is not there, ProjectError where there are fewer than two.
    """
    with opened(where) as project:
        sides = read_side_sets(project, None if names is None else tuple(dict.fromkeys(names)))
    if names is not None and len(sides.names) < 2:
        raise ProjectError("Name two annotators or more to compare them.")
    if len(sides.names) < 2:
        raise ProjectError(
            "There are fewer than two sets of annotations to compare; annotate under another name, import "
            "somebody's annotations, or run an extraction."
        )
    return sides


def pairs_to_measure(names: Sequence[str], profile: Profile) -> list[tuple[str, str]]:
    """Every pair of these, in the paper profile both ways."""
    from app.agreement.every_pair import ordered_pairs

    return ordered_pairs(names, profile)


def compare_every_pair(sides: SideSets, profile: Profile) -> list[PairScores]:
    """Headline scores of every pair of the sets, in the paper profile both ways."""
    return [sides.compared(left, right, profile) for left, right in pairs_to_measure(sides.names, profile)]


def comparing_sides(
    sides: SideSets,
    left: str,
    right: str,
    profile: Profile,
    documents: Sequence[str] = (),
    *,
    joined: bool = True,
) -> Generator[Progress, None, Agreement]:
    """Agreement of two of the sets over the reports (all, or those of the given keys) both looked at.

    Without `joined` there are no BLEU and ROUGE, which take half of the time.
    Raises ProjectError where that is none.
    """
    from app.agreement import comparing

    pairs = sides.pairs(left, right)
    if not pairs:
        raise ProjectError(nothing_to_compare(left, right))
    if documents:
        pairs = [pair for pair in pairs if pair.key in documents]
    agreement = yield from comparing(pairs, sides.ids, left, right, profile, joined=joined)
    ours, theirs = (0, 0) if documents else sides.alone(left, right)
    caveats = sides.caveats_on(left, right)
    return replace(agreement, caveats=caveats, left_only=ours, right_only=theirs)


compare_sides = at_once(comparing_sides)
