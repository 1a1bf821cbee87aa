"""One run of a model as the project records it: what was answered, and what the answers say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from app import __version__
from app.operations.extract.options import setting
from app.store.act import begin_act
from app.store.annotations import add_annotations, delete_annotations
from app.store.annotators import annotators, ensure_annotator
from app.store.reviews import ReviewState, review_of, set_review
from app.store.runs import BEST_LAST, CallRecord, Run, generations, runs, start_run
from extractors.llm.replies import Reply, parse_reply

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.documents import StoredDocument
    from app.store.project import Project
    from extractors.llm.findings import ReportReader
    from extractors.llm.types import ReplyForm
    from extractors.model.finding import Finding, Grounding

_RANK = {state: rank for rank, state in enumerate(BEST_LAST)}
# Subject, question, which of several times, and hash of the prompt.
_Key: TypeAlias = tuple[str, str, str, str]


def find_run(project: Project, identity: Mapping[str, Any]) -> Run | None:
    """The latest run with these settings, if any."""
    for run in reversed(runs(project)):
        if run.kind == "model" and all(
            setting(run.settings, key) == value for key, value in identity.items()
        ):
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


def begin_run(project: Project, settings: Mapping[str, Any], who: str) -> Run:
    """Record a new run under an annotator of its own, "model/strategy/prompting", "#2" and so on after it."""
    stem = "/".join(str(settings[key]) for key in ("model", "strategy", "prompting"))
    taken = {annotator.name for annotator in annotators(project)}
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}#{number}"
    with begin_act(project, f"begin run {name}", who, undoable=False) as act:
        holder = ensure_annotator(act, name, "run")
        return start_run(act, holder.uuid, "model", name, settings, __version__)


class Ledger:
    """The answers of one run, by subject, question and prompt, the best that each prompt ever got."""

    def __init__(self, project: Project, run: Run | None) -> None:
        self._best: dict[_Key, CallRecord] = {}
        self._uuids: dict[_Key, str] = {}
        for generation in generations(project, run.uuid) if run else ():
            self.add(generation.record, generation.uuid)

    def add(self, answer: CallRecord, uuid: str = "") -> None:
        """Take note of a call (UUID); a failed repetition does not displace what an earlier one said."""
        key = answer.subject, answer.question, answer.again, answer.prompt_sha256
        known = self._best.get(key)
        if known is None or _RANK[answer.state] >= _RANK[known.state]:
            self._best[key], self._uuids[key] = answer, uuid

    @property
    def answers(self) -> tuple[CallRecord, ...]:
        """The best answer to each prompt, calls that were divided left out: their parts stand for them."""
        return tuple(answer for answer in self._best.values() if answer.state != "divided")

    def categories(self, document: str) -> set[str]:
        """Every category that the run has asked for in a document (UUID), answered or not."""
        own = [answer for answer in self._best.values() if answer.subject == document]
        several = {category for answer in own for category in answer.details.get("categories", ())}
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
        every = {""} if all_at_once else set(asked).union(*(self.categories(one) for one in known))
        own = [one for one in documents if one in known or not begun]
        return sum(
            round((1 - min(covered[one, category], 1)) * parts[one, category])
            for one in own
            for category in every
        )

    def answer(self, subject: str, question: str, prompt_sha256: str, again: str = "") -> CallRecord | None:
        """What was answered to that prompt about a subject (UUID), if anything."""
        return self._best.get((subject, question, again, prompt_sha256))

    def first(self, answer: CallRecord) -> str:
        """The UUID of the call that one of the ledger's answers came from first, in whatever run."""
        key = answer.subject, answer.question, answer.again, answer.prompt_sha256
        return answer.reused or self._uuids[key]


@dataclass(frozen=True, slots=True)
class CellResult:
    """What a run says of one report in one category; `whole` where every part of it was answered in full."""

    category: str
    findings: tuple[tuple[Finding, Grounding], ...]
    whole: bool


def read_cell(
    category: str, answers: Iterable[tuple[CallRecord | None, ReplyForm]], reader: ReportReader
) -> CellResult:
    """Put together what the answers, part by part, say of a category."""
    parts = []
    whole = True
    for answer, form in answers:
        reply = parse_reply((answer and answer.raw_reply) or "", form)
        shown = [(start, end) for start, end in answer.details.get("spans", ())] if answer else []
        parts.append(([quote for quote in reply.quotes if quote.category == category], shown))
        whole &= answer is not None and category in _whole(answer, reply)
    return CellResult(category, tuple(reader.findings(parts)), whole)


def _whole(answer: CallRecord, reply: Reply) -> tuple[str, ...]:
    """The categories of which an answer says all it has to say.

    Of a reply that was cut or malformed these are the ones with another behind them: what stands last may
    have been followed by more. Where the call failed or the report was not read whole, there are none.
    """
    if answer.state == "done":
        return reply.answered
    if answer.state == "incomplete" and not answer.details.get("cut_prompt"):
        return tuple(category for category in reply.answered if category != reply.last)
    return ()


def write_cells(
    act: Act, report: StoredDocument, holder: str, cells: Sequence[CellResult], wanted: Iterable[str]
) -> None:
    """Put the cells in the place of what the run (its annotator's UUID) had there.

    Only a category answered in full counts as looked at, and then gives way only to one that is as well; the
    review is done when all `wanted` are.
    """
    before = review_of(act.project, report.uuid, holder)
    looked_at, nothing = set(before.looked_at), set(before.nothing_found)
    for cell in cells:
        if cell.category in looked_at and not cell.whole:
            continue
        findings = [finding for finding, _ in cell.findings]
        delete_annotations(act, report.uuid, holder, cell.category)
        groundings = [grounding for _, grounding in cell.findings]
        add_annotations(act, report.uuid, holder, findings, "model", groundings=groundings)
        looked_at.discard(cell.category)
        nothing.discard(cell.category)
        if cell.whole:
            looked_at.add(cell.category)
            nothing |= set() if findings else {cell.category}
    state: ReviewState = "done" if looked_at.issuperset(wanted) else "in progress"
    set_review(act, report.uuid, holder, state=state, looked_at=looked_at, nothing_found=nothing)
