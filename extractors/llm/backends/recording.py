"""Recorded replies as a file: JSON Lines that a finished model run can be written to and played from."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from extractors.llm.types import ModelCard, Outcome, ShownPart, Subject
from extractors.model.errors import ReplayError
from extractors.tasks import QUOTES
from extractors.tasks.prompting.variants import PROMPTINGS, STRATEGIES, Prompting, Strategy

Choice = TypeVar("Choice", bound=str)

VERSION = 1
INVENTED = "invented"  # how the name of a model that nobody asked begins, wherever it is shown
UNSTATED_CONTEXT = 131_072
_LARGEST = 2**53
_MEASURES = ("tokens_in", "tokens_out", "load_seconds", "prefill_seconds", "reply_seconds")
_HEADER_KEYS = frozenset(
    "casespan_replies model about invented digest quantisation server context strategy prompting task".split()
)
_ENTRY_KEYS = frozenset(_MEASURES).union(
    "report categories part parts again reply done_reason thinking error overflow spans".split()
)


@dataclass(frozen=True, slots=True)
class Recording:
    """Replies by what they answer. `about` is the sentence to show wherever they are shown.

    `invented` where somebody wrote the replies and no model was asked. `strategy` and `prompting` are those
    that the replies answer, where the `task` is "quotes". `shown` says, by report and questions, in which
    parts a report was shown that did not fit into one prompt, in the order of its text.
    """

    about: str
    invented: bool
    card: ModelCard
    replies: Mapping[Subject, Outcome]
    strategy: Strategy = "ucp"
    prompting: Prompting = "few-shot"
    shown: Mapping[tuple[str, tuple[str, ...]], tuple[ShownPart, ...]] = field(default_factory=dict)
    task: str = QUOTES

    @property
    def model(self) -> str:
        """The name by which the replies are asked for."""
        return self.card.name


def read_recording(path: Path) -> Recording:
    """The recording in a JSON Lines file (UTF-8): a header, then one line for each reply.

    Raises ReplayError, with file and line, for anything that is not such a file; nothing is skipped but
    blank lines.
    """
    lines = [
        _Line(path, number, text)
        for number, text in enumerate(_decoded(path).split("\n"), start=1)
        if text.strip()
    ]
    if not lines:
        raise ReplayError(f"{path} is empty; name a file of recorded replies.")
    head = _header(lines[0])
    replies: dict[Subject, Outcome] = {}
    shown: dict[tuple[str, tuple[str, ...]], list[ShownPart]] = defaultdict(list)
    for line in lines[1:]:
        subject, outcome = _entry(line)
        if subject in replies:
            line.refuse("repeats a reply that stands above it")
        replies[subject] = outcome
        if "spans" in line.values:
            part = ShownPart(subject.part, subject.parts, line.spans("spans"))
            of_report = shown[subject.report, subject.asks]
            of_report += [] if part in of_report else [part]
    in_order = {
        key: tuple(sorted(parts, key=lambda part: part.part / part.parts)) for key, parts in shown.items()
    }
    return replace(head, replies=replies, shown=in_order)


def write_recording(recording: Recording) -> str:
    """The text that read_recording reads as the same recording.

    Only what is known is written: a count or time of None stays out, as does a blank in the model's card.
    `fatal` is not kept, since a recording is always there. Raises ReplayError for half a character (a lone
    surrogate), which no file takes.
    """
    card = recording.card
    header = {
        "casespan_replies": VERSION,
        "model": card.name,
        "about": recording.about,
        "invented": recording.invented,
        **_of_task(recording),
        **_filled_fields(card, "digest", "quantisation", "server", "context"),
    }
    spans = {
        Subject(report, asks, part.part, part.parts): part.spans
        for (report, asks), parts in recording.shown.items()
        for part in parts
    }
    lines = [
        header,
        *(
            _as_entry(subject, outcome, spans.get(replace(subject, again="")))
            for subject, outcome in recording.replies.items()
        ),
    ]
    text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        number = text.count("\n", 0, error.start) + 1
        raise ReplayError(
            f"Line {number} of the recording would hold half a character (a lone surrogate)."
        ) from None
    return text


def _of_task(recording: Recording) -> dict[str, object]:
    if recording.task == QUOTES:
        return {"strategy": recording.strategy, "prompting": recording.prompting}
    return {"task": recording.task}


def _filled_fields(source: ModelCard | Outcome | Subject, *names: str) -> dict[str, object]:
    return {name: value for name in names if (value := getattr(source, name))}


def _measured(outcome: Outcome) -> dict[str, object]:
    values = {name: getattr(outcome, name) for name in _MEASURES}
    return {name: value for name, value in values.items() if value is not None}


def _as_entry(
    subject: Subject, outcome: Outcome, spans: tuple[tuple[int, int], ...] | None
) -> dict[str, object]:
    return {
        "report": subject.report,
        "categories": list(subject.asks),
        **_filled_fields(subject, "again"),
        "part": subject.part,
        "parts": subject.parts,
        "reply": outcome.text,
        "done_reason": outcome.done_reason,
        **({} if spans is None else {"spans": [list(span) for span in spans]}),
        **_filled_fields(outcome, "thinking", "error", "overflow"),
        **_measured(outcome),
    }


def _decoded(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReplayError(
            f"{path} cannot be read ({error.strerror}); name a file of recorded replies."
        ) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise ReplayError(f"{path}, line {number}: the text is not UTF-8; save the file as UTF-8.") from None


def _header(line: _Line) -> Recording:
    if "casespan_replies" not in line.values:
        line.refuse('is no header of recorded replies, which begins with "casespan_replies"')
    version = line.values["casespan_replies"]
    if type(version) is not int or version != VERSION:
        line.refuse(f"names another form of recorded replies than {VERSION}, the only one known here")
    line.only(_HEADER_KEYS)
    card = ModelCard(
        line.name("model"),
        digest=line.text("digest", ""),
        quantisation=line.text("quantisation", ""),
        server=line.text("server", ""),
        context=line.count("context", UNSTATED_CONTEXT),
    )
    if line.flag("invented") and not card.name.startswith(INVENTED):
        line.refuse(f'is of invented replies and needs a "model" that begins with {INVENTED!r}')
    recording = Recording(line.name("about"), line.flag("invented"), card, {}, task=line.text("task", QUOTES))
    if recording.task != QUOTES:
        return recording
    strategy, prompting = line.choice("strategy", STRATEGIES), line.choice("prompting", PROMPTINGS)
    return replace(recording, strategy=strategy, prompting=prompting)


def _entry(line: _Line) -> tuple[Subject, Outcome]:
    line.only(_ENTRY_KEYS)
    part, parts = line.count("part", 0), line.count("parts", 1)
    # Questions are called categories here since the first recordings.
    subject = Subject(line.name("report"), line.names("categories"), part, parts, line.text("again", ""))
    if subject.part >= subject.parts:
        line.refuse('has a "part" that is not below "parts"')
    outcome = Outcome(
        text=line.text("reply"),
        thinking=line.text("thinking", ""),
        done_reason=line.text("done_reason"),
        error=line.text("error", ""),
        overflow=line.flag("overflow", False),
        tokens_in=line.measured_count("tokens_in"),
        tokens_out=line.measured_count("tokens_out"),
        load_seconds=line.seconds("load_seconds"),
        prefill_seconds=line.seconds("prefill_seconds"),
        reply_seconds=line.seconds("reply_seconds"),
    )
    return subject, outcome


class _Line:
    """One JSON object of the file, read key by key; whatever is unfit raises ReplayError."""

    def __init__(self, path: Path, number: int, text: str) -> None:
        self._place = f"{path}, line {number}"
        self.values: dict[str, Any] = {}
        try:
            values = json.loads(text, object_pairs_hook=self._unique, parse_constant=self._constant)
        except json.JSONDecodeError as error:
            self.refuse(f"is not JSON ({error.msg}, column {error.colno})")
        except (ValueError, RecursionError):
            self.refuse("is not JSON that can be read")
        if not isinstance(values, dict):
            self.refuse("is no JSON object")
        self.values = values

    def refuse(self, what: str) -> NoReturn:
        raise ReplayError(f"{self._place}, {what}; mend the line or record the replies again.")

    def _unique(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        values = dict(pairs)
        if len(values) < len(pairs):
            self.refuse("has a key twice")
        return values

    def _constant(self, name: str) -> NoReturn:
        self.refuse(f"has {name}, which is not JSON")

    def only(self, known: Set[str]) -> None:
        for key in self.values:
            if key not in known:
                self.refuse(f"has a key that is not known here ({key!a})")

    def text(self, key: str, unsaid: str | None = None) -> str:
        """A text of whole characters, required where `unsaid` is None."""
        value = self.values.get(key, unsaid)
        if not isinstance(value, str):
            self.refuse(f'needs a text as "{key}"')
        return self._whole(value)

    def name(self, key: str) -> str:
        value = self.text(key)
        if not value.strip():
            self.refuse(f'needs a "{key}" that is not blank')
        return value

    def choice(self, key: str, known: Sequence[Choice]) -> Choice:
        value = self.values.get(key)
        for one in known:
            if value == one:
                return one
        self.refuse(f'needs one of {", ".join(known)} as "{key}"')

    def names(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key)
        if not isinstance(value, list) or not value or not all(isinstance(one, str) and one for one in value):
            self.refuse(f'needs a list of names as "{key}"')
        if len(set(value)) < len(value):
            self.refuse(f'has a name twice in "{key}"')
        return tuple(self._whole(one) for one in value)

    def _whole(self, value: str) -> str:
        if any("\ud800" <= character <= "\udfff" for character in value):
            self.refuse("holds half a character (a lone surrogate)")
        return value

    def flag(self, key: str, unsaid: bool | None = None) -> bool:
        value = self.values.get(key, unsaid)
        if not isinstance(value, bool):
            self.refuse(f'needs true or false as "{key}"')
        return value

    def measured_count(self, key: str) -> int | None:
        return self.count(key, 0) if key in self.values else None

    def count(self, key: str, unsaid: int) -> int:
        value = self.values.get(key, unsaid)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _LARGEST:
            self.refuse(f'needs a whole number from 0 as "{key}"')
        return value

    def spans(self, key: str) -> tuple[tuple[int, int], ...]:
        """Pairs of code points in the order of the text, none within another."""
        value = self.values.get(key)
        end = 0
        found: list[tuple[int, int]] = []
        for one in value if isinstance(value, list) else ():
            pair = one if isinstance(one, list) and len(one) == 2 else [0, 0]
            start, stop = (edge if type(edge) is int else 0 for edge in pair)
            if not end <= start < stop:
                self.refuse(f'needs pairs of places in order as "{key}"')
            found.append((start, stop))
            end = stop
        if not found:
            self.refuse(f'needs pairs of places as "{key}"')
        return tuple(found)

    def seconds(self, key: str) -> float | None:
        if key not in self.values:
            return None
        value = self.values[key]
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not 0 <= value <= _LARGEST:
            self.refuse(f'needs a number of seconds as "{key}"')
        return float(value)
