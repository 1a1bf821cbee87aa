"""Many patterns over one text, each tried only at words that it can begin with.

No letter or digit stands before what a pattern takes: it says so itself, by `\\b` or by looking back.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import product
from typing import Any

# How a pattern can begin is read of Python's own parser; so many characters of a word tell patterns apart.
_PARSER, _SIZE = import_module("re._parser"), 3
_BEGIN = re.compile(r"(?<!\w)\S")
_ANY, _DIGIT, _LARGE = "\0", "\1", "\2"
_FEW = 12


class Scanner:
    """`scan` gives what `finditer` of each pattern gives, in a fraction of the time."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self.patterns = [re.compile(one) for one in patterns]
        self._begun = defaultdict[str, list[int]](list)
        self._tried: dict[str, list[int]] = {}
        for number, pattern in enumerate(patterns):
            parsed = _PARSER.parse(pattern)
            for head in _heads({""}, parsed, parsed.state.flags):
                self._begun[head.ljust(_SIZE, _ANY)].append(number)

    def scan(self, text: str) -> list[list[re.Match[str]]]:
        """The matches of each pattern, in the order of the text."""
        found: list[list[re.Match[str]]] = [[] for _ in self.patterns]
        ends = [0] * len(found)
        for word in _BEGIN.finditer(text):
            start = word.start()
            key = text[start : start + _SIZE]
            numbers = self._tried.get(key)
            if numbers is None:
                numbers = self._tried[key] = self._beginning(key)
            for number in numbers:
                if ends[number] <= start and (match := self.patterns[number].match(text, start)):
                    found[number].append(match)
                    ends[number] = match.end()
        return found

    def _beginning(self, key: str) -> list[int]:
        kinds = [(one.lower(), _kind(one), _ANY) for one in key.ljust(_SIZE)]
        return sorted({number for head in product(*kinds) for number in self._begun.get("".join(head), ())})


def _kind(letter: str) -> str:
    if letter.isdecimal():
        return _DIGIT
    return _ANY if letter.islower() and letter <= "ÿ" else _LARGE


def _heads(heads: set[str], items: Iterable[tuple[Any, Any]], flags: int) -> set[str]:
    """These beginnings, each longer by what the items may begin with; one that is long enough stays."""
    done: set[str] = set()
    for operation, told in items:
        done |= (long := {one for one in heads if len(one) >= _SIZE})
        heads = heads - long
        if not heads:
            break
        if operation in (_PARSER.AT, _PARSER.ASSERT, _PARSER.ASSERT_NOT):
            continue
        if operation is _PARSER.SUBPATTERN:
            _, more, fewer, inner = told
            heads = _heads(heads, inner, (flags | more) & ~fewer)
        elif operation is _PARSER.BRANCH:
            heads = set().union(*(_heads(heads, one, flags) for one in told[1]))
        elif operation in (_PARSER.MAX_REPEAT, _PARSER.MIN_REPEAT, _PARSER.POSSESSIVE_REPEAT):
            least, most, inner = told
            whole = set() if least else heads
            for times in range(1, min(_SIZE, most) + 1):
                heads = _heads(heads, inner, flags)
                whole = whole | heads if times >= min(least, _SIZE) else whole
            heads = whole
        else:
            letters = {*_letters(operation, told, flags)}
            heads = {one + letter for one in heads for letter in letters}
    return done | heads


def _letters(operation: Any, told: Any, flags: int) -> Iterator[str]:  # noqa: ANN401 (as the parser has them)
    """What may stand where one character is asked for: itself as it is written small, or its kind."""
    if operation is _PARSER.IN and told[0][0] is not _PARSER.NEGATE:
        for one in told:
            yield from _letters(one[0], one[1], flags)
    elif operation is _PARSER.LITERAL:
        yield chr(told).lower()
    elif operation is _PARSER.RANGE and told[1] - told[0] < _FEW:
        yield from map(str.lower, map(chr, range(told[0], told[1] + 1)))
    elif operation is _PARSER.RANGE and chr(told[0]).isupper() and not flags & re.IGNORECASE:
        yield _LARGE
    elif operation is _PARSER.CATEGORY and told is _PARSER.CATEGORY_DIGIT:
        yield _DIGIT
    else:
        yield _ANY
