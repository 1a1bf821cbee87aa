"""RareBench as a study: its options, the built-in methods, how models are asked, measures and tables."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.studies.rarebench import items, t1, t1_scores, t2
from app.studies.rarebench.examples import (
    NEIGHBOURS,
    OPTIONS,
    WITH_EXAMPLES,
    Examples,
    about_examples,
    about_names,
    drafts,
    make_vectors,
    shown_of,
)
from app.studies.rarebench.judging import FAMILY, RANKED, T3, T4, agreement, grade, learn, rubric
from app.studies.rarebench.measures import MEASURES, TABLES, neighbours_alone
from app.studies.rarebench.t1 import T1
from app.studies.rarebench.t2 import T2, rank
from app.studies.results import Again, Item, Row, Scores, Settings, of_tasks
from app.studies.study import (
    Ask,
    Building,
    Built,
    Job,
    Method,
    Option,
    Study,
    Table,
    in_build,
    in_run,
    seldom_in_run,
)
from app.text import counted
from extractors.differential.ranking import shipped_ranker
from extractors.differential.report import knowledge_as_json
from extractors.model.errors import CallError
from extractors.model.progress import Progress
from extractors.tasks import phenotypes, screening
from extractors.tasks.base import Form, Prompt
from extractors.tasks.diagnoses import VERSION, diagnosis_prompt, listing_form
from extractors.tasks.forms import Choice
from extractors.tasks.prompting.variants import LEVELS

_LEVELS_IN_WORDS = ("terms of the text", "entities of the text", "terms of entities")
_TASKS = {
    T1: "T1: terms of a report",
    T2: "T2: one disease, yes or no",
    T3: "T3: diseases to choose from",
    T4: "T4: any rare disease",
} | {f"{T1}/{level}": f"T1: {words}" for level, words in zip(LEVELS, _LEVELS_IN_WORDS, strict=True)}
_PLAIN = ("zero-shot", "zero-shot-cot")
_PROMPTINGS = tuple(dict.fromkeys((*_PLAIN, "few-shot", "retrieval", *WITH_EXAMPLES)))


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
        wrong=any(one.wrong for one in made),
    )


def rank_or_screen(job: Job) -> Callable[[Item, Again], Any]:
    """By the ranker: T2 by the rule of its room, T3 and T4 as lists."""
    ranked, screened = rank(job), t2.screen(job)
    return lambda item, again: (screened if item.task == T2 else ranked)(item, again)


def _unasked(method: Method) -> Method:
    """The same, refused with a prompting, which would make another run of equal answers."""

    def start(job: Job) -> Callable[[Item, Again], Any]:
        if (prompting := job.settings["prompting"]) != _PROMPTINGS[0]:
            raise CallError(f"--prompting {prompting} is for models; {method.id} is not asked in words.")
        return method.start(job)

    return replace(method, start=start)


def _require_prompting(item: Item, job: Job) -> None:
    if of_tasks(item.task, (T1,)):
        t1.prompting_of(job)
        return
    known, prompting = _PLAIN if item.task == T2 else (*_PLAIN, *WITH_EXAMPLES), job.settings["prompting"]
    if prompting not in known:
        raise CallError(f"{item.task} is asked by {', '.join(known)}, not by {prompting}.")


def prepare(job: Job) -> Generator[Progress, None, None]:
    """Refuse what a task is not asked by before a model writes examples, and make what a run needs."""
    for item in job.items:
        _require_prompting(item, job)
    yield from make_vectors(job)


def ask(job: Job) -> Ask:
    """In our words, with examples before the case where the prompting has them."""
    prompting = job.settings["prompting"]
    steps = prompting in ("zero-shot-cot", "auto-cot")
    examples = Examples(job) if prompting in WITH_EXAMPLES else None

    def prompt(item: Item, _: Again, __: str) -> Prompt:
        _require_prompting(item, job)
        if of_tasks(item.task, (T1,)):
            return t1.prompt(item, job)
        if item.task == T2:
            return t2.prompt(item, steps=steps)
        shown = examples.shown(item) if examples else ()
        return diagnosis_prompt(shown_of(item), item.input.get("candidates", ()), shown, steps=steps)

    def value(item: Item, _: Again, read: Mapping[str, Any]) -> Any:  # noqa: ANN401 (a JSON value)
        (answer,) = read.values()
        if examples and item.task in RANKED:
            return {"ranking": answer, **examples.record(item)}
        return answer

    def reply_tokens(item: Item) -> int:
        if of_tasks(item.task, (T1,)):
            return t1.reply_tokens(item)
        return 2048 if steps else 64 if item.task == T2 else 512

    version = f"{VERSION}/{phenotypes.VERSION}/{screening.VERSION}"
    return Ask(prompt, version, reply_tokens=reply_tokens, value=value)


def form(item: Item) -> Form:
    """That of an answer to the task."""
    if of_tasks(item.task, (T1,)):
        return t1.form(item)
    if item.task == T2:
        return Choice({screening.YES: "Yes", screening.NO: "No"})
    return listing_form(item.input.get("candidates", ()))


def called(label: str, value: str) -> str:
    """What people read for the value of a label: tasks in words, T1 by its level."""
    return _TASKS.get(value, value) if label == "task" else value


def of_level(every: Sequence[Item], settings: Settings) -> Sequence[Item]:
    """Those of T1's level that the settings name, if they name one."""
    level = settings.get("level")
    return [one for one in every if one.task == f"{T1}/{level}"] if level else every


def grade_by_task(rows: Sequence[Row], settings: Settings) -> Sequence[Mapping[str, Any]]:
    """What measures look at, each task by its own room."""
    ranked = grade(rows, settings)
    return [
        t1_scores.graded(row)
        if of_tasks(row.item.task, (T1,))
        else t2.graded(row)
        if row.item.task == T2
        else one
        for row, one in zip(rows, ranked, strict=True)
    ]


def details(job: Job, rows: Sequence[Row]) -> Mapping[str, Any]:
    """What the ranker knew, how many rows of it went with own publications, which examples; T1's no terms."""
    values: dict[str, Any] = {}
    if any(not of_tasks(row.item.task, (T1,)) for row in rows):
        gone = sum(row.value.get("left_out", 0) for row in rows if isinstance(row.value, dict))
        values |= {"knowledge": knowledge_as_json(shipped_ranker().diseases), "left_out": gone}
        values |= about_examples(job, rows)
    if any(row.item.task == T2 and isinstance(row.value, dict) for row in rows):
        values["rule"] = t2.RULE
    if terms := [t1_scores.graded(row) for row in rows if of_tasks(row.item.task, (T1,))]:
        values |= t1.details(terms)
    return values


def caveats(scores: Scores) -> Iterator[str]:
    """Families among the hits, what examples told beforehand, and how far judges may be trusted."""
    for name, rows in scores.rows.items():
        ranked = [row for row in rows if row.item.task in RANKED]
        found = [one for row in ranked if (one := row.graded.get("matched"))]
        families = sum(one["by"] == FAMILY for one in found)
        if families:
            yield (
                f"{name}: {families:,} of {counted(len(found), 'match', 'matches')} name the family, not the "
                "type of the disease; without these see hit@1_code."
            )
        alone = {key: score.value for key, score in neighbours_alone(ranked).items()}
        yield from about_names(name, ranked, alone)
    yield from agreement(scores)


_RULES = Method("rules", "the built-in extractor of terms, without a model", t1.rules, (T1,))
_RANKED_BY = f"the built-in ranker of diseases, without a model; {t2.RULE}"
_RANKER = Method("ranker", _RANKED_BY, rank_or_screen, (T2, *RANKED))
STUDY = Study(
    id="rarebench",
    title="RareBench",
    about="The terms of a report (T1); whether a patient has one disease (T2), or which (T3, T4).",
    needs="Cases: JSON Lines, phenopackets, rows of RareBench, Matchmaker Exchange patients; with diagnoses, "
    "or, for T1, with texts and their terms.",
    example="--task t4 --from cases.jsonl",
    tasks=(T1, T2, T3, T4),
    build=build,
    measures=(*MEASURES, t2.RECALL, *t1_scores.MEASURES, *t2.MEASURES),
    tables=(
        Table("T1", "T1, terms of a report: F1", t1_scores.table),
        Table("T2", "T2, screening for one disease", t2.table),
        *TABLES,
    ),
    options=(
        in_build(
            "level",
            "T1: terms of the text (pte), its entities (gee), the terms of given entities (ges)",
            choices=LEVELS,
            default=LEVELS[0],
            label="Level of T1",
            words=_LEVELS_IN_WORDS,
        ),
        seldom_in_run(
            "level",
            "T1: only the items of this level",
            choices=LEVELS,
            label="Level of T1",
            words=_LEVELS_IN_WORDS,
        ),
        in_build(
            "disease",
            "T2: the disease that is asked about, its code or name",
            several=True,
            label="Disease of T2",
        ),
        in_build(
            "input",
            "what is shown of a case",
            choices=("terms", "text"),
            default="terms",
            label="What is shown",
        ),
        in_build(
            "candidates",
            "T3: diseases to choose from, a code or name a line; then a tab, rare or common",
            kind=Path,
            label="Diseases of T3",
        ),
        Option(
            "own-publication",
            "whether annotations that cite a case's own publication count for the ranker",
            ("run",),
            choices=("leave-out", "keep", "both"),
            default="leave-out",
            label="A case's own publication",
            words=("left out", "counted", "both ways"),
            seldom=True,
        ),
        Option(
            "no-prevalence",
            "the ranker does not prefer what is more frequent",
            ("run",),
            flag=True,
            label="Do not prefer frequent diseases",
            seldom=True,
        ),
        in_run("prompting", "how a model is asked", choices=_PROMPTINGS, default="zero-shot"),
        *OPTIONS,
        Option("judge", "count what this judge found where names find nothing", ("score",), default=""),
    ),
    methods=tuple(map(_unasked, (_RULES, _RANKER, NEIGHBOURS))),
    ask=ask,
    form=form,
    grade=grade_by_task,
    choose=of_level,
    cluster=t2.case_of,
    learn=learn,
    by=("task", "rarity"),
    called=called,
    rubric=rubric,
    details=details,
    caveats=caveats,
    prepare=prepare,
    drafts=drafts,
)
