"""Compare two annotators of a project, or every pair of several, and write what comes of it for others."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.messages import nothing_to_compare
from app.operations.compare.annotation_sets import SideSets, people_and, read_side_sets, reading_side_sets
from app.operations.project.opening import opened
from app.operations.project.output import require_writable_name, write_file
from extractors.model.errors import ProjectError
from extractors.model.progress import Progress, at_once, stage

if TYPE_CHECKING:
    from app.agreement.compare import PairScores
    from app.agreement.types import Agreement, Profile
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
    from app.agreement.compare import ordered_pairs

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
    from app.agreement.compare import comparing

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


def reporting_agreement(
    project: Project, left: str, right: str, out: Path
) -> Generator[Progress, None, list[Path]]:
    """Write a self-contained HTML report on both profiles to `out`, with every pair where there are more.

    Returns the file. Raises as `measure_agreement`.
    """
    from app.agreement.output.html import to_html
    from app.agreement.types import PROFILES

    require_writable_name(out)
    people = people_and(project, left, right)
    sides = yield from stage(reading_side_sets(project, people, with_texts=True), 0, 3)
    both = []
    for number, profile in enumerate(PROFILES, start=1):
        both.append((yield from stage(comparing_sides(sides, left, right, profile), number, 3)))
    paper, strict = both
    yield Progress(0, 0, "writing the report")
    page = to_html(
        paper,
        strict,
        _names(sides),
        {category.id: category.colour_light for category in sides.categories},
        {category.id: category.colour_dark for category in sides.categories},
        shares=[sides.shares(name) for name in sides.names],
        pairs=_pairs(sides) if len(sides.names) > 2 else [],
    )
    write_file(out, page)
    return [out]


def report_pairs(where: Project | Path, names: Sequence[str] | None, out: Path) -> None:
    """Write every pair of these annotators, or of all, in both profiles to `out` as one HTML page.

    Raises as `read_sets`.
    """
    from app.agreement.output.pair_tables import pairs_html

    require_writable_name(out)
    sides = read_sets(where, names)
    shares = [sides.shares(name) for name in sides.names]
    write_file(out, pairs_html(_pairs(sides), shares, _names(sides), sides.caveats_on(*sides.names)))


def tabulating_agreement(
    project: Project, left: str, right: str, profile: Profile, out: Path
) -> Generator[Progress, None, list[Path]]:
    """Write one profile as CSV: its table to `out`, and beside it what stands behind the table.

    NAME-reports.csv has a row for each report and category, NAME-confusion.csv the counts of the heat map.
    Returns the files. Raises the same as `measure_agreement`.
    """
    from app.agreement.output.tables import confusion_table, reports_table, to_csv
    from app.tables import csv_text

    files = [out, _beside(out, "reports"), _beside(out, "confusion")]
    for file in files:
        require_writable_name(file)
    agreement = yield from _comparing(project, left, right, profile)
    write_file(out, to_csv(agreement))
    write_file(files[1], csv_text(reports_table(agreement)))
    write_file(files[2], csv_text(confusion_table(agreement.confusion)))
    return files


def tabulate_pairs(
    where: Project | Path, names: Sequence[str] | None, profile: Profile, out: Path
) -> list[Path]:
    """Write every pair as CSV to `out`, and what each annotator marked to NAME-shares.csv beside it.

    Returns the files. Raises as `read_sets`.
    """
    from app.agreement.output.pair_tables import pairs_data, shares_data
    from app.tables import csv_text

    files = [out, _beside(out, "shares")]
    for file in files:
        require_writable_name(file)
    sides = read_sets(where, names)
    caveats = sides.caveats_on(*sides.names)
    write_file(out, csv_text(pairs_data(compare_every_pair(sides, profile), caveats)))
    write_file(files[1], csv_text(shares_data([sides.shares(name) for name in sides.names])))
    return files


def drawing_agreement(
    project: Project, left: str, right: str, profile: Profile
) -> Generator[Progress, None, str]:
    """The charts of one profile as the text of an SVG picture; raises as `measure_agreement`."""
    from app.agreement.output.html import to_svg

    agreement = yield from _comparing(project, left, right, profile)
    categories = project.scheme.categories
    names = {category.id: category.name for category in categories}
    return to_svg(agreement, names, {category.id: category.colour_light for category in categories})


def writing_drawing(
    project: Project, left: str, right: str, profile: Profile, out: Path
) -> Generator[Progress, None, list[Path]]:
    """Write the charts of one profile to `out` as SVG; returns the file. Raises as `measure_agreement`."""
    require_writable_name(out)
    picture = yield from drawing_agreement(project, left, right, profile)
    write_file(out, picture)
    return [out]


def _comparing(
    project: Project, left: str, right: str, profile: Profile
) -> Generator[Progress, None, Agreement]:
    sides = yield from stage(reading_side_sets(project, (left, right)), 0, 2)
    return (yield from stage(comparing_sides(sides, left, right, profile), 1, 2))


def _pairs(sides: SideSets) -> list[list[PairScores]]:
    """Every pair, once in each profile."""
    from app.agreement.types import PROFILES

    return [compare_every_pair(sides, profile) for profile in PROFILES]


def _names(sides: SideSets) -> dict[str, str]:
    return {category.id: category.name for category in sides.categories}


def _beside(out: Path, what: str) -> Path:
    return out.with_name(f"{out.stem}-{what}{out.suffix or '.csv'}")
