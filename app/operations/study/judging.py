"""What raters and judges say of answers, by a study's rubric; what cannot be read is unscored."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.formats.writing import write_atomically
from app.operations.extract.calling.asking import Answered as AskedAnswer
from app.operations.extract.run_task import run_task
from app.operations.project.output import require_writable_name
from app.operations.rate.checks import label_at, places_for, require_rater
from app.operations.study.answers import Answered, again_key, answered, study_runs
from app.operations.study.asking import ItemTask, about_cut, asking_of, number_cut, values_of
from app.operations.study.items import KeptItem, counting_items, item_named, kept_items, tasks_by_id
from app.operations.study.replies import replay_client
from app.operations.study.running import StudyOptions
from app.store.act import Act, begin_act
from app.store.study.items import ItemRating, item_ratings, put_rating
from app.store.values import sha256
from app.studies.lines import read_lines
from app.studies.study import Ask, Rubric, Study
from app.tables import Table, csv_text, read_csv
from extractors.grouping import grouped
from extractors.model.errors import CallError, FormatError
from extractors.tasks.base import Prompt
from extractors.tasks.forms import Rubric as RubricForm

if TYPE_CHECKING:
    from app.operations.extract.entry import Source
    from app.store.extract.runs import Run
    from app.store.project import Project
    from app.studies.results import Again, Item
    from extractors.llm.types import Client
    from extractors.model.progress import Progress

_ID = 12


@dataclass(frozen=True, slots=True)
class JudgeSummary:
    """What a judge or a rater came to: `rated` answers have every score, `unscored` lack one or all."""

    study: str
    rater: str
    runs: Sequence[str]
    rated: int
    unscored: int
    calls: int = 0
    notes: Sequence[str] = ()
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class _Rated:
    """An answer to be rated, with the run that gave it; `id` names it without saying whose it is."""

    run: Run
    answer: Answered
    rubric: Rubric

    @property
    def id(self) -> str:
        return sha256(f"{self.run.uuid}|{self.answer.subject}|{again_key(self.answer.row.again)}")[:_ID]


def judge_answers(
    project: Project,
    study: Study,
    client: Client | None,
    names: Sequence[str],
    options: StudyOptions,
    *,
    per: str = "answer",
    replay: Path | None = None,
) -> Generator[Progress, None, JudgeSummary]:
    """Have a model judge the answers of runs, criterion by criterion or all at once, or play its replies.

    Works and raises as `run_task`; CallError where there is nothing to judge.
    """
    rated = [one for one in _to_rate(project, study, names, options) if one.rubric.prompt is not None]
    if not rated:
        raise CallError(f"There is nothing of {study.id} to judge: no answers, or no rubric for a judge.")
    rater = options.model.model if per == "answer" else f"{options.model.model} per criterion"
    task = _JudgeTask(study, rated, rater, per)
    notes: list[str] = []
    if replay is not None:
        known = tasks_by_id(kept_items(project, study))
        client, notes = replay_client(replay, task, known, options.model.model)
    if client is None:
        raise CallError("Name a judge with --judge.")
    identity = {"study": study.id, "role": "judge", "per": per, "prompts_version": task.version}
    model = replace(options.model, calls=options.count, minutes=options.minutes)
    label = f"judge/{study.id}" if per == "answer" else f"judge/{study.id}/criterion"
    ended = yield from run_task(project, client, model, lambda: asking_of(task, identity, {}, label))
    runs = list(dict.fromkeys(one.run.name for one in rated))
    whole = _count_whole(project, study, options, runs, rater)
    return JudgeSummary(
        study.id,
        rater,
        runs,
        *whole,
        ended.made,
        [*notes, *ended.work.notes, *about_cut(number_cut(ended.work))],
        ended.stopped,
    )


class _JudgeTask(ItemTask):
    """The questions to a judge: of each item those about the answers of every run."""

    def __init__(self, study: Study, rated: Sequence[_Rated], rater: str, per: str) -> None:
        self._rater = rater
        self._of = {(one.answer.subject, again_key(_time(one))): one for one in rated}
        times = grouped((one.answer.subject, _time(one)) for one in rated)
        kept = {one.answer.subject: KeptItem(one.answer.subject, one.answer.row.item) for one in rated}
        self._rubrics = {one.answer.subject: one.rubric for one in rated}
        self._per = per
        ask = Ask(prompt=self._prompt, questions=self._asked, value=self._value, reply_tokens=1024)
        super().__init__(f"judge/{study.id}", ask, list(kept.values()), times)

    def keep(
        self, act: Act, run: Run, source: Source, answered: Sequence[AskedAnswer], asked: Collection[str]
    ) -> None:
        """Store what can be read as a rating, criteria that cannot be read as null."""
        super().keep(act, run, source, answered, asked)
        for one in answered:
            rated = self._of[source.uuid, one.again]
            scores = {} if self._per == "answer" else dict(_scores_of(act, rated, self._rater))
            for record, form in one.calls:
                # A reply that was cut is unscored, whatever can be read of it.
                if record and record.done_reason != "length" and record.state in ("done", "incomplete"):
                    scores |= form.read(record.raw_reply or "").value or {}
            if rated.rubric.questions:
                read = values_of(act.project, run, source.uuid, one.again)
                given = {name: value for entry in read.values() for name, value in (entry or {}).items()}
                scores = dict(rated.rubric.combine(rated.answer.row, given))
            scores = {name: scores.get(name) for name in rated.rubric.criteria}
            again = again_key(rated.answer.row.again)
            put_rating(act, ItemRating(source.uuid, rated.run.uuid, again, self._rater, "judge", scores))

    def _asked(self, item: Item) -> tuple[str, ...]:
        rubric = self._rubrics[self._uuid(item)]
        if rubric.questions:
            return rubric.questions
        return tuple(rubric.criteria) if self._per == "criterion" else ("rubric",)

    def _prompt(self, item: Item, again: Again, question: str) -> Prompt:
        rated = self._of[self._uuid(item), again_key(again)]
        criteria = [question] if self._per == "criterion" else list(rated.rubric.criteria)
        assert rated.rubric.prompt is not None
        if rated.rubric.questions:
            system, user = rated.rubric.prompt(item, rated.answer.row, [question])
            scale = next(iter(rated.rubric.criteria.values()))
            return Prompt(system, user, RubricForm({question: scale}, rated.rubric.words))
        system, user = rated.rubric.prompt(item, rated.answer.row, criteria)
        return Prompt(system, user, RubricForm({name: rated.rubric.criteria[name] for name in criteria}))

    def _uuid(self, item: Item) -> str:
        return next(one.uuid for one in self.of_id[item.id] if one.item.task == item.task)

    def _value(self, item: Item, again: Again, read: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for scores in read.values() for name, value in scores.items()}


def _scores_of(act: Act, rated: _Rated, rater: str) -> Mapping[str, Any]:
    again = again_key(rated.answer.row.again)
    for one in item_ratings(act.project, [rated.run.uuid], rated.answer.subject):
        if (one.again, one.rater) == (again, rater):
            return one.scores
    return {}


def _time(one: _Rated) -> dict[str, Any]:
    return {"run": one.run.name, **one.answer.row.again}


def rate_answers(
    project: Project, study: Study, rater: str, path: Path, options: StudyOptions, *, blind: bool = False
) -> JudgeSummary:
    """Record a person's ratings from a sheet (CSV) or lines of JSON, all or none.

    A row names its answer by the sheet's "answer", or by item and run, or where the item itself is checked by
    item alone; a criterion that is left empty stays unscored. Raises FormatError for what is none,
    UnknownNameError for an item that is not there, ProjectError for a rater who is no person.
    """
    require_rater(project, rater)
    kept = kept_items(project, study, options.tasks, options.labels)
    rated = _to_rate(project, study, (), options, kept)
    ratings = []
    there: set[tuple[str, str, str]] = set()
    for number, (names, given) in enumerate(_rows_in(path), start=1):
        where = f"{path}, row {number}"
        of_item = not names.get("answer") and not names.get("run")
        if of_item and (checked := item_named(kept, str(names.get("item")), str(names.get("task") or ""))):
            about, rubric = (checked.uuid, "", ""), study.item_rubric(checked.item)
            if rubric is None:
                raise FormatError(f"{where}: items of {study.id} are not checked; name a run.")
        else:
            one = _rated_by(rated, names, where)
            about = one.answer.subject, one.run.uuid, again_key(one.answer.row.again)
            rubric = one.rubric
        if given is not names and (
            odd := next((name for name in given if name not in rubric.criteria), None)
        ):
            raise FormatError(f"{where}: {odd} is no criterion; they are {', '.join(rubric.criteria)}.")
        scores = _scores_in(rubric, given, where)
        if any(value is not None for value in scores.values()):
            if about in there:
                raise FormatError(f"{where}: this answer is rated above, too; keep one.")
            there.add(about)
            ratings.append(ItemRating(*about, rater, "person", scores, blind))
    with begin_act(project, f"ratings by {rater}", rater) as act:
        for rating in ratings:
            put_rating(act, rating)
    whole = sum(None not in rating.scores.values() for rating in ratings)
    runs = list(dict.fromkeys(one.run.name for one in rated if one.run.uuid in {r.run for r in ratings}))
    return JudgeSummary(study.id, rater, runs, whole, len(ratings) - whole)


@dataclass(frozen=True, slots=True)
class ToRate:
    """An answer that a person is to rate without being told whose it is: `label` stands for the name.

    `given` is what the person said of it before; `left` answers are not rated in full, this one among them.
    """

    id: str
    run: str
    answer: Answered
    rubric: Rubric
    label: str
    given: Mapping[str, Any]
    left: int


def next_to_rate(
    project: Project, study: Study, rater: str, options: StudyOptions, passed: Sequence[str] = ()
) -> ToRate | None:
    """The next answer that a person has not rated in full, those `passed` (ids) last, in that order.

    None where all are. In an order that tells nothing of whose they are; letters for names are drawn by
    rater and item. Raises CallError where no rubric speaks of any item, or nothing was answered.
    """
    kept = counting_items(project, study, options.tasks, options.labels)
    if kept and all(study.rubric(one.item) is None for one in kept):
        raise CallError(f"{study.title} has no rubric: there is nothing to rate by.")
    rated = sorted(_to_rate(project, study, (), options, kept), key=lambda one: one.id)
    if not rated:
        raise CallError("There is no answer yet that can be rated.")
    open_ = [one for one in rated if None in _said_by(rater, one).values()]
    if not open_:
        return None
    one = min(open_, key=lambda each: passed.index(each.id) if each.id in passed else -1)
    runs = [run.uuid for run in study_runs(project, study)]
    label = label_at(places_for(rater, one.answer.subject, runs)[one.run.uuid])
    return ToRate(one.id, one.run.name, one.answer, one.rubric, label, _said_by(rater, one), len(open_))


def _said_by(rater: str, one: _Rated) -> dict[str, Any]:
    given = one.answer.row.ratings.get(rater, {})
    return {name: given.get(name) for name in one.rubric.criteria}


def rate_answer(
    project: Project,
    study: Study,
    rater: str,
    run: str,
    answer: Answered,
    given: Mapping[str, Any],
    *,
    blind: bool = False,
) -> None:
    """Record what a person says of one answer of a run; a criterion of None is not rated."""
    rubric, of = study.rubric(answer.row.item), study_runs(project, study, [run])[0]
    if rubric is None or answer.row.value is None:
        raise CallError("This answer has nothing to be rated.")
    scores = {name: given.get(name) for name in rubric.criteria}
    rating = ItemRating(answer.subject, of.uuid, again_key(answer.row.again), rater, "person", scores, blind)
    with begin_act(project, f"rating by {rater}", rater) as act:
        put_rating(act, rating)


def _scores_in(rubric: Rubric, given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The values of a row; raises FormatError for what is none of the scale."""
    scores = {name: _on_scale(values, given.get(name)) for name, values in rubric.criteria.items()}
    for name, value in scores.items():
        if value is None and given.get(name) not in (None, ""):
            raise FormatError(f"{where}: {given[name]!r} is no value of {name}.")
    return scores


def write_sheet(
    project: Project, study: Study, names: Sequence[str], out: Path, options: StudyOptions, *, blind: bool
) -> int:
    """Write a CSV sheet with the answers to be rated, without the runs' names where `blind`; how many."""
    require_writable_name(out)
    rated = _to_rate(project, study, names, options)
    if not rated:
        raise CallError(f"There are no answers of {study.id} that a rubric speaks of.")
    if blind:
        rated = sorted(rated, key=lambda one: one.id)
    criteria = list(dict.fromkeys(name for one in rated for name in one.rubric.criteria))
    # Whoever scores sees what a judge sees.
    shown = ["question", "reference"] if study.ratings_are_scores else []
    heads = ("answer", "item", "task", *([] if blind else ["run"]), *shown, "reply", *criteria)
    rows = []
    for one in rated:
        item, reply = one.answer.row.item, one.answer.reply or str(one.answer.row.value)
        beside = [str(item.input.get("question", "")), str(item.reference.get("answer", ""))]
        row = [one.id, item.id, item.task, *([] if blind else [one.run.name])]
        rows.append((*row, *(beside if shown else ()), reply, *("" for _ in criteria)))
    write_atomically(out, csv_text(Table(heads, tuple(rows)), mark=True))
    return len(rated)


def _to_rate(
    project: Project,
    study: Study,
    names: Sequence[str],
    options: StudyOptions,
    kept: Sequence[KeptItem] | None = None,
) -> list[_Rated]:
    """Every answer with a value that a rubric speaks of, to items that count or those given."""
    kept = counting_items(project, study, options.tasks, options.labels) if kept is None else kept
    found = []
    for run in study_runs(project, study, names):
        for one in answered(project, study, run, kept):
            rubric = study.rubric(one.row.item)
            if rubric is not None and one.row.value is not None:
                found.append(_Rated(run, one, rubric))
    return found


def _count_whole(
    project: Project, study: Study, options: StudyOptions, runs: Sequence[str], rater: str
) -> tuple[int, int]:
    given = [one.answer.row.ratings.get(rater) for one in _to_rate(project, study, runs, options)]
    whole = sum(one is not None and None not in one.values() for one in given)
    return whole, len(given) - whole


def _rows_in(path: Path) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """What each row is about, and its scores."""
    if path.suffix.lower() in (".jsonl", ".json"):
        lines = read_lines(path)
        for number, line in enumerate(lines, start=1):
            if not isinstance(line.get("scores") or {}, dict):
                raise FormatError(f"{path}, row {number}: scores are values by criterion, an object.")
        return [(line, line.get("scores") or {}) for line in lines]
    return [(row, row) for row in read_csv(path)]


def _rated_by(rated: Sequence[_Rated], names: Mapping[str, Any], where: str) -> _Rated:
    if names.get("answer"):
        found = [one for one in rated if names["answer"] == one.id]
    else:
        found = [
            one
            for one in rated
            if (names.get("item"), names.get("run")) == (one.answer.row.item.id, one.run.name)
            and names.get("task") in (None, "", one.answer.row.item.task)
            and all(str(names.get(key, value)) == str(value) for key, value in one.answer.row.again.items())
        ]
    if not found:
        raise FormatError(f"{where}: there is no such answer; name it by answer, or by item and run.")
    if len(found) > 1:
        raise FormatError(
            f"{where}: {len(found)} answers are called so; name its task, or what tells them apart."
        )
    return found[0]


def _on_scale(values: Sequence[Any], given: object) -> Any:  # noqa: ANN401 (a value of the scale)
    words = {"yes": True, "no": False, "true": True, "false": False, "y": True, "n": False}
    for value in values:
        if type(value) is type(given) and value == given:
            return value
        if isinstance(given, str) and given.strip():
            point = words.get(given.strip().lower()) if isinstance(value, bool) else given.strip()
            if point is value or (not isinstance(value, bool) and str(value) == point):
                return value
    return None
