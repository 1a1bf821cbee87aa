"""T1: terms of a text (PTE), its entities in its own words (GEE), the terms of given entities (GES)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from app.studies.rarebench.items import described, unknown_in_words
from app.studies.results import Again, Item
from app.studies.study import Building, Built, Job
from extractors.evidence.cases import Case, read_cases
from extractors.model.document import Document
from extractors.model.errors import CallError
from extractors.model.progress import Progress
from extractors.phenotypes.names import ROOT
from extractors.tasks.phenotypes import terms_form, terms_prompt
from extractors.tasks.prompting.variants import TERM_PROMPTINGS, Level, TermPrompting
from extractors.tasks.term_forms import NamedTerm
from extractors.terminology.exact import OF_BEFORE, exact_names
from extractors.terminology.hierarchy import ancestors
from extractors.terminology.library import shipped_hpo

if TYPE_CHECKING:
    from extractors.phenotypes.engine import PhenotypeRules
    from extractors.tasks.base import Form, Prompt
    from extractors.terminology.index import Terminology

T1 = "t1"
_EACH_REPLY, _REPLY, _STEPS = 48, 2048, 512
# The rules give an entity the nearest term where none has its name and none is found in it.
_LEAST_NEAR = 0.6


def build(request: Building) -> Generator[Progress, None, Built]:
    """An item for each case with what the level needs; what a score leaves aside is counted."""
    yield Progress(0, 0, "reading cases")
    terminology = shipped_hpo()
    cases = read_cases(request.paths, terminology)
    left_out: Counter[str] = Counter(one.reason for one in cases.unread)
    aside: Counter[str] = Counter()
    level: Level = request.settings["level"]
    items = []
    for case in cases.cases:
        found = _item(case, level, terminology, aside)
        if isinstance(found, str):
            left_out[f"{T1}: {found}"] += 1
        else:
            items.append(found)
    return Built(
        items,
        dict(left_out),
        list(map(described, request.paths)),
        {"hpo": terminology.release, "level": level, "mapped": dict(cases.mapped), "aside": dict(aside)},
        unknown_in_words(cases),
        wrong=bool(cases.unread),
    )


def _item(case: Case, level: Level, terminology: Terminology, aside: Counter[str]) -> Item | str:
    """The item of a case, or why there is none."""
    entities = [one for one in case.entities if one.text.strip()]
    asked: dict[str, Any] = {}
    if level != "ges":
        if not case.text.strip():
            return "no text"
        asked["text"] = case.text
    if level != "pte" and not entities:
        return "no entities"
    labels = {"set": case.set or "cases", "level": level}
    sources = [f"PMID:{number}" for number in case.publications]
    if level == "gee":
        reference: dict[str, Any] = {"entities": [one.text for one in entities]}
        return Item(case.id, f"{T1}/{level}", asked, reference, labels, sources)
    if level == "pte":
        # A case whose list of terms is empty says them with its entities.
        codes = case.present or [one.hpo_id for one in entities]
        terms = list(dict.fromkeys(filter(None, (_scored(code, terminology, aside) for code in codes))))
    else:
        named = [(one.text, _scored(one.hpo_id, terminology, aside)) for one in entities]
        asked["entities"] = [text for text, code in named if code]
        terms = [code for _, code in named if code]
    if not terms:
        return "no term that is scored"
    names = list(map(terminology.label_of, terms))
    return Item(case.id, f"{T1}/{level}", asked, {"terms": terms, "names": names}, labels, sources)


def _scored(code: str, terminology: Terminology, aside: Counter[str]) -> str:
    """The code in use of a term that is scored; "" for one that is no phenotypic abnormality, or unknown."""
    known = exact_names(terminology).of_code(code.upper().replace("_", ":"))
    if known is None:
        aside["no term of this release"] += 1
        return ""
    if known.code != code:
        aside["read as the code in use"] += 1
    if not is_scored(known.code):
        aside["no phenotypic abnormality"] += 1
        return ""
    return known.code


@lru_cache(maxsize=4096)
def is_scored(code: str) -> bool:
    """Whether a code stands below phenotypic abnormality."""
    terminology = shipped_hpo()
    row, top = terminology.row(code), terminology.row(ROOT)
    return row is not None and row != top and top in ancestors(terminology, row)


def level_of(item: Item) -> Level:
    """The level of an item."""
    return cast("Level", item.task.partition("/")[2])


def prompting_of(job: Job) -> TermPrompting:
    """How T1 is asked; raises CallError for what only lists of diseases are asked by."""
    asked = job.settings.get("prompting", TERM_PROMPTINGS[0])
    if asked not in TERM_PROMPTINGS:
        raise CallError(f"{T1} is asked by {', '.join(TERM_PROMPTINGS)}, not by {asked}.")
    return cast("TermPrompting", asked)


def prompt(item: Item, job: Job) -> Prompt:
    """A text or given entities between marks, and what is to be found; what is denied is left out."""
    level, prompting = level_of(item), prompting_of(job)
    if level == "gee" and prompting == "retrieval":
        raise CallError("Entities have no terms to choose from: --prompting retrieval is for pte and ges.")
    text, entities = item.input.get("text", ""), item.input.get("entities", ())
    return terms_prompt(shipped_hpo(), level, prompting, text, entities)


def form(item: Item) -> Form:
    """That of its level."""
    return terms_form(shipped_hpo(), level_of(item), "zero-shot", item.input.get("entities", ()))


def reply_tokens(item: Item) -> int:
    """So many for each entity that is given."""
    return max(_STEPS, _EACH_REPLY * len(item.input.get("entities", ())) or _REPLY) + _STEPS


def rules(_: Job) -> Callable[[Item, Again], Any]:
    """The built-in extractor; it names a given entity by name, by the terms in it, or by the nearest name."""
    from extractors.phenotypes.engine import load_rules

    extractor = load_rules()

    def answer(item: Item, _: Again) -> Any:  # noqa: ANN401 (a JSON value)
        if level_of(item) == "ges":
            return [asdict(_named(entity, extractor)) for entity in item.input["entities"]]
        found = [
            one
            for one in extractor.extract(Document(item.id, item.input["text"], ()))
            if one.polarity == "present" and not one.relative
        ]
        if level_of(item) == "gee":
            return list({(one.start, one.end): one.text for one in found}.values())
        return [asdict(NamedTerm(one.text, one.label, one.code, one.label, "rules")) for one in found]

    return answer


def _named(entity: str, extractor: PhenotypeRules) -> NamedTerm:
    from extractors.terminology.nearest import nearest_names

    terminology = shipped_hpo()
    known = exact_names(terminology).of_name(entity)
    if known is not None:
        return NamedTerm(entity, known.label, known.code, known.label, known.by)
    inside = max(extractor.find(entity), key=lambda one: one.end - one.start, default=None)
    if inside is not None:
        return NamedTerm(entity, inside.label, inside.code, inside.label, "rules")
    ((row, likeness), *_), *_ = [*nearest_names(terminology, ROOT).near([entity], 1), [(0, 0.0)]]
    if likeness < _LEAST_NEAR:
        return NamedTerm(entity, "")
    label = terminology.label(row)
    return NamedTerm(entity, label, terminology.codes[row], label, "nearest name")


def details(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Of graded answers: how many terms there are not, are not scored, had another code before."""
    parts = [one["scores"] for one in rows if "unknown" in one.get("scores", {})]
    return {
        "unknown_terms": sum(one["unknown"] for one in parts),
        "not_scored": sum(one["aside"] for one in parts),
        "mapped": sum(term["by"] == OF_BEFORE for one in rows for term in one["matched"]),
    }
