"""What the HTML pages share: the template environment, and scores as text with their footnotes."""

from __future__ import annotations

from collections.abc import Sequence

from app.agreement.measures import Measure
from app.agreement.reasons import footnote
from app.agreement.types import Row
from extractors.assets import asset


def render(template: str, **values: object) -> str:
    """A template of resources/report/ filled in; everything is escaped, and a missing value is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(asset("resources", "report")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(values)


def score_texts(row: Row, measures: Sequence[Measure], notes: list[str]) -> tuple[tuple[str, str, str], ...]:
    """Per measure value, interval and footnote number, "" where there is none; reasons join `notes`."""
    return tuple(
        (
            measure.text(row.scores[measure.key]),
            measure.range_text(row.intervals[measure.key]),
            footnote(row.reasons.get(measure.key, ""), notes),
        )
        for measure in measures
    )
