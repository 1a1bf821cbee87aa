"""JSON as language models write it: cut, unescaped, with too many commas; read in one pass, never refused."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

# Possessive, so that one megabyte without a closing quotation mark is read once and not tried again.
_TOKEN = re.compile(
    r'\s++|"(?P<text>(?:[^"\\]++|\\.)*\\?)(?P<end>"?)|(?P<mark>[\[\]{},:])|(?P<word>[^\s"\[\]{},:]++)',
    re.DOTALL,
)
# A bracket in prose, "[see below]" or "{category}", opens nothing.
_OPENING = re.compile(r'\{(?=\s*+(?:["}]|\Z))|\[(?=\s*+(?:["{\[\]]|\Z))')
_ESCAPE = re.compile(
    r"\\(?:u(?P<code>[0-9a-fA-F]{4})|(?P<cut>u[0-9a-fA-F]{0,3}\Z|\Z)|(?P<sign>.))", re.DOTALL
)
# Brackets further in are counted and their texts kept where they stand: no reply has a use for them.
_DEEPEST = 32
_SIGNS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
_CONTROL = re.compile(r"[\x00-\x1f]")
_SPECIAL = re.compile("[\x00-\x1f\\\\\ud800-\udfff]")
_CUT_HALF = re.compile("[\ud800-\udbff]\\Z")
_HALF = re.compile("[\ud800-\udfff]")

CONTROL_FAULT = "A text holds control characters that are not escaped, kept as given"
ESCAPE_FAULT = "A text holds an escape that JSON does not know, read without its backslash"
HALF_FAULT = "A text holds half a character (a lone surrogate), which was replaced"
MARK_FAULT = "A comma, colon or bracket is missing or too many"


@dataclass(frozen=True, slots=True)
class Text:
    """A string; `closed` is false where the source ends before its closing quotation mark."""

    value: str
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Word:
    """Anything else that is no container: null, a number, NaN, stray words; "" for a value left out."""

    value: str


@dataclass(slots=True, eq=False)
class Container:
    """An object, or an array, whose keys are "" as are those of an object's values without one.

    `closed` where its own bracket ends it; `sound` where every comma and colon in it is right but for commas
    too many, which hide nothing. `key` and `last` are the scan's: the key read and the kind of token before.
    """

    is_object: bool
    members: list[tuple[str, Node]] = field(default_factory=list)
    closed: bool = False
    sound: bool = True
    key: str = ""
    last: Literal["", ",", "key", ":", "value"] = ""


Node: TypeAlias = Text | Word | Container


@dataclass(slots=True)
class Scan:
    """What a text holds: outermost containers in order, and the text between them.

    `open_text` is a string under way where the source ends, None where there is none. `faults` counts what
    is not as JSON has it: sentences without their stop.
    """

    containers: list[Container] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    open_text: str | None = None
    faults: Counter[str] = field(default_factory=Counter)


def scan(source: str) -> Scan:
    """Every container in `source`, closed or not, in time linear in its length; never raises.

    Written here because a parser that takes partial JSON, as pydantic-core does, says not which strings and
    lists were closed, keeps the last of two equal keys only, and gives up at the first fault of another kind.
    """
    found, at = Scan(), 0
    while opening := _OPENING.search(source, at):
        found.outside.append(source[at : opening.start()])
        at = _Builder(found).build(source, opening.start())
    found.outside.append(source[at:])
    return found


def whole_characters(text: str) -> str:
    """`text` with pairs of surrogates joined and the replacement character for each lone one."""
    if _HALF.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class _Builder:
    """Builds one outermost container, with a stack of its own rather than calls within calls."""

    def __init__(self, found: Scan) -> None:
        self._found = found
        self._stack: list[Container] = []
        self._open = [0, 0]
        self._too_deep = 0

    def build(self, source: str, start: int) -> int:
        """Read the container that opens at `start`; returns the offset behind it."""
        for token in _TOKEN.finditer(source, start):
            kind = token.lastgroup
            if kind == "mark":
                self._mark(token["mark"])
                if not self._stack:
                    return token.end()
            elif kind == "word":
                self._value(Word(token["word"]))
            elif kind == "end":
                self._text(token["text"], bool(token["end"]))
        return len(source)

    def _mark(self, mark: str) -> None:
        if mark in "{[":
            self._open_container(mark == "{")
        elif mark in "}]":
            self._close(mark == "}")
        elif mark == ",":
            top = self._stack[-1]
            self._end_member(top)
            top.last = ","
        elif self._stack[-1].last == "key":
            self._stack[-1].last = ":"
        else:
            self._fault(self._stack[-1])

    def _open_container(self, is_object: bool) -> None:
        if len(self._stack) == _DEEPEST:
            self._too_deep += 1
            self._fault(self._stack[-1])
            return
        new = Container(is_object)
        if self._stack:
            self._value(new)
        else:
            self._found.containers.append(new)
        self._stack.append(new)
        self._open[is_object] += 1

    def _close(self, is_object: bool) -> None:
        """Close the innermost container of the kind, and those within it that were left open."""
        if self._too_deep:
            self._too_deep -= 1
            return
        if not self._open[is_object]:
            self._fault(self._stack[-1])
            return
        while True:
            top = self._stack.pop()
            self._open[top.is_object] -= 1
            self._end_member(top)
            if top.is_object == is_object:
                top.closed = True
                return
            self._found.faults[MARK_FAULT] += 1

    def _end_member(self, top: Container) -> None:
        """At a comma or closing bracket: settle a key that got no value, and count a comma too many."""
        self._end_key(top)
        if top.last == ":":
            top.members.append((top.key, Word("")))
            self._fault(top)
        elif top.last == ",":
            self._found.faults[MARK_FAULT] += 1
        top.last = "value"

    def _end_key(self, top: Container) -> None:
        """A key that no colon follows is a text without one."""
        if top.last == "key":
            top.members.append(("", Text(top.key)))
            self._fault(top)

    def _text(self, raw: str, closed: bool) -> None:
        text = self._decoded(raw, closed)
        top = self._stack[-1]
        if not closed:
            self._found.open_text = text
        if not top.is_object or top.last == ":":
            self._value(Text(text, closed))
        elif closed:
            if top.last == "value":
                self._fault(top)
            self._end_key(top)
            top.key, top.last = text, "key"

    def _value(self, node: Node) -> None:
        top = self._stack[-1]
        if top.is_object:
            if top.last != ":":
                self._fault(top)
            top.members.append((top.key if top.last == ":" else "", node))
        else:
            if top.last == "value":
                self._fault(top)
            top.members.append(("", node))
        top.last = "value"

    def _fault(self, top: Container) -> None:
        top.sound = False
        self._found.faults[MARK_FAULT] += 1

    def _decoded(self, raw: str, closed: bool) -> str:
        if _SPECIAL.search(raw) is None:
            return raw
        faults = self._found.faults
        if _CONTROL.search(raw):
            faults[CONTROL_FAULT] += 1

        def sign(escape: re.Match[str]) -> str:
            if escape["code"]:
                return chr(int(escape["code"], 16))
            if escape["cut"] is not None and not closed:
                return ""
            given = escape["sign"] or escape["cut"] or ""
            if given not in _SIGNS:
                faults[ESCAPE_FAULT] += 1
            return _SIGNS.get(given, given)

        text = _ESCAPE.sub(sign, raw)
        if not closed:
            text = _CUT_HALF.sub("", text)
        whole = whole_characters(text)
        if closed and whole.count("\ufffd") > text.count("\ufffd"):
            faults[HALF_FAULT] += 1
        return whole
