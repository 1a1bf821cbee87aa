"""T2: whether a patient may have one disease, any disease, by findings or report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from app.studies.pages import PUBLISHED, cell
from app.studies.rarebench.items import asked_of, described, lacking, unknown_in_words
from app.studies.rarebench.measures import of_task
from app.studies.rarebench.t1_scores import counts as counts_of_terms
from app.studies.results import Again, Item, Measure, Row, Scores
from app.studies.study import Building, Built, Job
from app.tables import Cell, Column, Table
from extractors.differential.ranking import Options, codes_of_names, shipped_naming, shipped_ranker
from extractors.differential.report import knowledge_as_json
from extractors.evidence.cases import Case, read_cases
from extractors.evidence.published import pubmed_ids
from extractors.model.errors import CallError
from extractors.model.progress import Progress
from extractors.tasks.base import Prompt
from extractors.tasks.diagnoses import MOST
from extractors.tasks.screening import NO, YES, screening_prompt

if TYPE_CHECKING:
    from extractors.differential.index import Diseases


def rank(job: Job) -> Callable[[Item, Again], Any]:
    """Ten names with the rank of the right disease, however far down; of T3's candidates only these."""
    both = job.settings["own_publication"] == "both"
    prevalence = not job.settings["no_prevalence"]
    leave_out = job.settings["own_publication"] != "keep"

    def answer(item: Item, _: Again) -> Any:  # noqa: ANN401 (a JSON value)
        found = _ranked(item, Options(None, prevalence, leave_out))
        if found is None or not both:
            return found
        seen = _ranked(item, Options(None, prevalence, leave_out=False))
        return found if seen is None else {**found, "seen": seen["ranking"], "seen_rank": seen["rank"]}

    return answer


def findings_of(item: Item) -> tuple[Sequence[str], Sequence[str]]:
    """The codes present and denied of a case; of a text alone those that the rules find in it."""
    if item.input["present"] or not item.input.get("text"):
        return item.input["present"], item.input["excluded"]
    from extractors.phenotypes.engine import load_rules

    return load_rules().profile(item.input["text"])


def _ranked(item: Item, options: Options) -> dict[str, Any] | None:
    ranker = shipped_ranker()
    diseases = ranker.diseases
    publications = pubmed_ids(item.input["publications"])
    found = ranker.rank(*findings_of(item), publications, options, listed=False)
    if found.scores is None:
        return None
    order = found.order()
    if candidates := set(item.input.get("candidates", ())):
        order = [number for number in order if diseases.names[number] in candidates]
    right = {diseases.numbers[code] for code in item.reference["diagnoses"] if code in diseases.numbers}
    place = next((rank for rank, number in enumerate(order, 1) if number in right), None)
    return {
        "ranking": [f"{diseases.names[one]} ({diseases.codes[one][0]})" for one in order[:MOST]],
        "rank": place,
        "left_out": found.left_out,
    }


T1, T2 = "t1", "t2"
FIRST = 10
_NAMED = ("name", "abbreviation", "family")
RULE = f"Yes where the disease, or a type of it, is among the ranker's first {FIRST} with evidence above 0."
# Chen et al., KDD 2024: recall of amyotrophic lateral sclerosis (8 cases), paroxysmal nocturnal
# haemoglobinuria (7), multiple system atrophy (18).
_CASES = (("ALS", 8), ("PNH", 7), ("MSA", 18))
_PUBLISHED = {
    "GPT-4": (0.625, 0.571, 0.611),
    "GPT-4, chain of thought": (0.625, 0.571, 0.667),
    "GPT-3.5": (0.375, 0.429, 0.444),
    "Gemini Pro": (0.25, 0.286, 0.333),
    "GLM4": (0.5, 0.429, 0.5),
    "Mistral-7B": (0.0, 0.143, 0.111),
}


@dataclass(frozen=True, slots=True)
class _Asked:
    """A disease that is asked about: its number in the index, the code as it was given, and its name."""

    number: int
    code: str
    name: str


def build(request: Building) -> Generator[Progress, None, Built]:
    """Each case with each of the diseases; without any named, with every diagnosis that the cases have."""
    yield Progress(0, 0, "reading cases")
    diseases = shipped_ranker().diseases
    names = codes_of_names(diseases)
    cases = read_cases(request.paths, diseases.terminology, names)
    left_out: Counter[str] = Counter(one.reason for one in cases.unread)
    asked = [_disease(name, diseases, names) for name in request.settings["disease"]]
    notes = []
    if not asked:
        every = dict.fromkeys(code for case in cases.cases for code in case.diagnoses)
        numbers = dict.fromkeys(diseases.numbers[code] for code in every if code in diseases.numbers)
        asked = [_Asked(one, diseases.codes[one][0], diseases.names[one]) for one in numbers]
        notes.append(f"No --disease is named: every case is asked about all {len(asked):,} diagnoses.")
    as_text = request.settings["input"] == "text"
    items = []
    for case in cases.cases:
        reason = lacking(case, as_text)
        if reason:
            left_out[f"{T2}: {reason}"] += 1
        else:
            items += [_item(case, one, diseases, as_text) for one in dict.fromkeys(asked)]
    details = {
        "knowledge": knowledge_as_json(diseases),
        "mapped": dict(cases.mapped),
        "diseases": [{"code": one.code, "name": one.name} for one in asked],
    }
    sources, notes = list(map(described, request.paths)), [*notes, *unknown_in_words(cases)]
    return Built(items, dict(left_out), sources, details, notes, wrong=bool(cases.unread))


def _disease(words: str, diseases: Diseases, names: dict[str, str]) -> _Asked:
    """The disease of a code or name; raises CallError."""
    code = names.get(words.strip().casefold(), words.strip())
    number = diseases.numbers.get(code, diseases.numbers.get(code.upper()))
    if number is None:
        naming = shipped_naming()
        found = naming.match(words, range(len(diseases))) if naming.is_name(words) else None
        if found is None or found.by not in ("code", *_NAMED[:2]):
            raise CallError(f"The knowledge has no disease “{words}”; name it by its code or its full name.")
        number, code = found.disease, diseases.codes[found.disease][0]
    return _Asked(number, code if code in diseases.numbers else code.upper(), diseases.names[number])


def case_of(item: Item) -> str:
    """The case that an item is about: T2 asks about one several times."""
    return item.id.rpartition("/")[0] if item.task == T2 else item.id


def is_named(name: str, number: int, other: int) -> bool:
    """Whether who has the `other` disease has the one of that name and number.

    Who has a type of a disease has the disease; who has another type has not.
    """
    if number == other:
        return True
    found = shipped_naming().match(name, (other,))
    return found is not None and found.by in _NAMED


def _item(case: Case, one: _Asked, diseases: Diseases, as_text: bool) -> Item:
    asked = asked_of(case, diseases, as_text)
    asked |= {"disease": one.name, "code": one.code}
    own = [diseases.numbers[code] for code in case.diagnoses if code in diseases.numbers]
    has = one.code in case.diagnoses or any(is_named(one.name, one.number, number) for number in own)
    reference = {"has": has, "diagnoses": list(case.diagnoses)}
    labels = {"set": case.set or "cases", "disease": one.name}
    return Item(f"{case.id}/{one.code}", T2, asked, reference, labels, asked["publications"])


def prompt(item: Item, *, steps: bool) -> Prompt:
    """May this patient have the disease?"""
    asked = item.input
    findings, denied = (asked.get(key, ()) for key in ("findings", "denied"))
    return screening_prompt(asked["disease"], findings, denied, asked.get("text", ""), steps=steps)


def screen(job: Job) -> Callable[[Item, Again], Any]:
    """Yes or no by RULE, with rank and evidence; of a text alone by the terms that the rules find in it."""
    ranker = shipped_ranker()
    options = Options(FIRST, not job.settings["no_prevalence"], job.settings["own_publication"] != "keep")

    def answer(item: Item, _: Again) -> Any:  # noqa: ANN401 (a JSON value)
        publications = pubmed_ids(item.input["publications"])
        found = ranker.rank(*findings_of(item), publications, options)
        if found.scores is None:
            return None
        number = ranker.diseases.numbers[item.input["code"]]
        asked = [one for one in found.diseases if is_named(item.input["disease"], number, one.number)]
        yes = bool(asked) and asked[0].evidence > 0
        return {
            "answer": YES if yes else NO,
            "rank": asked[0].rank if asked else found.order().index(number) + 1,
            "evidence": asked[0].evidence if asked else None,
            "left_out": found.left_out,
        }

    return answer


def graded(row: Row) -> dict[str, Any]:
    """What was answered, and whether it is right; without a clear answer it is not."""
    answer = row.value["answer"] if isinstance(row.value, dict) else row.value
    right = answer == (YES if row.item.reference["has"] else NO)
    return {"scores": {"answer": answer, "has": row.item.reference["has"], "right": right}, "matched": None}


def _has(row: Row) -> bool:
    return bool(row.item.reference["has"])


def _right(row: Row) -> float:
    return float(row.graded["scores"]["right"])


def _found_of_all(row: Row) -> Sequence[float] | None:
    """Of T2 whether a patient who has the disease is found; of T1 terms found and missed."""
    if row.item.task != T2:
        return counts_of_terms(row)
    return (_right(row), 0.0, 1 - _right(row)) if _has(row) else None


def _recall(sums: Sequence[float]) -> float | None:
    right, _, missed = sums
    return right / (right + missed) if right + missed else None


def _both(row: Row) -> Sequence[float]:
    has, right = float(_has(row)), _right(row)
    return has * right, has, (1 - has) * right, 1 - has


def _balanced(sums: Sequence[float]) -> float | None:
    found, having, denied, without = sums
    return (found / having + denied / without) / 2 if having and without else None


_NOBODY_HAS = "Nobody asked about has the disease."
_EVERYBODY_HAS = "Everybody asked about has the disease; build with other patients, too."
_NOTHING_TO_FIND = "There is nothing that could be found."
_NO_BALANCE = "It takes patients who have the disease and patients who have not."
RECALL = Measure("recall", "Recall", _found_of_all, total=_recall, tasks=(T1, T2), reason=_NOTHING_TO_FIND)
_of = partial(Measure, tasks=(T2,))
MEASURES = (
    _of("specificity", "Specificity", lambda row: None if _has(row) else _right(row), reason=_EVERYBODY_HAS),
    _of("balanced_accuracy", "Balanced accuracy", _both, total=_balanced, reason=_NO_BALANCE),
    _of("always_yes", "Right by always yes", lambda row: float(_has(row))),
)
_COLUMNS = ("recall", "specificity", "balanced_accuracy")


def table(scores: Scores) -> Table[Any] | None:
    """The runs that answered T2, and what saying yes always comes to."""
    own = of_task(scores, T2)
    if not own.runs:
        return None
    known = {measure.id: measure for measure in scores.measures}
    rows: list[tuple[object, ...]] = [
        (name, run.n, *(cell(run.scores.get(one)) for one in _COLUMNS)) for name, run in own.runs.items()
    ]
    every = [row for rows_of_run in own.rows.values() for row in rows_of_run]
    having, without = any(map(_has, every)), not all(map(_has, every))
    always = (
        Cell(1.0) if having else Cell(None, _NOBODY_HAS),
        Cell(0.0) if without else Cell(None, _EVERYBODY_HAS),
        Cell(0.5) if having and without else Cell(None, _NO_BALANCE),
    )
    rows.append(("always yes", None, *always))
    if scores.published:
        rows += [
            (f"{name}, {disease}{PUBLISHED}", number, value, None, None)
            for name, values in _PUBLISHED.items()
            for (disease, number), value in zip(_CASES, values, strict=True)
        ]
    columns = (
        Column("Run", key="run", kind="words"),
        Column("n", key="n"),
        *(Column(known[one].label, key=one, decimals=3, heading=(known[one].label,)) for one in _COLUMNS),
    )
    return Table(columns, tuple(rows))
