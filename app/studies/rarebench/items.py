"""Cases as items: T4 asks for any rare disease, T3 for the likeliest of a list of candidates."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.studies.lines import files_in, source_of
from app.studies.rarebench.judging import T3, T4
from app.studies.results import Item
from app.studies.study import Building, Built
from app.text import counted, text_of_file
from extractors.differential.ranking import codes_of_names, shipped_naming, shipped_ranker
from extractors.differential.report import knowledge_as_json
from extractors.evidence.cases import Case, Cases, read_cases
from extractors.model.errors import CallError, FormatError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from extractors.differential.index import Diseases


def described(path: Path) -> dict[str, Any]:
    """A file or folder with the digest over all that was read of it."""
    files = files_in(path, "*.json*")
    return source_of(path.name, files, "as of the cases", sum(_rows(one.read_bytes()) for one in files))


def unknown_in_words(cases: Cases) -> list[str]:
    """Which findings are no terms, as a sentence where there are any."""
    many = counted(len(cases.unknown), "finding")
    unknown = ", ".join(cases.unknown)
    return [f"{many} unknown to this release, and not counted: {unknown}."] if unknown else []


def _rows(content: bytes) -> int:
    """How many cases a file has: those of a JSON list, one, or one a line."""
    try:
        whole = json.loads(content)
    except ValueError:
        return sum(1 for line in content.splitlines() if line.strip())
    return len(whole) if isinstance(whole, list) else 1


@dataclass(frozen=True, slots=True)
class Candidate:
    """A disease of T3's list: its name, its number in the index (None where that lacks it), whether rare.

    What OMIM or Orphanet has is rare unless the list says otherwise: their classes of prevalence are highest
    anywhere, and would make what is frequent in one village common.
    """

    name: str
    number: int | None
    rare: bool = True


def build(request: Building) -> Generator[Progress, None, Built]:
    """An item for each case whose diagnosis can be told, in each task asked for (T4 without a word)."""
    yield Progress(0, 0, "reading cases")
    tasks = request.tasks or (T4,)
    diseases = shipped_ranker().diseases
    names = codes_of_names(diseases)
    cases = read_cases(request.paths, diseases.terminology, names)
    candidates = _candidates(request.settings["candidates"], diseases, names) if T3 in tasks else []
    as_text = request.settings["input"] == "text"
    left_out: Counter[str] = Counter(one.reason for one in cases.unread)
    unknown = 0
    items = []
    for case in cases.cases:
        known = [code for one in case.diagnoses if (code := _code(one, diseases, names))]
        unknown += bool(known) and len(known) < len(case.diagnoses)
        reason = lacking(case, as_text)
        if reason:
            left_out[reason] += 1
            continue
        for task in tasks:
            right = _right(case, known, candidates, diseases) if task == T3 else _known(known, diseases)
            if right:
                items.append(_item(case, task, right, candidates, diseases, as_text))
            elif task == T3:
                left_out["t3: the diagnosis is none of the candidates"] += 1
            else:
                left_out["the knowledge has no such diagnosis"] += 1
    details = {
        "knowledge": knowledge_as_json(diseases),
        "mapped": dict(cases.mapped),
        "cases_with_further_unknown_diagnoses": unknown,
    }
    sources = list(map(described, request.paths))
    notes = [*_notes(left_out, candidates), *unknown_in_words(cases)]
    return Built(items, dict(left_out), sources, details, notes, wrong=bool(cases.unread))


def items_of(path: Path) -> list[Item]:
    """The cases of a file with a known diagnosis, with findings and report, to take examples from."""
    diseases = shipped_ranker().diseases
    names = codes_of_names(diseases)
    found = []
    for case in read_cases([path], diseases.terminology, names).cases:
        codes = [code for one in case.diagnoses if (code := _code(one, diseases, names))]
        if codes:
            item = _item(case, T4, _known(codes, diseases), (), diseases, as_text=False)
            text = {"text": case.text} if case.text else {}
            found.append(replace(item, input={**item.input, **text}))
    return found


def _notes(left_out: Mapping[str, int], candidates: Sequence[Candidate]) -> list[str]:
    absent = left_out.get("the knowledge has no such diagnosis", 0)
    strange = sum(one.number is None for one in candidates)
    notes = []
    if absent:
        notes.append(f"{counted(absent, 'case')} without a known diagnosis: left out, nobody's miss.")
    if strange:
        notes.append(
            f"{strange} of {counted(len(candidates), 'candidate')} are unknown here: models are asked about "
            "them, the ranker cannot rank them, which counts as a miss."
        )
    return notes


def _code(words: str, diseases: Diseases, names: Mapping[str, str]) -> str:
    """The code of a diagnosis that the index has, by code or name; "" where it has none."""
    if words in diseases.numbers:
        return words
    if code := names.get(words.casefold(), ""):
        return code
    number = shipped_naming().disease(words)
    return "" if number is None else diseases.codes[number][0]


def lacking(case: Case, as_text: bool) -> str:
    """Why nothing can be asked about a case, by its text or its findings; "" where it can."""
    if not case.diagnoses:
        return "no diagnosis"
    if as_text and not case.text:
        return "no text"
    return "" if as_text or case.present else "no findings"


def _known(codes: Sequence[str], diseases: Diseases) -> list[Candidate]:
    return [_of_index(number, diseases) for number in dict.fromkeys(diseases.numbers[code] for code in codes)]


def _right(
    case: Case, codes: Sequence[str], candidates: Sequence[Candidate], diseases: Diseases
) -> list[Candidate]:
    """Those of the candidates that a case has, by code or by the words of its diagnosis."""
    numbers = {diseases.numbers[code] for code in codes}
    names = {one.casefold() for one in case.diagnoses}
    return [one for one in candidates if one.number in numbers or one.name.casefold() in names]


def _of_index(number: int, diseases: Diseases) -> Candidate:
    return Candidate(diseases.names[number], number)


def asked_of(case: Case, diseases: Diseases, as_text: bool) -> dict[str, Any]:
    """What is shown of a case: its text, or its findings by name."""
    label = diseases.terminology.label_of
    shown = (
        {"text": case.text}
        if as_text
        else {"findings": list(map(label, case.present)), "denied": list(map(label, case.excluded))}
    )
    publications = [f"PMID:{number}" for number in case.publications]
    asked = {"present": list(case.present), "excluded": list(case.excluded)}
    return {**asked, **shown, "publications": publications}


def _item(
    case: Case,
    task: str,
    right: Sequence[Candidate],
    candidates: Sequence[Candidate],
    diseases: Diseases,
    as_text: bool,
) -> Item:
    asked = asked_of(case, diseases, as_text)
    if task == T3:
        asked["candidates"] = [one.name for one in candidates]
    names = [one.name for one in right]
    few = len(case.present)
    labels = {
        "set": case.set or "cases",
        "disease": names[0],
        "findings": "1-4" if few < 5 else "5-9" if few < 10 else "10 and more",
    }
    if task == T3:
        labels["rarity"] = "rare" if any(one.rare for one in right) else "common"
    codes = [code for one in right if one.number is not None for code in diseases.codes[one.number]]
    return Item(case.id, task, asked, {"diagnoses": codes, "names": names}, labels, asked["publications"])


def _candidates(path: Path | None, diseases: Diseases, names: Mapping[str, str]) -> list[Candidate]:
    """The diseases of a file, a code or name a line; behind a tab "rare" or "common", else as known here."""
    if path is None:
        raise CallError("T3 needs its list of diseases: --candidates FILE, a code or name a line.")
    if not path.exists():
        raise CallError(f"{path} is not there.")
    lines = text_of_file(path).splitlines()
    found: dict[str, Candidate] = {}
    for line in filter(None, map(str.strip, lines)):
        details, _, group = (part.strip() for part in line.partition("\t"))
        if group not in ("", "rare", "common"):
            raise FormatError(f"{path.name}: “{details}” is {group}; say rare or common behind the tab.")
        number = diseases.numbers.get(_code(details, diseases, names))
        one = Candidate(details, None, False) if number is None else _of_index(number, diseases)
        found.setdefault(one.name.casefold(), replace(one, rare=group == "rare") if group else one)
    if not found:
        raise FormatError(f"{path.name} names no disease to choose from.")
    return list(found.values())
