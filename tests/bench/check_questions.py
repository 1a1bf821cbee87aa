"""Derive the answers of built questions again from phenotype.hpoa, by other code, and measure blind guessers.

python tests/bench/check_questions.py WHEEL strict|paper
"""

from __future__ import annotations

import math
import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from app.studies.ebmqa.items import build  # noqa: E402
from app.studies.ebmqa.study import STUDY  # noqa: E402
from app.studies.results import Item  # noqa: E402
from app.studies.study import Building, Reports  # noqa: E402
from extractors.terminology.hierarchy import ancestors  # noqa: E402
from extractors.terminology.library import shipped_hpo  # noqa: E402

CLASSES = {"HP:0040280": "1-1", "HP:0040281": "80-99", "HP:0040282": "30-79", "HP:0040283": "5-29"}
CLASSES |= {"HP:0040284": "1-4"}
Rows = dict[tuple[str, str, str], list[tuple[str, str]]]


def rows_of(path: Path) -> tuple[Rows, dict[str, str]]:
    """Frequencies by disease, term in use and sex; names of diseases."""
    terminology, found, names = shipped_hpo(), defaultdict(list), {}
    with zipfile.ZipFile(path) as archive:
        name = next(one for one in archive.namelist() if one.endswith("phenotype.hpoa"))
        for line in archive.read(name).decode().splitlines():
            cells = line.split("\t")
            if line.startswith(("#", "database_id")):
                continue
            names[cells[0]] = cells[1]
            if cells[10] == "P" and cells[2] != "NOT" and cells[7] not in ("", "HP:0040285"):
                term = terminology.current(cells[3]) or cells[3]
                found[cells[0], term, cells[8].upper()].append((cells[7], cells[0]))
    return dict(found), names


def value(said: str) -> Fraction:
    """The middle of what a row says."""
    if said in CLASSES:
        low, _, high = (CLASSES[said] if said != "HP:0040280" else "100-100").partition("-")
        return (Fraction(low) + Fraction(high)) / 200
    return Fraction(said[:-1]) / 100 if said.endswith("%") else Fraction(said)


def interval(said: Sequence[str]) -> tuple[float, float] | None:
    """Of counts with ten patients or more Wilson's, else the class's."""
    counts = [one.split("/") for one in said if "/" in one]
    n, m = sum(int(one) for one, _ in counts), sum(int(whole) for _, whole in counts)
    if m >= 10:
        z = 1.959963984540054
        middle, reach = n + z * z / 2, z * math.sqrt(n * (m - n) / m + z * z / 4)
        return (middle - reach) / (m + z * z), (middle + reach) / (m + z * z)
    classes = {value(one): one for one in said if one in CLASSES}
    if len(classes) != 1:
        return None
    said_class = next(iter(classes.values()))
    low, _, high = (CLASSES[said_class] if said_class != "HP:0040280" else "100-100").partition("-")
    return int(low) / 100, int(high) / 100


def within(option: dict[str, Any], low: float | Fraction, high: float | Fraction) -> bool:
    """Whether an option holds all of it."""
    start, end = Fraction(str(option["low"])), Fraction(str(option["high"]))
    last = end == 1 or option.get("closed", False)
    above = (
        low > start if end == 1 and not option.get("closed") and start and Fraction(low) == start else True
    )
    return start <= low + 1e-12 and (high <= end + 1e-12 if last else high < end) and above


def derived(item: Item, rows: Rows, ids: dict[str, list[str]], profile: str) -> bool:
    """Whether the right answer follows from the rows."""
    source, target = item.input["source"]["id"], item.input["target"]["id"]
    sex = (item.input["background"] or {"id": ""})["id"].removeprefix("sex:")
    said = [one for code in ids[source] for one, _ in rows.get((code, target, sex), ())]
    (right,) = [one for one in item.input["options"] if one["key"] in item.reference["correct"]]
    if profile == "strict":
        ends = interval(said)
        return ends is not None and within(right, *ends)
    mid = sum((value(one) for one in said), Fraction(0)) / len(said)
    closed = next(one for one in item.input["options"] if one.get("closed"))
    low, high = Fraction(str(closed["low"])), Fraction(str(closed["high"]))
    key = "A" if mid > high else "B" if mid >= low else "C"
    return bool([key] == item.reference["correct"])


def naive_bayes(items: Sequence[Item]) -> float:
    """What the words of a question tell of its answer: five parts, each by the other four."""
    right, parts = 0, 5
    words = [set(item.input["question"].casefold().split()) for item in items]
    for part in range(parts):
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        number: Counter[str] = Counter()
        for at, item in enumerate(items):
            if at % parts != part:
                number[item.reference["correct"][0]] += 1
                seen[item.reference["correct"][0]].update(words[at])
        for at, item in enumerate(items):
            if at % parts == part:
                told = {
                    key: sum(math.log((seen[key][word] + 1) / (number[key] + 2)) for word in words[at])
                    for key in number
                }
                right += max(told, key=lambda key: told[key]) == item.reference["correct"][0]
    return right / len(items)


def main() -> None:
    """Print what was found."""
    wheel, profile = Path(sys.argv[1]), sys.argv[2]
    settings: dict[str, Any] = {o.key: () if o.several else o.default for o in STUDY.options_of("build")}
    settings |= {"hpoa": wheel, "profile": profile}
    job = build(Building((), settings, 1, (), (), lambda: Reports({}, lambda name: {}), None))  # type: ignore[arg-type]
    built = None
    while built is None:
        try:
            next(job)
        except StopIteration as stop:
            built = stop.value
    rows, names = rows_of(wheel)
    from app.studies.ebmqa.edges import Evidence, one_id_each
    from extractors.differential.ranking import shipped_ranker

    same = Evidence(names=names)
    codes = shipped_ranker().diseases.codes
    one_id_each(same, [(one[0], other) for one in codes for other in one[1:]], names)
    ids: dict[str, list[str]] = defaultdict(list)
    by_name: dict[str, list[str]] = defaultdict(list)
    for code, name in names.items():
        ids[same.same[code]].append(code)
        by_name[name.casefold()].append(code)
    if profile == "paper":
        ids = {code: by_name[name.casefold()] for code, name in names.items()}
    numeric = [item for item in built.items if item.task == "numeric"]
    semantic = [item for item in built.items if item.task == "semantic"]
    wrong = [item for item in numeric if not derived(item, rows, ids, profile)]
    print(f"{len(numeric):,} numeric, {len(semantic):,} semantic; derived otherwise: {len(wrong)}")
    for item in wrong[:5]:
        print("  ", item.input["question"], item.reference)
    terminology = shipped_hpo()
    above: dict[str, set[int]] = {}
    related = 0
    for item in semantic:
        options = [one["id"] for one in item.input["options"] if one["id"].startswith("HP:")]
        for code in options:
            if code not in above:
                above[code] = set(ancestors(terminology, terminology.row(code) or 0)) - {
                    terminology.row(code)
                }
        related += any(terminology.row(one) in above[other] for one in options for other in options)
    print("an ancestor beside its descendant:", related)
    alike = Counter(
        (one.input["question"], tuple(sorted(option["text"] for option in one.input["options"])))
        for one in built.items
    )
    print("questions alike:", sum(number - 1 for number in alike.values()))
    first = Counter(one.reference["correct"][0] for one in built.items[:300] if one.task == "numeric")
    print("first 300:", dict(first))
    print("guessers:", built.details["guess"])
    print("naive Bayes on words, numeric:", round(naive_bayes(numeric), 4))


if __name__ == "__main__":
    main()
