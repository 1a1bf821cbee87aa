"""One run of a model as the project records it, and answers that another run got to the very same prompts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from app import __version__
from app.operations.extract.options import setting
from app.store.act import begin_act
from app.store.annotate.annotators import annotators, ensure_annotator
from app.store.extract.runs import BEST_LAST, CallRecord, Run, RunKind, generations, runs, start_run
from app.store.values import canonical

if TYPE_CHECKING:
    from app.operations.extract.entry import Entry
    from app.store.project import Project

_RANK = {state: rank for rank, state in enumerate(BEST_LAST)}
# Among the details of a call: the questions that it asks at once. Called so since the first recorded runs.
ASKS = "categories"
# Subject, question, which of several times, and hash of the prompt.
_Key: TypeAlias = tuple[str, str, str, str]


def find_run(project: Project, identity: Mapping[str, Any], kind: RunKind = "model") -> Run | None:
    """The latest run with these settings, if any."""
    for run in reversed(runs(project)):
        if run.kind == kind and all(setting(run.settings, key) == value for key, value in identity.items()):
            return run
    return None


# What two runs must share for an answer of the one to be an answer of the other, beside the prompt.
_ANSWERING = ("model", "digest", "options", "context", "think", "remote", "about")


def alike_runs(project: Project, identity: Mapping[str, Any], besides: Run | None) -> list[Run]:
    """The other runs in which the same prompt would have been answered alike, the latest first."""
    wanted = {key: identity[key] for key in _ANSWERING}
    return [
        run
        for run in reversed(runs(project))
        if run.kind == "model"
        and (besides is None or run.uuid != besides.uuid)
        and all(run.settings.get(key) == value for key, value in wanted.items())
    ]


def begin_run(
    project: Project, stem: str, settings: Mapping[str, Any], who: str, kind: RunKind = "model"
) -> Run:
    """Record a new run under an annotator of its own, called `stem`, "#2" and so on after it."""
    taken = {annotator.name for annotator in annotators(project, every=True)}
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}#{number}"
    with begin_act(project, f"begin run {name}", who, undoable=False) as act:
        holder = ensure_annotator(act, name, "run", canonical(settings))
        return start_run(act, holder.uuid, kind, name, settings, __version__)


class Ledger:
    """The answers of one run, by subject, question and prompt, the best that each prompt ever got."""

    def __init__(self, project: Project, run: Run | None) -> None:
        self._best: dict[_Key, CallRecord] = {}
        self._uuids: dict[_Key, str] = {}
        self._of: dict[str, dict[_Key, CallRecord]] = {}
        for generation in generations(project, run.uuid) if run else ():
            self.add(generation.record, generation.uuid)

    def add(self, answer: CallRecord, uuid: str = "") -> None:
        """Take note of a call (UUID); a failed repetition does not displace what an earlier one said."""
        key = answer.subject, answer.question, answer.again, answer.prompt_sha256
        known = self._best.get(key)
        if known is None or _RANK[answer.state] >= _RANK[known.state]:
            self._best[key], self._uuids[key] = answer, uuid
            self._of.setdefault(answer.subject, {})[key] = answer

    @property
    def answers(self) -> tuple[CallRecord, ...]:
        """The best answer to each prompt, calls that were divided left out: their parts stand for them."""
        return tuple(answer for answer in self._best.values() if answer.state != "divided")

    def questions(self, subject: str) -> set[str]:
        """Every question that the run has asked about a subject (UUID), answered or not."""
        own = self._of.get(subject, {}).values()
        several = {one for answer in own for one in answer.details.get(ASKS, ())}
        return several | {answer.question for answer in own if answer.question}

    def missing(
        self, documents: Iterable[str], asked: Iterable[str], *, all_at_once: bool, begun: bool
    ) -> int:
        """How many calls about the documents (UUIDs) have no answer.

        `asked` are the categories that the run began with, one call for all of them where `all_at_once`; only
        documents of which something is known count where the run has `begun` no others. A call for one part
        of a report stands for that share of it, which tells what is missing whatever was divided.
        """
        covered: dict[tuple[str, str], float] = defaultdict(float)
        parts: dict[tuple[str, str], int] = defaultdict(lambda: 1)
        for answer in self._best.values():
            key = answer.subject, answer.question
            parts[key] = max(parts[key], answer.parts)
            if answer.state not in ("cancelled", "divided"):
                covered[key] += 1 / answer.parts
        known = {answer.subject for answer in self._best.values()}
        every = {""} if all_at_once else set(asked).union(*(self.questions(one) for one in known))
        own = [one for one in documents if one in known or not begun]
        return sum(
            round((1 - min(covered[one, category], 1)) * parts[one, category])
            for one in own
            for category in every
        )

    def answer(self, subject: str, question: str, prompt_sha256: str, again: str = "") -> CallRecord | None:
        """What was answered to that prompt about a subject (UUID), if anything."""
        return self._best.get((subject, question, again, prompt_sha256))

    def of(self, entry: Entry) -> CallRecord | None:
        """What was answered to a planned call, if anything."""
        item = entry.item
        return self.answer(entry.report.uuid, item.question, entry.sha256, item.again)

    def first(self, answer: CallRecord) -> str:
        """The UUID of the call that one of the ledger's answers came from first, in whatever run."""
        key = answer.subject, answer.question, answer.again, answer.prompt_sha256
        return answer.reused or self._uuids[key]


def take_over(
    project: Project, identity: Mapping[str, Any], run: Run | None, missing: Sequence[Entry]
) -> tuple[list[tuple[Entry, CallRecord]], list[str]]:
    """Whole answers of other runs of the same model to the prompts of the `missing` entries.

    Those entries are no longer pending. With a sentence for each run that gave some.
    """
    found: list[tuple[Entry, CallRecord]] = []
    taken: Counter[str] = Counter()
    for other in alike_runs(project, identity, run):
        answers = Ledger(project, other)
        for entry in [one for one in missing if one.pending]:
            answer = answers.of(entry)
            if answer is not None and answer.state == "done":
                entry.pending = False
                taken[other.name] += 1
                found.append((entry, _taken_over(answer, entry, answers.first(answer))))
    return found, [
        f"The answers of {name} to the very same prompts were taken over, {number} of them."
        for name, number in taken.items()
    ]


def _taken_over(answer: CallRecord, entry: Entry, first: str) -> CallRecord:
    """Another run's answer (the call `first`, UUID) as this run's."""
    item = entry.item
    details = {**answer.details, ASKS: list(item.asks), "spans": [list(span) for span in item.spans]}
    return replace(answer, part=item.part, parts=item.parts, reused=first, details=details)
