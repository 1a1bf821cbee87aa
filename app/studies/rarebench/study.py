"""RareBench as a study: its options, the built-in ranker, how models are asked, measures and tables."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.studies.rarebench import items, t1, t1_scores, t2
from app.studies.rarebench.grading import MEASURES, grade
from app.studies.rarebench.items import T3, T4
from app.studies.rarebench.t1 import T1
from app.studies.rarebench.t2 import T2
from app.studies.results import Again, Item, Row, Scores, Settings, of_tasks
from app.studies.study import Ask, Building, Built, Job, Method, Option, Study, Table
from app.studies.tables import by_run
from app.tables import Table as DrawnTable
from extractors.differential.knowledge import shipped_ranker
from extractors.differential.ranking import Options
from extractors.differential.report import knowledge_as_json
from extractors.evidence.published import pubmed_ids
from extractors.model.errors import CallError
from extractors.model.progress import Progress
from extractors.tasks import phenotypes, screening
from extractors.tasks.base import Form, Prompt
from extractors.tasks.diagnoses import MOST, VERSION, diagnosis_prompt
from extractors.tasks.forms import Choice, Ranking
from extractors.tasks.variants import LEVELS

_OF_LISTS = ("zero-shot", "zero-shot-cot")
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


def build(request: Building) -> Generator[Progress, None, Built]:
    """The items of each task asked for (T4 without a word), in rooms of their own."""
    if not request.paths:
        raise CallError("Name the cases: --from FILE.jsonl, phenopackets or a folder.")
    wanted = request.tasks or (T4,)
    rooms = {T1: t1.build, T2: t2.build}
    ranked = tuple(task for task in wanted if task not in rooms)
    made = []
    for task in dict.fromkeys(task for task in wanted if task in rooms):
        made.append((yield from rooms[task](request)))
    if ranked:
        made.append((yield from items.build(replace(request, tasks=ranked))))
    return made[0] if len(made) == 1 else _joined(made)


def _joined(made: Sequence[Built]) -> Built:
    left_out: dict[str, int] = {}
    for one in made:
        left_out |= {reason: max(number, left_out.get(reason, 0)) for reason, number in one.left_out.items()}
    return Built(
        [item for one in made for item in one.items],
        left_out,
        made[0].sources,
        {key: value for one in made for key, value in one.details.items()},
        [note for one in made for note in one.notes],
    )


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


def rank_or_screen(job: Job) -> Callable[[Item, Again], Any]:
    """By the ranker: T2 by the rule of its room, T3 and T4 as lists."""
    ranked, screened = rank(job), t2.screen(job)
    return lambda item, again: (screened if item.task == T2 else ranked)(item, again)


def ask(job: Job) -> Ask:
    """In our words."""
    steps = job.settings["prompting"] == "zero-shot-cot"

    def prompt(item: Item, _: Again, __: str) -> Prompt:
        if of_tasks(item.task, (T1,)):
            return t1.prompt(item, job)
        if job.settings["prompting"] not in _OF_LISTS:
            raise CallError(
                f"{item.task} is asked by {', '.join(_OF_LISTS)}, not by {job.settings['prompting']}."
            )
        if item.task == T2:
            return t2.prompt(item, steps=steps)
        asked = item.input
        return diagnosis_prompt(
            asked.get("findings", ()),
            asked.get("denied", ()),
            asked.get("text", ""),
            asked.get("candidates", ()),
            steps=steps,
        )

    def reply_tokens(item: Item) -> int:
        if of_tasks(item.task, (T1,)):
            return t1.reply_tokens(item)
        return 2048 if steps else 64 if item.task == T2 else 512

    version = f"{VERSION}/{phenotypes.VERSION}/{screening.VERSION}"
    return Ask(prompt, version, reply_tokens=reply_tokens)


def form(item: Item) -> Form:
    """That of an answer to the task."""
    if of_tasks(item.task, (T1,)):
        return t1.form(item)
    if item.task == T2:
        return Choice({screening.YES: "Yes", screening.NO: "No"})
    return Ranking(MOST, tuple(item.input.get("candidates", ())), free=True)


def of_level(every: Sequence[Item], settings: Settings) -> Sequence[Item]:
    """Those of T1's level that the settings name, if they name one."""
    level = settings.get("level")
    return [one for one in every if one.task == f"{T1}/{level}"] if level else every


def grade_by_task(rows: Sequence[Row], settings: Settings) -> Sequence[Mapping[str, Any]]:
    """What measures look at, each task by its own room."""
    ranked = iter(grade([row for row in rows if not of_tasks(row.item.task, (T1, T2))], settings))
    return [
        t1_scores.graded(row)
        if of_tasks(row.item.task, (T1,))
        else t2.graded(row)
        if row.item.task == T2
        else next(ranked)
        for row in rows
    ]


def details(_: Job, rows: Sequence[Row]) -> Mapping[str, Any]:
    """What the ranker knew, and how many rows of it went with own publications; of T1 what is no term."""
    said: dict[str, Any] = {}
    if any(not of_tasks(row.item.task, (T1,)) for row in rows):
        gone = sum(row.value.get("left_out", 0) for row in rows if isinstance(row.value, dict))
        said |= {"knowledge": knowledge_as_json(shipped_ranker().diseases), "left_out": gone}
    if any(row.item.task == T2 and isinstance(row.value, dict) for row in rows):
        said["rule"] = t2.RULE
    if terms := [t1_scores.graded(row) for row in rows if of_tasks(row.item.task, (T1,))]:
        said |= t1.details(terms)
    return said


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
    about="The terms of a report (T1); whether a patient has one disease (T2), or which (T3, T4).",
    needs="Cases: JSON Lines, phenopackets, rows of RareBench, Matchmaker Exchange patients; with diagnoses, "
    "or, for T1, with texts and their terms.",
    example="--task t4 --from cases.jsonl",
    tasks=(T1, T2, T3, T4),
    build=build,
    measures=(
        *(replace(one, tasks=one.tasks or (T3, T4)) for one in MEASURES),
        t2.RECALL,
        *t1_scores.MEASURES,
        *t2.MEASURES,
    ),
    tables=(
        Table("T1", "T1, terms of a report: F1", t1_scores.table),
        Table("T2", "T2, screening for one disease", t2.table),
        Table("T3", "T3, of a list of candidates", _of_task(T3, _T3)),
        Table("T4", "T4, any rare disease", _of_task(T4, _T4)),
    ),
    options=(
        Option(
            "level",
            ("build",),
            "T1: terms of the text (pte), its entities (gee), the terms of given entities (ges)",
            choices=LEVELS,
            default=LEVELS[0],
        ),
        Option("level", ("items", "run"), "T1: only the items of this level", choices=LEVELS),
        Option("disease", ("build",), "T2: the disease that is asked about, its code or name", several=True),
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
            choices=("zero-shot", "zero-shot-cot", "few-shot", "retrieval"),
            default="zero-shot",
        ),
    ),
    methods=(
        Method("rules", "the built-in extractor of terms, without a model", t1.rules, (T1,)),
        Method(
            "ranker",
            f"the built-in ranker of diseases, without a model; {t2.RULE}",
            rank_or_screen,
            (T2, T3, T4),
        ),
    ),
    ask=ask,
    form=form,
    grade=grade_by_task,
    choose=of_level,
    cluster=t2.case_of,
    details=details,
)
