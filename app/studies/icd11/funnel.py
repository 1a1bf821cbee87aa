"""From rows of diagnoses to admissions with frequent classes: every step, every loss by its reason."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

NOT_MAPPED, NOT_LEAF, SAME = "not mapped", "not a leaf", "another row of the same admission"
NO_NOTE, NO_REPORT, EMPTY, LEAKING = "no discharge note", "no report", "empty report", "leaking report"
RARE = "no frequent class"


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a code of a hospital is mapped to: an ICD-11 code ("" for none), by which step; why none."""

    code: str = ""
    step: str = ""
    leaf: bool = False
    reason: str = NOT_MAPPED


@dataclass(slots=True)
class Coded:
    """The classes of admissions: `codes` numbers the ICD-11 codes; of each admission its patient, and
    (seq_num, number of the code) of every row that came to a class."""

    codes: dict[str, int] = field(default_factory=dict)
    subjects: dict[str, str] = field(default_factory=dict)
    found: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    steps: Counter[str] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)
    lost: dict[str, Counter[str]] = field(default_factory=lambda: {"mapped": Counter(), "leaf": Counter()})

    def add(self, row: Sequence[str], map_code: Callable[[str, str], Mapped]) -> None:
        """Take in a row of diagnoses."""
        subject, hadm, number, code, version = row
        self.rows["read"] += 1
        mapped = map_code(code.strip(), version.strip())
        if not mapped.code:
            self.lost["mapped"][mapped.reason] += 1
            return
        self.rows["mapped"] += 1
        self.steps[mapped.step] += 1
        if not mapped.leaf:
            self.lost["leaf"][NOT_LEAF] += 1
            return
        self.rows["leaf"] += 1
        place = self.codes.setdefault(mapped.code, len(self.codes))
        self.subjects[hadm] = subject
        self.found.setdefault(hadm, []).append((int(number), place))

    def ordered(self, hadm: str) -> list[int]:
        """The codes of an admission by seq_num, each once."""
        return list(dict.fromkeys(place for _, place in sorted(self.found[hadm])))

    def counts(self, admissions: Iterable[str]) -> Counter[int]:
        """How many of these admissions have each code."""
        return Counter(place for hadm in admissions for place in set(self.ordered(hadm)))


def steps_of(
    coded: Coded, noted: int, lost: Mapping[str, Mapping[str, int]], reported: int, kept: int
) -> list[dict[str, Any]]:
    """The funnel as JSON; what is kept and what is lost are together what was kept before."""
    leaf, admissions = coded.rows["leaf"], len(coded.found)
    parts = [
        ("read", coded.rows["read"], {}),
        ("mapped", coded.rows["mapped"], coded.lost["mapped"]),
        ("leaf", leaf, coded.lost["leaf"]),
        ("coded", admissions, {SAME: leaf - admissions}),
        ("note", noted, lost["note"]),
        ("report", reported, lost["report"]),
        ("frequent", kept, {RARE: reported - kept}),
    ]
    return [
        {"step": step, "kept": number, "lost": {why: gone for why, gone in sorted(gone_by.items()) if gone}}
        for step, number, gone_by in parts
    ]


def split_of(groups: Mapping[str, Sequence[str]], seed: int) -> dict[str, str]:
    """train, validation or test of each item, 80/10/10: whole groups (a patient's stays), by seed."""
    names = sorted(groups)
    Random(seed).shuffle(names)
    every = sum(map(len, groups.values()))
    train, validation = round(0.8 * every), round(0.1 * every)
    found: dict[str, str] = {}
    for name in names:
        at = len(found)
        part = "train" if at < train else "validation" if at < train + validation else "test"
        found |= dict.fromkeys(groups[name], part)
    return found


def spread(values: Sequence[int]) -> dict[str, float | None]:
    """Mean, SD (n-1), median and ends; null where there are too few."""
    if not values:
        return dict.fromkeys(("mean", "sd", "median", "min", "max"))
    return {
        "mean": statistics.fmean(values),
        "sd": statistics.stdev(values) if len(values) > 1 else None,
        "median": statistics.median(values),
        "min": min(values),
        "max": max(values),
    }
