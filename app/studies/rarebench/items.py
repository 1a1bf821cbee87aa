"""Cases as items: T4 asks for any rare disease, T3 for the likeliest of a list of candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.studies.rarebench.sources import described
from app.studies.results import Item
from app.studies.study import Building, Built
from extractors.differential.knowledge import codes_of_names, shipped_ranker
from extractors.differential.report import knowledge_as_json
from extractors.evidence.cases import Case, read_cases
from extractors.model.errors import CallError, FormatError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from extractors.differential.index import Diseases

T3, T4 = "t3", "t4"


def build(request: Building) -> Generator[Progress, None, Built]:
    """An item for each case whose diagnosis the knowledge has, in each task asked for (T4 without a word)."""
    if not request.paths:
        raise CallError("Name the cases: --from FILE.jsonl, phenopackets or a folder.")
    yield Progress(0, 0, "reading cases")
    tasks = request.tasks or (T4,)
    diseases = shipped_ranker().diseases
    names = codes_of_names(diseases)
    cases = read_cases(request.paths, diseases.terminology, names)
    candidates = _candidates(request.settings["candidates"], diseases, names) if T3 in tasks else []
    as_text = request.settings["input"] == "text"
    left_out: Counter[str] = Counter(one.reason for one in cases.unread)
    items = []
    for case in cases.cases:
        known = [code for code in case.diagnoses if code in diseases.numbers]
        reason = _lacking(case, known, as_text)
        if reason:
            left_out[reason] += 1
            continue
        for task in tasks:
            if task == T3 and not {diseases.numbers[code] for code in known} & set(candidates):
                left_out["t3: the diagnosis is none of the candidates"] += 1
            else:
                items.append(_item(case, task, known, candidates, diseases, as_text))
    return Built(
        items,
        dict(left_out),
        [source for path in request.paths for source in described(path)],
        {"knowledge": knowledge_as_json(diseases), "mapped": dict(cases.mapped)},
    )


def _lacking(case: Case, known: Sequence[str], as_text: bool) -> str:
    if not case.diagnoses:
        return "no diagnosis"
    if not known:
        return "the knowledge has no such diagnosis"
    if as_text and not case.text:
        return "no text"
    return "" if as_text or case.present else "no findings"


def _item(
    case: Case,
    task: str,
    known: Sequence[str],
    candidates: Sequence[int],
    diseases: Diseases,
    as_text: bool,
) -> Item:
    numbers = list(dict.fromkeys(diseases.numbers[code] for code in known))
    terminology = diseases.terminology

    def label(code: str) -> str:
        row = terminology.row(code)
        return code if row is None else terminology.label(row)

    asked: dict[str, Any] = {"present": list(case.present), "excluded": list(case.excluded)}
    if as_text:
        asked["text"] = case.text
    else:
        asked |= {
            "findings": [label(code) for code in case.present],
            "denied": [label(code) for code in case.excluded],
        }
    asked["publications"] = [f"PMID:{number}" for number in case.publications]
    if task == T3:
        asked["candidates"] = [diseases.names[number] for number in candidates]
    names = [diseases.names[number] for number in numbers]
    few = len(case.present)
    labels = {
        "set": case.set or "cases",
        "disease": names[0],
        "findings": "1-4" if few < 5 else "5-9" if few < 10 else "10 and more",
    }
    reference = {"diagnoses": [code for number in numbers for code in diseases.codes[number]], "names": names}
    return Item(case.id, task, asked, reference, labels, asked["publications"])


def _candidates(path: Path | None, diseases: Diseases, names: dict[str, str]) -> list[int]:
    """The diseases of a file with a code or name a line."""
    if path is None:
        raise CallError("T3 needs its list of diseases: --candidates FILE, a code or name a line.")
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CallError(f"{path} cannot be read: {error}.") from None
    found: dict[int, None] = {}
    for line in filter(None, map(str.strip, lines)):
        number = diseases.numbers.get(names.get(line.casefold(), line))
        if number is None:
            raise FormatError(f"{path.name}: the knowledge has no disease “{line}”; take it out of the list.")
        found.setdefault(number)
    return list(found)
