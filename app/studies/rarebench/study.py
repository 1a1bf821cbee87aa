"""RareBench as a study: its options, the built-in ranker, how models are asked, measures and tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.studies.rarebench.grading import MEASURES, grade
from app.studies.rarebench.items import T3, T4, build
from app.studies.results import Again, Item, Row, Scores
from app.studies.study import Ask, Job, Method, Option, Study, Table
from app.studies.tables import by_run
from app.tables import Table as DrawnTable
from extractors.differential.knowledge import shipped_ranker
from extractors.differential.ranking import Options
from extractors.differential.report import knowledge_as_json
from extractors.evidence.published import pubmed_ids
from extractors.tasks.base import Prompt
from extractors.tasks.diagnoses import MOST, VERSION, diagnosis_prompt
from extractors.tasks.forms import Ranking

_COLUMNS = ("hit@1", "hit@3", "hit@10", "median_rank")
# Chen et al., KDD 2024; a median beyond ten counts as 11.
_T3 = {
    "GPT-4": (0.461, 0.596, 0.721, 3),
    "GPT-3.5": (0.332, 0.454, 0.581, 5),
    "GLM4": (0.315, 0.425, 0.557, 8),
    "Gemini Pro": (0.226, 0.327, 0.448, 11),
}
_T4 = {
    "GPT-4": (0.323, 0.454, 0.589, 5),
    "GPT-3.5": (0.211, 0.344, 0.482, 11),
    "GLM4": (0.191, 0.304, 0.455, 11),
    "Gemini Pro": (0.146, 0.227, 0.330, 11),
    "Mistral-7B": (0.074, 0.125, 0.189, 11),
}


def rank(job: Job) -> Callable[[Item, Again], Any]:
    """Ten names with the rank of the right disease, however far down; of T3's candidates only these."""
    ranker = shipped_ranker()
    diseases = ranker.diseases
    options = Options(None, not job.settings["no_prevalence"], job.settings["own_publication"] == "leave-out")

    def answer(item: Item, _: Again) -> Any:  # noqa: ANN401 (a JSON value)
        publications = pubmed_ids(item.input["publications"])
        found = ranker.rank(
            item.input["present"], item.input["excluded"], publications, options, listed=False
        )
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

    return answer


def ask(job: Job) -> Ask:
    """In our words."""
    steps = job.settings["prompting"] == "zero-shot-cot"

    def prompt(item: Item, _: Again, __: str) -> Prompt:
        asked = item.input
        return diagnosis_prompt(
            asked.get("findings", ()),
            asked.get("denied", ()),
            asked.get("text", ""),
            asked.get("candidates", ()),
            steps=steps,
        )

    return Ask(prompt, VERSION, reply_tokens=2048 if steps else 512)


def details(_: Job, rows: Sequence[Row]) -> Mapping[str, Any]:
    """What the ranker knew, and how many rows of it went with the cases' own publications."""
    gone = sum(row.value.get("left_out", 0) for row in rows if isinstance(row.value, dict))
    return {"knowledge": knowledge_as_json(shipped_ranker().diseases), "left_out": gone}


def _of_task(
    task: str, published: Mapping[str, tuple[float, float, float, int]]
) -> Callable[[Scores], DrawnTable[Any] | None]:
    """Of the runs that answered this task alone."""
    make = by_run(
        _COLUMNS, {name: dict(zip(_COLUMNS, values, strict=True)) for name, values in published.items()}
    )

    def of_task(scores: Scores) -> DrawnTable[Any] | None:
        runs = {
            name: one
            for name, one in scores.runs.items()
            if scores.rows[name] and all(row.item.task == task for row in scores.rows[name])
        }
        return make(replace(scores, runs=runs)) if runs else None

    return of_task


STUDY = Study(
    id="rarebench",
    title="RareBench",
    about="Which rare disease a patient has, by findings or report (T4), or which of a list (T3).",
    needs="Cases with diagnoses: JSON Lines, phenopackets, rows of RareBench, Matchmaker Exchange patients.",
    example="--task t4 --from cases.jsonl",
    tasks=(T4, T3),
    build=build,
    measures=MEASURES,
    tables=(
        Table("T3", "T3, of a list of candidates", _of_task(T3, _T3)),
        Table("T4", "T4, any rare disease", _of_task(T4, _T4)),
    ),
    options=(
        Option("input", ("build",), "what is shown of a case", choices=("terms", "text"), default="terms"),
        Option("candidates", ("build",), "T3: the diseases to choose from, a code or name a line", kind=Path),
        Option(
            "own-publication",
            ("run",),
            "whether annotations that cite a case's own publication count for the ranker",
            choices=("leave-out", "keep"),
            default="leave-out",
        ),
        Option("no-prevalence", ("run",), "the ranker does not prefer what is more frequent", flag=True),
        Option(
            "prompting",
            ("items", "run"),
            "how a model is asked",
            choices=("zero-shot", "zero-shot-cot"),
            default="zero-shot",
        ),
    ),
    methods=(Method("ranker", "the built-in ranker of diseases, without a model", rank),),
    ask=ask,
    form=lambda item: Ranking(MOST, tuple(item.input.get("candidates", ())), free=True),
    grade=grade,
    details=details,
)
