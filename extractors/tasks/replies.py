"""A model's raw reply to quotes: everything that parses is kept, everything else is named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any, TypeGuard

from extractors.tasks.base import Reading, object_schema
from extractors.tasks.loose_json import Container, Node, Scan, Text, Word, scan, whole_characters

_ANALYSIS, _FINDINGS = "analysis", "findings"
_QUOTE_KEYS = frozenset({"quote", "quotes"})
_THOUGHT, _END_OF_THOUGHT = "<think>", "</think>"
_MOST_PROBLEMS = 40
_MOST_SHOWN = 3
_LONGEST_SHOWN = 200
# Under one key. The most that specialists gave a category of a report is below a hundred.
_MOST_QUOTES = 1000
# Read when a call ends, again when its findings are written down, and for all categories at once for each.
_KEPT = 64


@dataclass(frozen=True, slots=True)
class ReplyForm:
    """The JSON object a reply must be.

    `lists` maps each key of an array of quotes to what its quotes are: (category id, field, "" for none). One
    category is asked for by its fields, all categories together by their ids. Where `analysis` is true the
    object is {"analysis": text, "findings": {key: quotes}}, otherwise {key: quotes}; the alphabet has
    analysis before findings, as a server that sorts keys would.
    """

    lists: Mapping[str, tuple[str, str]]
    analysis: bool = False

    @property
    def categories(self) -> tuple[str, ...]:
        """The category ids that the reply answers for, in order."""
        return tuple(dict.fromkeys(category for category, _ in self.lists.values()))

    def read(self, text: str) -> Reading:
        """What a reply of this form says, a `Reply` as its value; parsed once, however often it is read."""
        reply = _parsed(text, tuple(self.lists.items()), self.analysis)
        return Reading(reply.complete, reply.problems, reply)

    def schema(self) -> dict[str, Any]:
        """The form as JSON schema: every key required, none beside them."""
        quotes = {key: {"type": "array", "items": {"type": "string"}} for key in self.lists}
        findings = object_schema(quotes, closed=True)
        analysed = {"analysis": {"type": "string"}, "findings": findings}
        return object_schema(analysed, closed=True) if self.analysis else findings


@dataclass(frozen=True, slots=True)
class ReplyQuote:
    """One quote as the model gave it, with the category and field it was given for ("" for no field)."""

    category: str
    field: str
    quote: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply holds.

    `quotes` are in the order of the reply, each once per key. `answered` are the categories of which every
    key is there with lists that were closed and whole, in the order of the form; `asked` are all of them.
    `last` is the category that stands last in the reply, `cut` where it breaks off, `reasoned` where the
    analysis, if asked for, stands before the answer. `problems` has one sentence for everything that was not
    as asked.
    """

    quotes: tuple[ReplyQuote, ...]
    answered: tuple[str, ...]
    problems: tuple[str, ...]
    analysis: str = ""
    asked: tuple[str, ...] = ()
    cut: bool = False
    reasoned: bool = True
    last: str = ""

    @property
    def complete(self) -> bool:
        """Whether every category is answered, after the reasoning if asked for, and nothing was cut."""
        return not self.cut and self.reasoned and self.answered == self.asked


@lru_cache(maxsize=_KEPT)
def _parsed(text: str, lists: tuple[tuple[str, tuple[str, str]], ...], analysis: bool) -> Reply:
    return parse_reply(text, ReplyForm(dict(lists), analysis))


def parse_reply(text: str, form: ReplyForm) -> Reply:
    """Read a reply that should be of `form`, whatever it is; never raises.

    An empty list or null is an answer: nothing. A text or object where a list is due is taken as one.
    """
    reading = _Reading(form)
    reading.read(text)
    return reading.reply()


@dataclass(slots=True)
class _Value:
    """The texts below a node. `others` are values that are no texts, `ignored` what stood beside a quote.

    `shapes` names what stood there in place of a list of texts; `whole` where all of it was closed and clean.
    """

    texts: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    shapes: dict[str, None] = field(default_factory=dict)
    whole: bool = True


class _Reading:
    """One reply being read against its form."""

    def __init__(self, form: ReplyForm) -> None:
        self._form = form
        self._keys = {_plain(key): key for key in form.lists}
        self._wrappers = {_plain(name) for name in (_FINDINGS, *form.categories)}
        self._quotes: dict[ReplyQuote, int] = {}
        self._whole: dict[str, list[bool]] = {}
        self._analysis: list[str] = []
        self._late = False
        self._cut = False
        self._problems: dict[str, None] = {}

    def read(self, text: str) -> None:
        thought, answer = _split_thought(text)
        if thought:
            self._problem(f"Reasoning of {len(thought)} characters stands before the answer.")
        found = scan(answer)
        never_ended = bool(thought) and _END_OF_THOUGHT not in text
        self._cut = never_ended or any(not one.closed for one in found.containers)
        if self._cut:
            within = "" if found.open_text is None else f" within the text {_shown(found.open_text)}"
            self._problem(f"The reply breaks off{within}.")
        self._read_containers(found)
        self._name_missing(text)
        self._name_repeated()
        outside = "".join(found.outside).strip()
        if outside:
            self._problem(f"Text outside the answer was left out: {_shown(outside)}.")
        for fault, number in found.faults.items():
            self._problem(f"{fault} ({_times(number)}).")

    def reply(self) -> Reply:
        answered = tuple(
            category
            for category in self._form.categories
            if all(
                key in self._whole and all(self._whole[key])
                for key, (asked, _) in self._form.lists.items()
                if asked == category
            )
        )
        problems = list(self._problems)
        if len(problems) > _MOST_PROBLEMS:
            more = len(problems) - _MOST_PROBLEMS
            problems[_MOST_PROBLEMS:] = [f"Beside these, {more} other things were not as asked."]
        return Reply(
            tuple(self._quotes),
            answered,
            tuple(problems),
            "\n".join(self._analysis),
            self._form.categories,
            self._cut,
            not self._form.analysis or (bool(self._analysis) and not self._late),
            self._form.lists[next(reversed(self._whole))][0] if self._whole else "",
        )

    def _problem(self, sentence: str) -> None:
        self._problems[sentence] = None

    def _read_containers(self, found: Scan) -> None:
        """Objects are read as one; a list beside or around them is that of the only key, or left out."""
        objects = list(_objects(found.containers))
        lists = [one for one in found.containers if not one.is_object]
        if lists and len(self._form.lists) == 1 and not any(map(self._knows, objects)):
            for one in lists:
                self._take_alone(one)
            lists = []
            objects = [one for one in found.containers if one.is_object]
        for one in objects:
            self._read_object(one, wrapped=False)
        for one in lists:
            beside = [("", node) for _, node in one.members if not _is_object(node)]
            left_out = f"; left out: {_held(_value(Container(False, beside)))}" if beside else ""
            self._problem(f"A list stands around or beside the answer{left_out}.")

    def _knows(self, container: Container) -> bool:
        known = self._keys.keys() | self._wrappers | {_ANALYSIS}
        return any(_plain(key) in known for key, _ in container.members)

    def _read_object(self, container: Container, wrapped: bool) -> None:
        for key, node in container.members:
            plain = _plain(key)
            own = key if key in self._form.lists else self._keys.get(plain)
            if own is not None:
                if own != key:
                    self._problem(f"The key {_shown(key)} was read as {own!r}.")
                if self._form.analysis and not wrapped:
                    self._problem(f"Keys of the answer stand outside {_FINDINGS!r}.")
                self._take(own, node)
            elif plain == _ANALYSIS:
                self._take_analysis(node)
            elif plain in self._wrappers and not wrapped:
                if plain != _FINDINGS or not self._form.analysis:
                    self._problem(f"The quotes stand within {_shown(key)}, which was not asked for.")
                self._read_wrapped(key, node)
            else:
                self._problem(f"The key {_shown(key)} was not asked for; left out: {_held(_value(node))}.")

    def _read_wrapped(self, key: str, node: Node) -> None:
        if _is_object(node):
            self._read_object(node, wrapped=True)
        elif isinstance(node, Container) and len(self._form.lists) == 1:
            self._take_alone(node)
        else:
            self._problem(f"Under {_shown(key)} stands no object; left out: {_held(_value(node))}.")

    def _take_alone(self, container: Container) -> None:
        """A list where an object is due that has one key only: its list."""
        self._problem("A list stands in place of the object.")
        self._take(next(iter(self._form.lists)), container)

    def _take_analysis(self, node: Node) -> None:
        value = _value(node)
        if isinstance(node, Text) and not node.closed:
            value.texts.append(node.value)
        self._analysis += value.texts
        if not self._form.analysis:
            self._problem("The reply reasons, which was not asked for.")
        elif self._whole:
            self._late = True
            self._problem("The reasoning stands behind the findings: it did not lead to them.")
        if value.others:
            self._problem(f"The analysis is no text; left out: {_listed(value.others)}.")

    def _take(self, key: str, node: Node) -> None:
        """Keep the quotes under a key of the form."""
        value = _value(node)
        category, of_field = self._form.lists[key]
        given = Counter(text for text in value.texts if text.strip())
        for text, times in islice(given.items(), _MOST_QUOTES):
            quote = ReplyQuote(category, of_field, text)
            self._quotes[quote] = self._quotes.get(quote, 0) + times
        more = max(len(given) - _MOST_QUOTES, 0)
        if more:
            self._problem(f"Under {key!r}, all but the first {_MOST_QUOTES} quotes were left out: {more}.")
        empty = sum(not text.strip() for text in value.texts)
        if empty:
            self._problem(f"Under {key!r}, {_number(empty, 'empty text')} left out.")
        if value.shapes:
            self._problem(f"Under {key!r}, where a list of texts is due: {', '.join(value.shapes)}.")
        if value.others:
            self._problem(f"Under {key!r}, left out as no text: {_listed(value.others)}.")
        if value.ignored:
            self._problem(f"Under {key!r}, left out beside a quote: {_listed(value.ignored)}.")
        if not value.whole:
            self._problem(f"What stands under {key!r} is not whole.")
        self._whole.setdefault(key, []).append(value.whole and not value.others and not more)

    def _name_missing(self, text: str) -> None:
        if not text.strip():
            self._problem("The reply is empty.")
            return
        if not self._whole and not self._cut:
            self._problem("The reply has no JSON object with any key that was asked for.")
            return
        missing = [key for key in self._form.lists if key not in self._whole]
        if missing:
            self._problem(f"Missing: {', '.join(map(repr, missing))}.")
        if self._form.analysis and not self._analysis:
            self._problem(f"Missing: {_ANALYSIS!r}.")

    def _name_repeated(self) -> None:
        for key, values in self._whole.items():
            if len(values) > 1:
                self._problem(f"The key {key!r} comes {_times(len(values))}; all its quotes are kept.")
        for quote, number in self._quotes.items():
            if number > 1:
                self._problem(f"Given {_times(number)} and kept once: {_shown(quote.quote)}.")


def _split_thought(text: str) -> tuple[str, str]:
    """What a thinking model thought aloud before its answer, and the answer, "" where the thought never ends.

    Some templates open the thought in the prompt, so that only its end is in the reply.
    """
    start = text.lstrip()
    opened = start.startswith(_THOUGHT)
    if not opened and (_END_OF_THOUGHT not in start or start[:1] in ("{", "[", "`")):
        return "", text
    thought, _, answer = start.removeprefix(_THOUGHT).partition(_END_OF_THOUGHT)
    return thought.strip(), answer


def _objects(containers: Iterable[Container]) -> Iterator[Container]:
    """Outermost objects, and those that are items of an outermost list."""
    for one in containers:
        if one.is_object:
            yield one
        else:
            yield from (node for _, node in one.members if _is_object(node))


def _is_object(node: Node) -> TypeGuard[Container]:
    return isinstance(node, Container) and node.is_object


def _value(node: Node) -> _Value:
    """The texts below a node, in order. Of an object that has a quote by that name only this is taken."""
    value = _Value()
    if isinstance(node, Text):
        value.shapes["a text alone"] = None
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Text):
            value.whole = value.whole and one.closed
            value.texts += [one.value] if one.closed else []
        elif isinstance(one, Word):
            if one.value == "null":
                value.shapes["null"] = None
            else:
                value.others.append(one.value)
        else:
            value.whole = value.whole and one.closed and one.sound
            if one is not node or one.is_object:
                value.shapes["an object" if one.is_object else "a list within the list"] = None
            waiting += reversed(_wanted(one, value))
    return value


def _wanted(container: Container, value: _Value) -> list[Node]:
    members = container.members
    named = [node for key, node in members if _plain(key) in _QUOTE_KEYS] if container.is_object else []
    if not named:
        return [node for _, node in members]
    for key, node in members:
        if _plain(key) not in _QUOTE_KEYS:
            value.ignored.append(f"{key}: {_held(_value(node))}")
    return named


def _plain(key: str) -> str:
    """A key without what models change in it: case, white space, hyphens and underscores."""
    return "".join(filter(str.isalnum, key)).casefold()


def _held(value: _Value) -> str:
    """What a value that is left out held."""
    held = value.texts + value.others + value.ignored
    return f"{_number(len(value.texts), 'text')}" + (f" ({_listed(held)})" if held else "")


def _listed(texts: list[str]) -> str:
    more = len(texts) - _MOST_SHOWN
    return ", ".join(map(_shown, texts[:_MOST_SHOWN])) + (f" and {more} more" if more > 0 else "")


def _shown(text: str) -> str:
    """A text for a sentence: quoted, control characters escaped, no longer than a few lines."""
    short = repr(whole_characters(text[:_LONGEST_SHOWN]))
    return short if len(text) <= _LONGEST_SHOWN else f"{short}... ({len(text)} characters)"


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
