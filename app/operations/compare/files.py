"""Write an agreement for others: an HTML report, tables as CSV, and the charts as a picture."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.compare.agreement import compare_every_pair, comparing_sides, read_sets
from app.operations.compare.annotation_sets import SideSets, people_and, reading_side_sets
from app.operations.project.output import require_writable_name
from extractors.model.progress import Progress, stage

if TYPE_CHECKING:
    from app.agreement import Agreement, PairScores, Profile
    from app.store.project import Project


def reporting_agreement(
    project: Project, left: str, right: str, out: Path
) -> Generator[Progress, None, list[Path]]:
    """Write a self-contained HTML report on both profiles to `out`, with every pair where there are more.

    Returns the file. Raises as `measure_agreement`.
    """
    from app.agreement import PROFILES, to_html

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
    _write(out, page)
    return [out]


def report_pairs(where: Project | Path, names: Sequence[str] | None, out: Path) -> None:
    """Write every pair of these annotators, or of all, in both profiles to `out` as one HTML page.

    Raises as `read_sets`.
    """
    from app.agreement.output.pair_tables import pairs_html

    require_writable_name(out)
    sides = read_sets(where, names)
    shares = [sides.shares(name) for name in sides.names]
    _write(out, pairs_html(_pairs(sides), shares, _names(sides), sides.caveats_on(*sides.names)))


def tabulating_agreement(
    project: Project, left: str, right: str, profile: Profile, out: Path
) -> Generator[Progress, None, list[Path]]:
    """Write one profile as CSV: its table to `out`, and beside it what stands behind the table.

    NAME-reports.csv has a row for each report and category, NAME-confusion.csv the counts of the heat map.
    Returns the files. Raises the same as `measure_agreement`.
    """
    from app.agreement import to_csv
    from app.agreement.output.tables import confusion_table, reports_table
    from app.tables import csv_text

    files = [out, _beside(out, "reports"), _beside(out, "confusion")]
    for file in files:
        require_writable_name(file)
    agreement = yield from _comparing(project, left, right, profile)
    _write(out, to_csv(agreement))
    _write(files[1], csv_text(reports_table(agreement)))
    _write(files[2], csv_text(confusion_table(agreement.confusion)))
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
    _write(out, csv_text(pairs_data(compare_every_pair(sides, profile), caveats)))
    _write(files[1], csv_text(shares_data([sides.shares(name) for name in sides.names])))
    return files


def drawing_agreement(
    project: Project, left: str, right: str, profile: Profile
) -> Generator[Progress, None, str]:
    """The charts of one profile as the text of an SVG picture; raises as `measure_agreement`."""
    from app.agreement.output.picture import to_svg

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
    _write(out, picture)
    return [out]


def _comparing(
    project: Project, left: str, right: str, profile: Profile
) -> Generator[Progress, None, Agreement]:
    sides = yield from stage(reading_side_sets(project, (left, right)), 0, 2)
    return (yield from stage(comparing_sides(sides, left, right, profile), 1, 2))


def _pairs(sides: SideSets) -> list[list[PairScores]]:
    """Every pair, once in each profile."""
    from app.agreement import PROFILES

    return [compare_every_pair(sides, profile) for profile in PROFILES]


def _names(sides: SideSets) -> dict[str, str]:
    return {category.id: category.name for category in sides.categories}


def _beside(out: Path, what: str) -> Path:
    return out.with_name(f"{out.stem}-{what}{out.suffix or '.csv'}")


def _write(out: Path, text: str) -> None:
    from app.formats.writing import write_atomically

    write_atomically(out, text)
