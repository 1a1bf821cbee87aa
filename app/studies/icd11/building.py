"""Items from one's own MIMIC: diagnoses as ICD-11 classes beside what the patient says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from app.studies.icd11 import funnel
from app.studies.icd11.funnel import Coded, Mapped
from app.studies.icd11.leaks import described, leak_of
from app.studies.icd11.mimic import Mimic, Notes, csv_rows
from app.studies.lines import digest_of
from app.studies.results import Item
from app.studies.study import Ask, Building, Built
from extractors.grouping import grouped
from extractors.model.errors import CallError
from extractors.model.progress import Progress
from extractors.tasks.coding import SELF_REPORT_TOKENS, VERSION, self_report_prompt
from extractors.terminology.icd11.classes import LEVELS, Classes, open_icd11, open_maps

if TYPE_CHECKING:
    from extractors.terminology.icd11.mapping import Source, Via

# Titles that are merely alike are offered to people; here all words must be there, or a table must say so.
STEPS = ("full title", "sub-phrase", "table", "family")
_SOURCES: Mapping[str, Source] = {"9": "icd9cm", "10": "icd10cm"}


def code_mapper(
    classes: Classes, titles: Mapping[tuple[str, str], str], via: Via
) -> Callable[[str, str], Mapped]:
    """Maps a code of a version (9 or 10) with its long title; TerminologyError where a map is needed."""
    from extractors.terminology.icd11.mapping import Mapper

    mapper = Mapper(classes, open_maps(classes.release))

    def map_code(code: str, version: str) -> Mapped:
        source = _SOURCES.get(version)
        if source is None:
            return Mapped(reason="a version that is neither 9 nor 10")
        mapper.require(source, via)
        found = mapper.map(code, titles.get((code, version), ""), source, via)
        best = next((one for one in found.candidates if one.step in STEPS), None)
        return Mapped() if best is None else Mapped(best.code, best.step, classes[best.code].leaf)

    return map_code


TASK = "coding"
GUARD = "MIMIC"
MARK = "derived from MIMIC, credentialed"
_TICK, _TOGETHER = 20_000, 500
_MEND = "save it with a head of hadm_id,self_report"


@dataclass(slots=True)
class _Reports:
    """Self-reports by hadm_id, each with its leak; `others` are those of admissions without a class, `rows`
    those of the file."""

    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    others: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    strays: int = 0
    rows: int = 0

    @property
    def number(self) -> int:
        """How many admissions have one."""
        return len(self.texts) + self.others


@dataclass(slots=True)
class _Stays:
    """Admissions with a note, and of each the frequent classes (codes) by seq_num."""

    noted: Mapping[str, str]
    frequent: dict[str, list[str]]
    counts: dict[str, int]


def build(request: Building) -> Generator[Progress, None, Built]:
    """Items of the admissions that come through all steps; CallError changes nothing."""
    settings = request.settings
    if (settings["reports"] is None) == (settings["reports_from"] is None):
        raise CallError(
            "Say where the self-reports come from: --reports MODEL writes them here, --reports-from CSV "
            "takes given ones (hadm_id,self_report)."
        )
    mimic, classes = Mimic(settings["mimic"]), open_icd11()
    there = {one.id: one for one in request.there if one.task == TASK}
    coded, left_out = yield from _coded(mimic, classes, settings["via"])
    yield Progress(0, 0, "reading the notes")
    notes = mimic.notes(coded.found)
    stays = _stays(coded, notes, settings["min_count"])
    if not stays.counts:
        raise CallError(f"No class occurs {settings['min_count']:,} times; choose a smaller --min-count.")
    how = _how(request, classes.release, request.built if there else {})
    names = {code: classes[code].title.lower() for code in stays.counts}
    if settings["reports"] is None:
        reports = yield from _given(request, stays, names)
    else:
        reports = yield from _written(request, mimic, stays, names)
    if not reports.texts:
        raise CallError(_nothing_left(reports))
    lost = {"note": {funnel.NO_NOTE: len(coded.found) - len(stays.noted)}, "report": reports.lost}
    steps = funnel.steps_of(coded, len(stays.noted), lost, reports.number, len(reports.texts))
    for step in steps[4:]:
        left_out.update(step["lost"])
    yield Progress(0, 0, "making the items")
    items = _items(coded, stays, reports, names, settings["split"], request.seed, there)
    every = [*({**there, **{one.id: one for one in items}}.values())]
    details: dict[str, Any] = {
        **how,
        "classes": _classes(every, stays, classes),
        "classes_per_item": funnel.spread([len(one.reference.get("codes", ())) for one in every]),
        "words_per_report": funnel.spread([len(one.input["report"].split()) for one in every]),
        "leaks": dict(sorted(Counter(one.labels["leak"] for one in every if "leak" in one.labels).items())),
        "mapped": {step: coded.steps[step] for step in STEPS},
        "funnel": steps,
    }
    sources = mimic.sources()
    if settings["reports_from"] is not None:
        given = {"file": settings["reports_from"].name, "version": "", "licence": MARK}
        digest = digest_of(settings["reports_from"])
        sources.append({**given, "sha256": digest, "rows": reports.rows})
    parts = [f"These items are {MARK}.", *_about(notes, reports, steps), classes.citation]
    return Built(items, dict(left_out), sources, details, parts, guard=GUARD)


def _how(request: Building, release: str, before: Mapping[str, Any]) -> dict[str, Any]:
    """What all items of a project must have been built with; CallError where `before` has it otherwise."""
    chosen = {key: request.settings[key] for key in ("min_count", "via", "split")}
    how = {**chosen, "seed": request.seed, "release": release}
    for key, value in how.items():
        if before.get(key, value) != value:
            raise CallError(
                f"The items here were built with {key.replace('_', ' ')} {before[key]}, not {value}; "
                "build these into another project."
            )
    return how


def _nothing_left(reports: _Reports) -> str:
    gone = {**reports.lost, "of no admission that was kept": reports.strays, funnel.RARE: reports.others}
    reasons = ", ".join(f"{number:,} {reason}" for reason, number in gone.items() if number)
    return f"No self-report is left to make an item of: {reasons or 'there are none'}."


def _coded(mimic: Mimic, classes: Classes, via: Via) -> Generator[Progress, None, tuple[Coded, Counter[str]]]:
    """Steps 1 to 4, in rows of diagnoses; how many admissions have none that came through."""
    yield Progress(0, 0, "reading the codes")
    map_code = cache(code_mapper(classes, mimic.titles(), via))
    coded, diagnosed = Coded(), set[str]()
    for number, row in enumerate(mimic.diagnoses()):
        if number % _TICK == 0:
            yield Progress(number, 0, f"reading diagnoses, {number:,}")
        if not row[2].strip().isdigit():
            raise CallError(f"{mimic.folder} has a diagnosis whose seq_num is no number; download it again.")
        diagnosed.add(row[1])
        coded.add(row, map_code)
    left_out: Counter[str] = Counter()
    for (hadm,) in mimic.rows("hosp/admissions", ("hadm_id",)):
        if hadm not in diagnosed:
            left_out["no diagnosis"] += 1
        elif hadm not in coded.found:
            left_out["no class of ICD-11"] += 1
    return coded, left_out


def _stays(coded: Coded, notes: Notes, least: int) -> _Stays:
    """Step 5 and the counting of step 7, which is on admissions with a note."""
    codes = list(coded.codes)
    counts = coded.counts(notes.chosen)
    enough = {place for place, number in counts.items() if number >= least}
    frequent = {}
    for hadm in sorted(notes.chosen):
        if own := [codes[place] for place in coded.ordered(hadm) if place in enough]:
            frequent[hadm] = own
    return _Stays(notes.chosen, frequent, {codes[place]: counts[place] for place in sorted(enough)})


def _given(request: Building, stays: _Stays, names: Mapping[str, str]) -> Generator[Progress, None, _Reports]:
    """Those of a file; leaking ones are kept unless they are to be dropped."""
    reports, there = _Reports(), set[str]()
    path = request.settings["reports_from"]
    for number, (given, text) in enumerate(csv_rows(path, ("hadm_id", "self_report"), _MEND)):
        if number % _TICK == 0:
            yield Progress(number, 0, f"reading self-reports, {number:,}")
        reports.rows = number + 1
        hadm, words = given.strip(), text.strip()
        if hadm not in stays.noted:
            reports.strays += 1
            continue
        if hadm in there:
            raise CallError(f"{path} has two self-reports of one admission; keep one of them.")
        there.add(hadm)
        codes = stays.frequent.get(hadm, [])
        leak = leak_of(words, [names[code] for code in codes])
        if not words:
            reports.lost[funnel.EMPTY] += 1
        elif leak and request.settings["drop_leaks"]:
            reports.lost[funnel.LEAKING] += 1
        elif codes:
            reports.texts[hadm] = words, leak
        else:
            reports.others += 1
    if missing := len(stays.noted) - len(there):
        reports.lost[funnel.NO_REPORT] = missing
    return reports


def _written(
    request: Building, mimic: Mimic, stays: _Stays, names: Mapping[str, str]
) -> Generator[Progress, None, _Reports]:
    """Those that a model writes, of admissions with a frequent class; what leaks is asked for once more."""
    reports = _Reports(others=len(stays.noted) - len(stays.frequent))
    model = request.settings["reports"]
    wanted = {hadm: stays.noted[hadm] for hadm in stays.frequent}
    left = mimic.texts(wanted)
    while some := list(islice(left, _TOGETHER)):
        drafts = [Item(hadm, TASK, {"note": note}) for hadm, note in some]
        first = yield from request.ask(model, drafts, _ask())
        again = []
        for hadm, note in some:
            words = str(first.get((TASK, hadm)) or "").strip()
            leak = leak_of(words, [names[code] for code in stays.frequent[hadm]])
            if leak:
                again.append(Item(f"{hadm}/again", TASK, {"note": note, "leak": described(leak)}))
            elif words:
                reports.texts[hadm] = words, ""
            else:
                known = (TASK, hadm) in first
                reports.lost[funnel.EMPTY if known else funnel.NO_REPORT] += 1
        second = (yield from request.ask(model, again, _ask())) if again else {}
        for draft in again:
            hadm = draft.id.partition("/")[0]
            words = str(second.get((TASK, draft.id)) or "").strip()
            if words and not leak_of(words, [names[code] for code in stays.frequent[hadm]]):
                reports.texts[hadm] = words, ""
            else:
                reports.lost[funnel.LEAKING] += 1
    return reports


def _ask() -> Ask:
    return Ask(
        lambda item, again, question: self_report_prompt(item.input["note"], item.input.get("leak", "")),
        VERSION,
        reply_tokens=SELF_REPORT_TOKENS,
    )


def _items(
    coded: Coded,
    stays: _Stays,
    reports: _Reports,
    names: Mapping[str, str],
    split: str,
    seed: int,
    there: Mapping[str, Item],
) -> list[Item]:
    """Those that are `there` keep their part, and so do their patients where others are added."""
    group_of = coded.subjects if split == "patient" else {hadm: hadm for hadm in coded.subjects}
    kept = {
        group_of[hadm]: one.labels["split"]
        for hadm, one in there.items()
        if hadm in group_of and "split" in one.labels
    }
    added = (hadm for hadm in sorted(reports.texts) if group_of[hadm] not in kept)
    parts = funnel.split_of(grouped((group_of[hadm], hadm) for hadm in added), seed)
    items = []
    for hadm in sorted(reports.texts):
        (text, leak), codes = reports.texts[hadm], stays.frequent[hadm]
        reference = {"codes": codes, "names": list(dict.fromkeys(names[code] for code in codes))}
        labels = {"split": kept.get(group_of[hadm]) or parts[hadm], **({"leak": leak} if leak else {})}
        items.append(Item(hadm, TASK, {"report": text}, reference, labels, [MARK]))
    return items


def _classes(items: Sequence[Item], stays: _Stays, classes: Classes) -> list[dict[str, Any]]:
    """Every class by falling count in the training part; `admissions` is what the least count goes by."""
    train = Counter(
        code for one in items if one.labels.get("split") == "train" for code in one.reference.get("codes", ())
    )
    found = []
    for code in sorted(stays.counts, key=lambda code: (-train[code], code)):
        known = classes[code]
        above: dict[str, Any] = {level: classes.lifted(code, level) for level in LEVELS}
        values = {"code": code, "name": known.title.lower(), "uri": known.uri, "count": train[code]}
        found.append({**values, "admissions": stays.counts[code], **above})
    return found


def _about(notes: Notes, reports: _Reports, steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for step in steps:
        gone = ", ".join(f"{number:,} {reason}" for reason, number in step["lost"].items())
        yield f"{step['step']}: {step['kept']:,}{f'; lost: {gone}' if gone else ''}"
    if notes.further or notes.addenda:
        yield f"Not used: {notes.further:,} further discharge notes, {notes.addenda:,} of other kinds."
    if reports.strays:
        yield f"{reports.strays:,} self-reports are of no admission that was kept."
