"""An agreement as one SVG picture that needs no style sheet: bars by category, heat map, strip of reports."""

from __future__ import annotations

import re
from collections.abc import Mapping

from app.agreement.measures import leading, shown_in
from app.agreement.output import charts
from app.agreement.output.html import safe_colour
from app.agreement.statistics.bootstrap import LEAST_REPORTS
from app.agreement.types import NONE, Agreement
from app.tables import render

ACCENT = "#1f5f8b"
_TITLE = 96
# What XML forbids: control characters, halves of surrogate pairs, and two that are no characters.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def to_svg(agreement: Agreement, names: Mapping[str, str], colours: Mapping[str, str]) -> str:
    """The picture; `names` and `colours` ("#rrggbb", on white) go by category id.

    Everything that comes from reports and annotators is escaped. Fonts are named by family only, so that the
    picture looks the same enough wherever it is opened.
    """
    labels = {**names, NONE: "Nothing"}
    painted = {category: safe_colour(colours.get(category, "")) for category in agreement.categories}
    painted[""] = ACCENT
    first = leading(agreement.profile)
    others = shown_in("chart", agreement.profile)
    picture = render(
        "charts.svg.j2",
        a=agreement,
        title=_cut(f"Agreement of {agreement.left} (left) with {agreement.right} (right)"),
        g=charts,
        bars=tuple(
            charts.bar_chart(agreement, measure, labels, measure.name, painted)
            for measure in (first, *others)
        ),
        heat=charts.heat_map(agreement.confusion, labels, agreement.left, agreement.right),
        left=_cut(agreement.left),
        right=_cut(agreement.right),
        strip=charts.strip(agreement.reports, first),
        first=first,
        least_reports=LEAST_REPORTS,
    )
    return _FORBIDDEN.sub("\ufffd", picture)


def _cut(text: str) -> str:
    return text if len(text) <= _TITLE else text[: _TITLE - 1].rstrip() + "…"
