"""Evidence as edges: what is said of a source and a target, in whom, with how much behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from app.agreement.statistics.tests_of_shares import Share

TYPES = tuple(
    "semantic sensitivity specificity plr nlr ppv npv prevalence incidence association risk_factor "
    "associated_risk relative_risk".split()
)
# Types whose values may exceed 1; those of all others are shares.
RATIOS = frozenset({"plr", "nlr", "risk_factor", "associated_risk", "relative_risk"})
LEAST_PATIENTS = 10
# The ends of HPO's classes of frequency.
CLASSES = {
    "HP:0040280": (Fraction(1), Fraction(1)),
    "HP:0040281": (Fraction(80, 100), Fraction(99, 100)),
    "HP:0040282": (Fraction(30, 100), Fraction(79, 100)),
    "HP:0040283": (Fraction(5, 100), Fraction(29, 100)),
    "HP:0040284": (Fraction(1, 100), Fraction(4, 100)),
}


@dataclass(frozen=True, slots=True)
class Edge:
    """What a row, or several rows together, say. `low` and `high` are None where there is no interval.

    `kind` is count, class, percent or own (a table's min and max); `file` the place of its source.
    """

    type: str
    source: str
    target: str
    background: str
    low: Fraction | float | None
    high: Fraction | float | None
    mid: Fraction
    n: int | None = None
    m: int | None = None
    references: tuple[str, ...] = ()
    kind: str = "class"
    file: int = 0

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What it is about."""
        return self.type, self.source, self.target, self.background

    def as_json(self, option: str | None = None) -> dict[str, Any]:
        """As an item's reference holds it; `option` is the key of the option that it is about."""
        ends = {"min": self.low, "max": self.high, "mid": self.mid}
        values = {name: None if value is None else float(value) for name, value in ends.items()}
        return {"option": option, **values, "n": self.n, "m": self.m, "references": list(self.references)}


@dataclass(slots=True)
class Evidence:
    """Everything read: `names` of entities by id, `same` leads from a disease's id to the one it goes by,
    `faulty` lists rows that say nothing possible (file, line, reason)."""

    edges: list[Edge] = field(default_factory=list)
    onsets: list[Edge] = field(default_factory=list)
    denied: set[tuple[str, str]] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    same: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    sources: list[Mapping[str, Any]] = field(default_factory=list)
    faulty: list[Mapping[str, Any]] = field(default_factory=list)


def counted_edge(
    what: tuple[str, str, str, str], n: int, m: int, references: Iterable[str], file: int
) -> Edge:
    """An edge of n in m patients."""
    low, high = Share(n, m).interval or (0.0, 1.0)
    return Edge(*what, low, high, Fraction(n, m), n, m, tuple(references), "count", file)


def one_id_each(evidence: Evidence, exact: Iterable[tuple[str, str]], diseases: Iterable[str]) -> None:
    """Let diseases with exact references or the very same name go by one id, OMIM's where there is one."""
    parent: dict[str, str] = {}

    def root(code: str) -> str:
        while parent.get(code, code) != code:
            code = parent[code]
        return code

    def join(one: str, other: str) -> None:
        first, second = sorted((root(one), root(other)), key=lambda code: (not code.startswith("OMIM"), code))
        parent[second] = first

    known = sorted(set(diseases))
    there = set(known)
    for one, other in exact:
        if one in there and other in there:
            join(one, other)
    by_name: dict[str, str] = {}
    for code in known:
        name = evidence.names[code].casefold()
        if name in by_name:
            join(by_name[name], code)
        by_name.setdefault(name, code)
    evidence.same = {code: root(code) for code in known}


def merged(evidence: Evidence, edges: Iterable[Edge], profile: str) -> tuple[list[Edge], list[Edge]]:
    """One edge for each question that could be asked, and those that contradict themselves.

    As the profile wants it: `paper` averages the mids of what has the same wording, `strict` lets counts of
    ten patients or more decide, else the class, and leaves out what has no interval or contradicts itself.
    """
    groups: dict[tuple[str, ...], list[Edge]] = {}
    paper = profile == "paper"
    names, same = evidence.names, evidence.same
    for edge in edges:
        source, background = edge.source, edge.background
        source = names.get(source, source).casefold() if paper else same.get(source, source)
        background = background if paper else same.get(background, background)
        groups.setdefault((edge.type, source, edge.target, background), []).append(edge)
    kept, contested = [], []
    denied = {(same.get(one, one), term) for one, term in evidence.denied}
    for group in groups.values():
        first = group[0]
        if paper:
            kept.append(_averaged(group) if len(group) > 1 else first)
            evidence.left_out["same wording, averaged into one"] += len(group) - 1
            continue
        leading = _with(first, source=same.get(first.source, first.source))
        if first.type == "sensitivity" and (leading.source, first.target) in denied:
            contested.append(leading)
            continue
        found = _decided(leading, group)
        if found is None:
            contested.append(leading)
        elif isinstance(found, str):
            evidence.left_out[found] += 1
        else:
            kept.append(found)
    return kept, contested


def _with(edge: Edge, **changed: Any) -> Edge:  # noqa: ANN401 (fields of an edge)
    same = all(getattr(edge, key) == value for key, value in changed.items())
    return edge if same else replace(edge, **changed)


def _references(group: Iterable[Edge]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for edge in group for one in edge.references))


def _averaged(group: list[Edge]) -> Edge:
    lows = [edge.low for edge in group if edge.low is not None]
    highs = [edge.high for edge in group if edge.high is not None]
    counts = all(edge.m for edge in group)
    return _with(
        group[0],
        low=min(lows, default=None),
        high=max(highs, default=None),
        mid=sum((edge.mid for edge in group), Fraction(0)) / len(group),
        n=sum(edge.n or 0 for edge in group) if counts else None,
        m=sum(edge.m or 0 for edge in group) if counts else None,
        references=_references(group),
    )


def _decided(leading: Edge, group: list[Edge]) -> Edge | str | None:
    """The edge that counts, why there is none, or None where its rows contradict each other."""
    if len(group) == 1 and leading.kind in ("class", "own"):
        return leading
    counts = [edge for edge in group if edge.kind == "count"]
    others = list({(edge.low, edge.high): edge for edge in group if edge.kind in ("class", "own")}.values())
    summed = None
    if counts:
        n, m = sum(edge.n or 0 for edge in counts), sum(edge.m or 0 for edge in counts)
        summed = leading
        if len(group) > 1:
            summed = counted_edge(leading.key, n, m, _references(counts), counts[0].file)
    every = [*others, *([summed] if summed else [])]
    for place, one in enumerate(every):
        if any(_apart(one, other) for other in every[:place]):
            return None
    if summed is not None and (summed.m or 0) >= LEAST_PATIENTS:
        return summed
    with_interval = [edge for edge in others if edge.low is not None]
    if with_interval:
        return _with(with_interval[0], source=leading.source, references=_references(group))
    return "fewer than 10 patients, and no class" if counts else "a bare percentage, without an interval"


def _apart(one: Edge, other: Edge) -> bool:
    """Whether two intervals do not meet; the classes of HPO and Orphanet touch nowhere."""
    if one.low is None or other.low is None or one.high is None or other.high is None:
        return False
    return one.high < other.low or other.high < one.low
