"""MIMIC's files from invented people: every header and quirk, nothing of any patient."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.studies.icd11.fixture_tables import Invented, invent
from app.studies.icd11.funnel import split_of
from extractors.grouping import grouped
from extractors.model.errors import CallError

INVENTED = "Invented: no person, disease or number in this folder is real."
_DEMO = """\
All tables of the study, of replies that no model gave; in this folder:

casespan terminology import ICD11 tables/*
casespan new demo.casespan
casespan study build demo.casespan icd11 --mimic . --min-count {least} --reports-from reports.csv
casespan study run demo.casespan icd11 --replay invented-replies.jsonl
casespan study run demo.casespan icd11 --replay invented-replies.jsonl --order freq-first
casespan study run demo.casespan icd11 --replay invented-replies.jsonl --order correct-first
casespan study run demo.casespan icd11 --replay invented-replies.jsonl --list short
casespan study run demo.casespan icd11 --replay invented-rankings.jsonl --arm rank
casespan study score demo.casespan icd11 --html demo.html
"""
_PARTS = ("arms", "legs", "back", "chest", "belly", "head", "hands", "neck")
_FEELS = ("burning", "aching", "tingling", "heaviness", "coldness", "shaking")
_WHEN = ("since last week", "every morning", "after meals", "when I climb the stairs", "at night")
_LEAKS = {
    "value": "My blood pressure was 182/95 mmHg when they took it.",
    "dose": "I take metoprolol 25 mg every day.",
    "mask": "I saw Dr. ___ about it.",
}
_ADMISSION = (
    "subject_id,hadm_id,admittime,dischtime,deathtime,admission_type,admit_provider_id,admission_location,"
    "discharge_location,insurance,language,marital_status,race,edregtime,edouttime,hospital_expire_flag"
)


@dataclass(slots=True)
class _Made:
    """The rows of every file, and what was counted while they were made."""

    patients: list[Sequence[object]] = field(default_factory=list)
    admissions: list[Sequence[object]] = field(default_factory=list)
    diagnoses: list[Sequence[object]] = field(default_factory=list)
    notes: list[Sequence[object]] = field(default_factory=list)
    details: list[Sequence[object]] = field(default_factory=list)
    reports: list[tuple[int, str]] = field(default_factory=list)
    replies: list[dict[str, str]] = field(default_factory=list)
    rows: Counter[str] = field(default_factory=Counter)
    lost: dict[str, Counter[str]] = field(
        default_factory=lambda: {step: Counter() for step in ("coded", "note", "report", "frequent")}
    )
    # Admissions with a report, and of each its classes; those with a note are what frequency is counted on.
    classes: dict[int, list[str]] = field(default_factory=dict)
    reported: dict[int, str] = field(default_factory=dict)
    several: int = 0


def write_fixture(folder: Path, admissions: int = 500, seed: int = 0) -> dict[str, Any]:
    """Write the files into a new folder; returns what `expected.json` says. The same seed, the same bytes.

    Raises CallError where the folder holds something already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CallError(f"{folder} is there already; name a new folder.")
    if admissions < 1:
        raise CallError("A fixture has at least one admission.")
    diagnoses, tables = invent()
    made = _made(random.Random(seed), diagnoses, admissions)
    least = max(2, admissions // 25)
    expected = _expected(made, least, seed)
    for name, text in tables.items():
        _write(folder / "tables" / name, text.encode())
    for name, head, rows in _files(made, diagnoses):
        _write(folder / name, gzip.compress(_csv(head.split(","), rows).encode(), 6, mtime=0))
    _write(folder / "reports.csv", _csv(("hadm_id", "self_report"), made.reports).encode())
    _write(folder / "invented-replies.jsonl", _lines(made.replies))
    names = {one.icd11: one.target.lower() for one in diagnoses if one.icd11 in expected["classes"]}
    _write(folder / "invented-rankings.jsonl", _lines(_rankings(made, names, random.Random(seed))))
    _write(folder / "expected.json", (json.dumps(expected, indent=2) + "\n").encode())
    _write(folder / "README.txt", f"{INVENTED}\n\n{_DEMO.format(least=least)}".encode())
    return expected


def _lines(values: Iterable[object]) -> bytes:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in values).encode()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def _files(made: _Made, diagnoses: Sequence[Invented]) -> list[tuple[str, str, Iterable[Sequence[object]]]]:
    titles = sorted(
        (_padded(code, one), version, one.title)
        for one in diagnoses
        for code, version in ((one.icd9, 9), (one.icd10, 10))
    )
    people = "subject_id,gender,anchor_age,anchor_year,anchor_year_group,dod"
    note = "note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text"
    return [
        ("hosp/patients.csv.gz", people, made.patients),
        ("hosp/admissions.csv.gz", _ADMISSION, made.admissions),
        ("hosp/diagnoses_icd.csv.gz", "subject_id,hadm_id,seq_num,icd_code,icd_version", made.diagnoses),
        ("hosp/d_icd_diagnoses.csv.gz", "icd_code,icd_version,long_title", titles),
        ("note/discharge.csv.gz", note, made.notes),
        (
            "note/discharge_detail.csv.gz",
            "note_id,subject_id,field_name,field_value,field_ordinal",
            made.details,
        ),
    ]


def _padded(code: str, one: Invented) -> str:
    """Some releases pad codes to seven places."""
    return code.ljust(7) if one.kind == "leaf" and code.endswith("2") else code


def _made(draw: random.Random, diagnoses: Sequence[Invented], admissions: int) -> _Made:
    made = _Made()
    leaves = [one for one in diagnoses if one.kind == "leaf"]
    weights = [1 / (place + 2) for place in range(len(leaves))]
    rest = [one for one in diagnoses if one.kind != "leaf"]
    lay = {
        one.icd11: f"There is a {_FEELS[place % 6]} in my {_PARTS[place % 8]} {_WHEN[place % 5]}."
        for place, one in enumerate(leaves)
    }
    subject = 10_000_000
    for number in range(admissions):
        if not made.patients or draw.random() < 0.7:
            subject += draw.randrange(1, 40)
            made.patients.append(
                (subject, draw.choice("FM"), draw.randrange(18, 90), 2150, "2014 - 2016", "")
            )
        hadm = 20_000_000 + number * 7 + draw.randrange(7)
        made.admissions.append(_admission(draw, subject, hadm))
        chosen = list(dict.fromkeys(draw.choices(leaves, weights, k=draw.randrange(1, 7))))
        chosen += [one for one in rest if draw.random() < 0.08]
        if draw.random() < 0.03:
            chosen = []
        _add_diagnoses(made, draw, subject, hadm, chosen)
        codes = list(dict.fromkeys(one.icd11 for one in chosen if one.kind in ("leaf", "alias")))
        if not codes:
            continue
        made.rows["coded"] += 1
        if _add_notes(made, draw, subject, hadm, codes):
            made.classes[hadm] = codes
            _add_report(made, draw, hadm, codes, diagnoses, lay)
    return made


def _admission(draw: random.Random, subject: int, hadm: int) -> Sequence[object]:
    day = draw.randrange(1, 28)
    times = (f"2150-03-{day:02d} 10:00:00", f"2150-04-{day:02d} 12:00:00")
    return (
        *(subject, hadm, *times, "", "EW EMER.", "P00X", "EMERGENCY ROOM", "HOME", "Other", "English"),
        *("", "UNKNOWN", "", "", 0),
    )


def _add_diagnoses(
    made: _Made, draw: random.Random, subject: int, hadm: int, chosen: Sequence[Invented]
) -> None:
    draw_nine = draw.random() < 0.4
    for place, one in enumerate(chosen, start=1):
        code, version = (one.icd9, 9) if draw_nine else (one.icd10, 10)
        made.diagnoses.append((subject, hadm, place, _padded(code, one), version))
        made.rows["read"] += 1
        made.rows[one.kind] += 1


def _add_notes(made: _Made, draw: random.Random, subject: int, hadm: int, codes: Sequence[str]) -> bool:
    """The notes of a stay: one, several, an addendum alone, or none."""
    luck = draw.random()
    kinds = ["DS"] if luck < 0.8 else ["AD", "DS", "DS"] if luck < 0.88 else ["AD"] if luck < 0.91 else []
    for place, kind in enumerate(kinds, start=1):
        name = f"{subject}-{kind}-{hadm % 1000 + place}"
        words = f' \nName:  ___\n\nChief Complaint:\n"unwell", {len(codes)} things\n\nNote {place}.\n'
        made.notes.append((name, subject, hadm, kind, place, "2150-04-01 00:00:00", "", words))
        made.details.append((name, subject, "author", "___", 1))
    made.several += kinds.count("DS") > 1
    if "DS" not in kinds:
        made.lost["note"]["no discharge note"] += 1
    return "DS" in kinds


def _add_report(
    made: _Made,
    draw: random.Random,
    hadm: int,
    codes: Sequence[str],
    diagnoses: Sequence[Invented],
    lay: dict[str, str],
) -> None:
    """What the patient says, sometimes nothing, sometimes too much."""
    luck = draw.random()
    if luck < 0.03:
        made.lost["report"]["no report"] += 1
        return
    if luck < 0.05:
        made.reports.append((hadm, "  "))
        made.lost["report"]["empty report"] += 1
        return
    leak = "" if luck > 0.17 else ("name", *_LEAKS)[int(luck * 1000) % 4]
    titles = {one.icd11: one.target for one in diagnoses if one.kind in ("leaf", "alias")}
    parts = ["I do not feel well.", *(lay[code] for code in codes)]
    parts += [f"They told me it is {titles[codes[0]]}."] if leak == "name" else []
    parts += [_LEAKS[leak]] if leak in _LEAKS else []
    made.reports.append((hadm, " ".join(parts)))
    made.reported[hadm] = leak
    guessed = [titles[code] for code in codes if draw.random() < 0.5]
    guessed += draw.sample(sorted(set(titles.values())), 1) if draw.random() < 0.6 else []
    guessed += ["homesickness"] if draw.random() < 0.1 else []
    made.replies.append({"item": str(hadm), "reply": "; ".join(dict.fromkeys(guessed))})


def _rankings(made: _Made, names: Mapping[str, str], draw: random.Random) -> Iterator[dict[str, Any]]:
    """What each label costs a model that nobody asked: of the test part, as a build with its defaults has it,
    each said to be likelier that is right; first what each costs without a report."""
    subjects = {hadm: str(subject) for subject, hadm, *_ in made.admissions}
    groups = grouped((subjects[int(one["item"])], one["item"]) for one in made.replies)

    def replies(right: Collection[str]) -> list[dict[str, Any]]:
        return [
            {"question": name, "reply": f'"{name}"', "probabilities": _forced(name, draw, code in right)}
            for code, name in names.items()
        ]

    drafts = [{"item": "prompt", "task": "prior", **one} for one in replies(())]
    for hadm, part in sorted(split_of(groups, 1).items()):
        if part == "test":
            own = replies(made.classes[int(hadm)])
            yield {"item": hadm, **({"drafts": drafts} if drafts else {}), "replies": own}
            drafts = []


def _forced(name: str, draw: random.Random, right: bool) -> list[tuple[str, float]]:
    """The tokens of a label between quotation marks, with logarithms of probabilities."""
    most = 3.0 if right else 6.0
    parts = [(f" {word}", -round(draw.uniform(0.2, most), 4)) for word in name.split()]
    return [('"', -0.1), (parts[0][0].lstrip(), parts[0][1]), *parts[1:], ('"', -0.1)]


def _expected(made: _Made, least: int, seed: int) -> dict[str, Any]:
    """What a build with that least count must come to, counted from what was made."""
    counts = Counter(code for codes in made.classes.values() for code in codes)
    frequent = {code for code, number in counts.items() if number >= least}
    kept = {hadm: [one for one in made.classes[hadm] if one in frequent] for hadm in made.reported}
    kept = {hadm: codes for hadm, codes in kept.items() if codes}
    made.replies = [one for one in made.replies if int(one["item"]) in kept]
    rows, leaf = made.rows, made.rows["leaf"] + made.rows["alias"]
    lost, noted, reported = made.lost, len(made.classes), len(made.reported)
    leaks = Counter(
        leak
        for hadm, leak in made.reported.items()
        if leak and hadm in kept and (leak != "name" or made.classes[hadm][0] in frequent)
    )

    def step(name: str, number: int, reason: str = "", gone: int = 0) -> dict[str, Any]:
        return {"step": name, "kept": number, "lost": {reason: gone} if gone else {}}

    return {
        "about": INVENTED,
        "seed": seed,
        "min_count": least,
        "items": len(kept),
        "funnel": [
            step("read", rows["read"]),
            step("mapped", rows["read"] - rows["unmapped"], "not mapped", rows["unmapped"]),
            step("leaf", leaf, "not a leaf", rows["parent"]),
            step("coded", rows["coded"], "another row of the same admission", leaf - rows["coded"]),
            step("note", noted) | {"lost": dict(lost["note"])},
            step("report", reported) | {"lost": dict(lost["report"])},
            step("frequent", len(kept), "no frequent class", reported - len(kept)),
        ],
        "classes": {code: counts[code] for code in sorted(frequent)},
        "leaks": dict(sorted(leaks.items())),
        "several_notes": made.several,
    }
