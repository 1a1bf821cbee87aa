"""The names in a reply that should be a ranked list: numbered, bulleted, tabled, or spoken of in prose."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

# Where a text speaks of names.
Finder = Callable[[str], Iterable[tuple[int, int]]]

_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[a-z]*\n?|```", re.IGNORECASE)
_MARKUP = re.compile(r"\*\*|__|`|\\(?=[.()\-#*])|^\s*#+\s+(?=\S)", re.MULTILINE)
_NUMBERED = re.compile(
    r"^(?P<indent>\s*)(?:[-*•]\s+)?(?:diagnosis\s+|#)?#?\(?"
    r"(?P<number>\d{1,3})\s*(?:[.):\]]\s*|[、．]\s*|\s[-–]\s)(?P<words>\S.*)$",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"^\s*(?:[a-j]\)|(?:[IVX]{1,4})[.)])\s+(?P<words>\S.*)$")
_BULLET = re.compile(r"^\s*[-*•]\s+(?P<words>\S.*)$")
_MARKS = (_LETTERED, _BULLET)
_ROW = re.compile(r"^\s*\|(?P<cells>.*\w.*)\|\s*$")
_RULE = re.compile(r"^\s*\|[\s|:\-]+\|\s*$")
_IN_LINE = re.compile(r"(?:^|\s)\(?(\d{1,2})[.)]\s+(?=\S)")
_ITEM = re.compile(r"<li\b[^<>]{0,80}>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:[ou]l|li|p|br|div|span|b|i|em|strong|h\d)\b[^<>]{0,80}>", re.IGNORECASE)
# What stands behind a name in a list: a reason, by a dash with blanks around it, a colon, or a sentence.
_REASON = re.compile(r"\s+[-–—]+\s+|:\s+|:$|(?<=[^\W_]{2}|\s[\dIVX])\.\s+(?=[A-Z])")
# A name in a sentence: what leads up to it, and the reasons behind it.
_LED = re.compile(
    r"^(?:[^.;:]{0,160}?\b(?:diagnos[ei]s|this|it|patient|case|findings?)\b[^.;:]{0,80}?"
    r"(?:\b(?:is|are|be|has|have|was|suggests?|indicates?|points? to)\b:?|:)\s+)?"
    r"(?:(?:a case of|most likely|likely|probably|possibly|consistent with)\s+)*",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r",?\s+(?:because|given (?:the|his|her|their)|based on|since|supported by|in view of)\b.*$", re.IGNORECASE
)
_THEN = re.compile(
    r";|,?\s+(?:and\s+)?(?:then|next|followed by|secondly|thirdly|lastly)\b,?(?:\s+by\b)?", re.IGNORECASE
)
# Words of sentences that no name of a disease has, in six languages.
_SPOKEN = frozenset(
    "are be we this that he she cannot can can't could should would might likely probable probably patient "
    "think consider considered suggests because unlikely however given diagnosis diagnoses findings have has "
    "here my firstly secondly finally est sont je nous vous elle ce cette peut peux peuvent pas pense ne "
    "agit probablement diagnostic diagnostics voici que qui premièrement deuxièmement enfin ist sind ich wir "
    "es das handelt leidet kann kommen kommt frage nicht kein keine keinen wahrscheinlich wahrscheinlichste "
    "wahrscheinlichsten diagnose diagnosen und oder auch erstens zweitens son yo creo puede puedo podría más "
    "podrían paciente diagnóstico diagnósticos lo siento también primero segundo sono credo può più "
    "probabile paziente diagnosi é são mais provável não".split()
)
_CLAUSE = re.compile(r"[.;:!?\n]+(?:\s+|$)|,\s+|\s+(?:but|mais|aber|sondern|pero|ma)\s+", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|no|unlikely|excluded?|ruled? out|nicht|kein\w*|ausgeschlossen|unwahrscheinlich|pas|exclu\w*|"
    r"improbable|poco|descart\w*|non|esclus\w*|não)\b",
    re.IGNORECASE,
)
_LONGEST_NAME = 120
_NAMING = ("disease", "diagnosis", "name", "condition", "disorder", "label", "title")


def without_thoughts(text: str) -> str:
    """A reply without what a model thought before it."""
    return _THOUGHT.sub("", text)


def names_in(value: object) -> list[str] | None:
    """The names of a JSON value, None where it holds no list."""
    if isinstance(value, dict):
        inner = next((one for one in value.values() if isinstance(one, (list, dict))), None)
        if inner is not None:
            return names_in(inner) or []
        numbered = bool(value) and all(str(key).strip("# ").isdigit() for key in value)
        return [str(one) for one in value.values()] if numbered else None
    if not isinstance(value, list) or any(isinstance(one, (int, float)) for one in value):
        return None
    return [_name_of(one) if isinstance(one, dict) else str(one) for one in value]


def _name_of(entry: dict[Any, Any]) -> str:
    """What an entry names: what its key says is a name, else its first words."""
    plain = {str(key).casefold(): one for key, one in entry.items() if isinstance(one, str)}
    named = (plain[key] for key in _NAMING if key in plain)
    return next(named, next((one for one in plain.values() if not one.strip(" .#").isdigit()), ""))


def names_listed(text: str, known: Finder | None = None) -> tuple[list[str], bool]:
    """The entries of a reply in words, and whether some are what `known` found in sentences of it."""
    plain = _MARKUP.sub("", _TAG.sub("", _ITEM.sub("\n- ", _FENCE.sub("", text))))
    lines = [line for line in plain.split("\n") if line.strip()]
    if entries := _numbered(lines, known) or _rows(lines) or _marked(lines):
        return [_BECAUSE.sub("", _REASON.split(one, maxsplit=1)[0]) for one in entries], False
    if len(lines) == 1:
        lines = [_BECAUSE.sub("", _LED.sub("", one.strip(), count=1)) for one in _THEN.split(lines[0])]
    if known is None:
        return ([] if any(map(_is_long, lines)) else lines), False
    names: list[str] = []
    told = [_is_told(line) or len(list(known(line))) > 1 for line in lines]
    for line, prose in zip(lines, told, strict=True):
        names += _spoken_of(line, known) if prose else [] if line.rstrip().endswith(":") else [line]
    return names, any(told)


def _numbered(lines: Sequence[str], known: Finder | None) -> list[str]:
    """Numbered lines, without deeper ones; of several lists that with the most names, the last of equals."""
    if len(lines) == 1:
        places = [found.start() for found in _expected(lines[0])]
        lines = [lines[0][start:end].strip() for start, end in pairwise([*places, len(lines[0])])] or lines
    found = [match for line in lines if (match := _NUMBERED.match(line))]
    least = min((len(match["indent"]) for match in found), default=0)
    lists: list[list[str]] = []
    before = 0
    for match in found:
        if len(match["indent"]) > least + 1:
            continue
        number = int(match["number"])
        if not lists or (number == 1 and before > 1):
            lists.append([])
        lists[-1].append(match["words"])
        before = number

    def likely(one: list[str]) -> int:
        return sum(not _is_told(words) and (known is None or any(known(words))) for words in one)

    return max(reversed(lists), key=likely, default=[])


def _expected(line: str) -> Iterator[re.Match[str]]:
    """The numbers 1, 2, 3 of a list in one line."""
    number = 1
    for found in _IN_LINE.finditer(line):
        if int(found[1]) == number:
            number += 1
            yield found


def _rows(lines: Sequence[str]) -> list[str]:
    """The names of a table: of each row the first cell that is no number, without the head."""
    head = next((place for place, line in enumerate(lines) if _RULE.match(line)), None)
    rows = () if head is None else filter(None, map(_ROW.match, lines[head + 1 :]))
    cells = ([cell.strip() for cell in row["cells"].split("|")] for row in rows)
    return [next((cell for cell in row if not cell.strip("#. ").isdigit()), "") for row in cells]


def _marked(lines: Sequence[str]) -> list[str]:
    """Lines behind a letter or a Roman number, else behind a bullet."""
    marked = ([match["words"] for line in lines if (match := mark.match(line))] for mark in _MARKS)
    return next(filter(None, marked), [])


def _is_long(line: str) -> bool:
    return len(line) > _LONGEST_NAME or ". " in line


def _is_told(line: str) -> bool:
    """Whether a line is a sentence rather than a name."""
    return _is_long(line) or not _SPOKEN.isdisjoint(re.findall(r"[^\W\d_]+(?:'t)?", line.casefold()))


def _spoken_of(text: str, known: Finder) -> list[str]:
    """The names that a text speaks of, in order, but those of a clause that denies."""
    bounds = [0, *(found.end() for found in _CLAUSE.finditer(text)), len(text)]
    names = []
    for start, end in known(text):
        begun = max(bound for bound in bounds if bound <= start)
        ended = min(bound for bound in bounds if bound >= end)
        if not _DENIED.search(text[begun:start] + " " + text[end:ended]):
            names.append(text[start:end])
    return names
