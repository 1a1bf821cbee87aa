"""A study as the engine of calls asks it, what is drafted before, and what lies ahead of a run."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import NAMESPACE_OID, uuid5

from app.messages import taking_up
from app.operations.extract.calling.asking import Answered, Asking
from app.operations.extract.calling.ledger import Ledger
from app.operations.extract.run_task import run_task
from app.operations.study.answers import TOO_LONG, again_key, again_of, study_runs
from app.operations.study.items import KeptItem, as_json
from app.store.extract.runs import Answer, answers, put_answer
from app.store.values import canonical
from app.text import counted, duration
from extractors.grouping import grouped
from extractors.model.document import Document
from extractors.model.errors import ServerError
from extractors.tasks.base import Form, Prompt
from extractors.tasks.base import Item as AskedItem
from extractors.tasks.forms import forced

if TYPE_CHECKING:
    from app.operations.extract.entry import Source
    from app.operations.extract.options import RunOptions
    from app.operations.extract.work import Work
    from app.store.act import Act
    from app.store.extract.runs import CallRecord, Run
    from app.store.project import Project
    from app.studies.results import Again, Item
    from app.studies.study import Ask, Study
    from extractors.llm.types import Client
    from extractors.model.progress import Progress


@dataclass(frozen=True, slots=True)
class ItemSource:
    """An item as the engine knows it; its words are in the prompts."""

    uuid: str
    key: str
    document: Document


class ItemTask:
    """The questions of a study about its items, each asked as often as `times` say."""

    whole = True

    def __init__(
        self, name: str, ask: Ask, kept: Sequence[KeptItem], times: Mapping[str, Sequence[Again]]
    ) -> None:
        """`times` by the items' UUIDs."""
        self.id, self.version, self._ask = name, ask.version, ask
        self.needed, self.shows_pictures = ask.needed, ask.pictures
        self.usual, self.replayed = ask.usual, ask.replayed
        self.sources = [source_of(one) for one in kept]
        self.times, self.all_kept = times, tuple(kept)
        self.kept = {one.uuid: one for one in kept}
        self.of_id = grouped((one.item.id, one) for one in kept)
        self._prompts: tuple[object, Prompt | None] = (None, None)

    def variants(self) -> tuple[str, ...]:
        """One: arms and settings are the study's own."""
        return ("",)

    def items(self, source: Document) -> Iterator[AskedItem]:
        """One call for each time and question."""
        kept = self.kept[source.title]
        for again in self.times[kept.uuid]:
            for question in self._ask.questions(kept.item):
                yield AskedItem(source, (question,), ((0, len(source.text)),), again=again_key(again))

    def prompt(self, item: AskedItem) -> Prompt:
        """As the study words it."""
        key = item.subject.title, item.question, item.again
        if self._prompts[0] != key:
            kept = self.kept[item.subject.title]
            self._prompts = key, self._ask.prompt(kept.item, again_of(item.again), item.question)
        prompt = self._prompts[1]
        assert prompt is not None
        return prompt

    def more(self, item: AskedItem) -> Mapping[str, Any]:
        """What else there is to say of a prompt."""
        return self._ask.more(self.kept[item.subject.title].item, again_of(item.again), item.question)

    def form(self, item: AskedItem) -> Form:
        """That of the prompt."""
        return self.prompt(item).form

    def reply_tokens(self, item: AskedItem, shown: int) -> int:
        """As the study says."""
        tokens = self._ask.reply_tokens
        return tokens if isinstance(tokens, int) else tokens(self.kept[item.subject.title].item)

    def questions_of(self, kept: KeptItem) -> tuple[str, ...]:
        """Those that are asked about an item."""
        return tuple(self._ask.questions(kept.item))

    def questions(self) -> tuple[str, ...]:
        """Every one that is asked of any item."""
        return tuple(
            dict.fromkeys(one for kept in self.kept.values() for one in self._ask.questions(kept.item))
        )

    def keep(
        self, act: Act, run: Run, source: Source, answered: Sequence[Answered], asked: Collection[str]
    ) -> None:
        """Store the value of each answer given in full: of several questions when the last is answered."""
        item = self.kept[source.uuid].item
        questions = tuple(self._ask.questions(item))
        for one in answered:
            if not one.calls:
                for again in self.times[source.uuid]:
                    put_answer(act, run.uuid, Answer(source.uuid, "", None, again_key(again), "", TOO_LONG))
                continue
            record, form = one.calls[0]
            if len(one.calls) > 1 or record is None or not _counts(record, form):
                continue
            answer = _value(record, form)
            if len(questions) == 1:
                value = self._ask.value(item, again_of(one.again), {one.question: answer})
                put_answer(act, run.uuid, Answer(source.uuid, "", value, one.again))
                continue
            put_answer(act, run.uuid, Answer(source.uuid, one.question, answer, one.again))
            there = values_of(act.project, run, source.uuid, one.again)
            if set(questions) <= set(there):
                value = self._ask.value(item, again_of(one.again), {name: there[name] for name in questions})
                put_answer(act, run.uuid, Answer(source.uuid, "", value, one.again))


def _counts(record: CallRecord, form: Form) -> bool:
    """Whether an answer has a value: in full, or as far as it came where the form says so."""
    if getattr(form, "probabilities", False):
        return record.state == "done" and bool(record.details.get("probabilities"))
    partial = getattr(form, "partial", False) and record.state == "incomplete"
    return record.state == "done" or (partial and not record.details.get("cut_prompt"))


def _value(record: CallRecord, form: Form) -> Any:  # noqa: ANN401 (any JSON value)
    if getattr(form, "probabilities", False) and record.details.get("probabilities"):
        given = forced([(token, logarithm) for token, logarithm in record.details["probabilities"]])
        return {**given, "own": record.details.get("own_tokens")}
    return form.read(record.raw_reply or "").value


def values_of(project: Project, run: Run, subject: str, again: str) -> dict[str, Any]:
    """What was answered to the questions about an item so far."""
    return {one.question: one.value for one in answers(project, run.uuid, subject) if one.again == again}


def source_of(kept: KeptItem) -> ItemSource:
    """An item as something that calls are about: its UUID stands for the text, which prompts have."""
    return ItemSource(kept.uuid, f"{kept.item.task}/{kept.item.id}", Document(kept.uuid, kept.item.id, ()))


def asking_of(
    task: ItemTask, identity: Mapping[str, Any], settings: Mapping[str, Any], label: str, name: str = ""
) -> Asking:
    """What the engine is given."""
    questions = task.questions()
    return Asking(
        task=task,
        label=label,
        questions=questions,
        identity=identity,
        keep=task.keep,
        settings=settings,
        sources=task.sources,
        name=name,
        noun="item",
    )


Written = Mapping[tuple[str, str], Any]


def draft_task(study: Study, role: str, drafts: Sequence[Item], how: Ask) -> ItemTask:
    """The questions about drafts; a draft is known by what is in it, so that nothing is asked twice."""
    kept = [KeptItem(str(uuid5(NAMESPACE_OID, canonical(as_json(one)))), one) for one in drafts]
    return ItemTask(f"{role}/{study.id}", how, kept, {one.uuid: [{}] for one in kept})


def ask_drafts(
    project: Project,
    study: Study,
    role: str,
    client: Client,
    options: RunOptions,
    task: ItemTask,
    ended_early: str,
    before: Callable[[Work], None] | None = None,
    cut: list[int] | None = None,
) -> Generator[Progress, None, Written]:
    """What a model makes of drafts, by task and id; to `cut` it adds how many replies were cut. Raises as
    `run_task`, and ServerError, which says what `ended_early` says, where it ended before its time or lacks
    an answer where all are needed."""
    identity = {"study": study.id, "role": role, "prompts_version": task.version}
    # Recorded replies that lack an answer lack it again.
    missing = f"once the {client.where} answer all of it, the same command goes on."
    again = missing if client.about else f"the same command {taking_up(options.new_run)} goes on."
    early = f"{ended_early}; {again}"
    ended = yield from run_task(
        project, client, options, lambda: asking_of(task, identity, {}, task.id), before
    )
    if ended.stopped:
        raise ServerError(f"{ended.stopped} {early}")
    run = ended.work.run
    if cut is not None:
        cut.append(number_cut(ended.work))
    answered = (
        {one.subject: one.value for one in answers(project, run.uuid) if not one.question} if run else {}
    )
    kept = task.all_kept
    if task.needed and any(one.uuid not in answered for one in kept):
        raise ServerError(f"The model did not answer all that must be known first. {early}")
    return {(one.item.task, one.item.id): answered[one.uuid] for one in kept if one.uuid in answered}


def number_cut(work: Work) -> int:
    """How many replies came to their limit of tokens before their end, but for recorded ones."""
    given = [] if work.client.about else filter(None, map(work.ledger.of, work.entries))
    return sum(one.state != "done" and one.done_reason == "length" for one in given)


def about_cut(number: int) -> list[str]:
    """What to do about so many replies that were cut, if any."""
    replies = "1 reply was cut at its limit" if number == 1 else f"{number:,} replies were cut at their limit"
    return [f"{replies} of tokens; --resume with a larger --reply-tokens asks again."] if number else []


T = TypeVar("T")
# So many calls are measured before it is said how many fit.
_MEASURED = 5
# What a laptop reads and writes, where nothing is known of the model yet.
READ_A_SECOND, WRITTEN_A_SECOND = 500, 50


def ahead(project: Project, study: Study, work: Work) -> str:
    """How many calls are to be made and how long they may take, in a sentence."""
    calls = min(work.pending, work.options.calls or work.pending)
    seconds = _seconds_before(project, study, work)
    if seconds is None:
        pending = [entry.call for entry in work.entries if entry.pending]
        tokens = sum(call.reply_tokens for call in pending) / len(pending)
        read = sum(call.tokens - call.shared for call in pending) / len(pending)
        seconds = read / READ_A_SECOND + tokens / WRITTEN_A_SECOND
        basis = f"at most, if the model reads {READ_A_SECOND} tokens a second and writes {WRITTEN_A_SECOND}"
    else:
        basis = "as its calls took before"
    whole = calls * seconds
    told = f"about {whole / 3600:.2f} hours ({duration(whole)})" if whole > 90 else f"about {duration(whole)}"
    lie = "lies" if calls == 1 else "lie"
    return f"{counted(calls, 'call')} {lie} ahead, {seconds:.2g} s a call {basis}: {told}."


def saying_what_fits(
    steps: Generator[Progress, None, T],
    works: Sequence[Work],
    options: RunOptions,
    tell: Callable[[str], None] | None,
) -> Generator[Progress, None, T]:
    """The steps of a run; where it has so many minutes `tell` hears, after its first calls, how many fit.

    It stands among the notes of the work, too, which is in `works` once it is planned.
    """
    since, before, told = time.monotonic(), 0, options.minutes is None
    try:
        while True:
            step = next(steps)
            yield step
            if told or not works:
                continue
            before = before or works[0].pending
            made = before - works[0].pending
            if not made:
                # Loading the model is no call.
                start = time.monotonic()
            elif made >= _MEASURED and options.minutes is not None:
                told = True
                each = (time.monotonic() - start) / made
                left = max(options.minutes * 60 - (time.monotonic() - since), 0.0)
                fit = min(made + int(left / each), before) if each else before
                words = f"{counted(made, 'call')} took {each:.2g} s each: "
                words += f"of {before:,} about {fit:,} fit into {counted_minutes(options.minutes)}."
                works[0].notes.append(words)
                if tell is not None:
                    tell(words)
    except StopIteration as stop:
        ended: T = stop.value
        return ended
    finally:
        steps.close()


def counted_minutes(minutes: float) -> str:
    """Minutes for people."""
    return f"{minutes:g} {'minute' if minutes == 1 else 'minutes'}"


def _seconds_before(project: Project, study: Study, work: Work) -> float | None:
    """How long calls of the same model and arm took in this study, None where there was none."""
    took = [
        call.seconds
        for run in study_runs(project, study)
        if run.settings.get("model") == work.card.name
        and run.settings.get("arm") == work.asking.identity.get("arm")
        for call in Ledger(project, run).answers
        if call.seconds is not None and not call.reused and call.state == "done"
    ]
    return sum(took) / len(took) if took else None
