"""A reply that should be a list, read as entries: JSON, numbered lines, bullets, tables, or what it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from extractors.tasks.forms import json_in
from extractors.tasks.ranked import without_thoughts
from extractors.terminology.exact import codes_in, without_codes

_FENCE = re.compile(r"```[a-z]*", re.IGNORECASE)
_MARKUP = re.compile(r"\*\*|__|`|</?[a-z]{1,6}>|^\s*#+\s+(?=\(?\d)", re.MULTILINE)
_NUMBER = re.compile(r"^\s*(?:[-*•]\s+)?\(?(\d{1,3})\s*[.):\]]\s+(?=\S)")
_BULLET = re.compile(r"^\s*(?:[-*•–]|#+)\s+(?=\S)")
_RULE = re.compile(r"^[\s|:=\-]+$")
_PARTS = re.compile(r"\s*(?:[-=]>|[→⇒⟶]|\t+|\s\|\s?|\||:(?=\s|$)|\s[-–—=]\s)\s*")
_ANSWER = re.compile(r"^\W*(?:final\s+)?(?:answer|findings|list|phenotypes|terms|entities)\W*$", re.I | re.M)
_NOTHING = re.compile(
    r"\W*(?:there (?:are|is|were) )?(?:none|nothing|n/a|no (?:\w+ )?(?:phenotyp\w*|findings?|abnormalit\w+|"
    r"terms?|entit\w+)(?: (?:\w+ )?(?:found|present|mentioned|reported|described))?)\W*",
    re.IGNORECASE,
)
_DENIED = frozenset("no absent denied denies negative excluded negated false".split())
_SAID_PRESENT = frozenset("yes present positive true affirmed".split())
_QUOTES = ("quote", "entity", "text", "span", "phrase", "mention", "original", "evidence")
_NAMES = ("term", "hpoterm", "hponame", "name", "label", "phenotype", "finding", "standard")
_CODES = ("hpoid", "id", "code", "hpo", "hpocode")
_STATES = ("polarity", "status", "excluded", "negated", "present", "observed")
_HEADS = frozenset(
    (*_QUOTES, *_NAMES, *_CODES, *_STATES, "entities", "phenotypes", "terms", "findings", "no", "#")
)
_LONGEST = 120
_SHORT_STEP = 3
_BROKEN_OFF = "The reply breaks off."


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its words without number and markup, their parts ("long fingers: Arachnodactyly" has two),
    the codes it names. `quote` where the reply says which words are the report's, `words` are "" where it has
    a place for the term beside it left empty; `denied` where it says that the finding is not there;
    `number` as it is counted in the reply, 0 where it is not."""

    words: str
    parts: tuple[str, ...]
    codes: tuple[str, ...] = ()
    quote: str = ""
    number: int = 0
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Listed:
    """What a reply lists; `whole` where it can be told that it is an answer, and not cut."""

    entries: tuple[Entry, ...]
    problems: tuple[str, ...] = ()
    whole: bool = True


def listed(text: str, known: Callable[[str], bool] | None = None) -> Listed:
    """The entries of a reply, whatever it is. Of prose only what `known` says to be a name is read."""
    try:
        return _listed(text, known)
    except RecursionError:
        return Listed((), ("The reply nests too deeply to be read.",), False)


def _listed(text: str, known: Callable[[str], bool] | None) -> Listed:
    plain = _FENCE.sub("", without_thoughts(text)).strip()
    value = json_in(plain)
    if isinstance(value, str):
        plain, value = value.strip(), None
    objects = _list_of(value)
    if objects is not None:
        return Listed(tuple(_of_json(one) for one in objects if one not in ("", None)))
    broken = [one for piece in re.findall(r"\{[^{}]*\}", plain) if isinstance(one := _loaded(piece), dict)]
    if broken:
        return Listed(tuple(map(_of_json, broken)), (_BROKEN_OFF,), False)
    if plain.startswith(("{", '["', "[{")):
        texts = re.findall(r'"((?:[^"\\]|\\.)*)"\s*(?=[,\]])', plain)
        return Listed(tuple(_of_line(one) for one in texts), (_BROKEN_OFF,), False)
    if not plain:
        return Listed((), ("The reply is empty.",), False)
    if _NOTHING.fullmatch(plain):
        return Listed(())
    marks = list(_ANSWER.finditer(plain))
    behind = plain[marks[-1].end() :].strip() if marks else ""
    return _of_lines(behind or plain, known)


def _of_lines(text: str, known: Callable[[str], bool] | None) -> Listed:
    plain = _MARKUP.sub("", text)
    lines = [line for line in plain.split("\n") if line.strip() and not _RULE.match(line)]
    if not lines:
        return Listed((), ("The reply has no words.",), False)
    marked = _without_steps([line for line in lines if _marked(line)])
    if marked:
        heads = [line for line in marked if _is_head(line)]
        left = [line for line in lines if line not in marked and not line.rstrip(" *").endswith(":")]
        problems = (_about_left(left),) if left else ()
        return Listed(tuple(_of_line(line) for line in marked if line not in heads), problems)
    if len(lines) == 1 and not codes_in(lines[0]) and not (known and known(lines[0])):
        pieces = lines[0].split(";") if ";" in lines[0] else lines[0].split(",")
        if len(pieces) > 1 and all(len(one) <= _LONGEST // 2 and ". " not in one for one in pieces):
            return Listed(tuple(_of_line(one) for one in pieces if one.strip(" .")))
    short = all(len(line) <= _LONGEST and ". " not in line for line in lines)
    coded = any(map(codes_in, lines))
    if coded or (short and not lines[0].rstrip().endswith(".")):
        entries = {line: _of_line(line) for line in lines if not line.rstrip(" *").endswith(":")}
        # Beside codes a line that names nothing is talk.
        left = [
            line
            for line, one in entries.items()
            if coded and not one.codes and (not short or len(one.parts) < 2) and not (known and known(line))
        ]
        kept = [_of_line(line) for line in lines if line in entries and line not in left]
        return Listed(tuple(kept), (_about_left(left),) if left else (), bool(kept))
    pieces = [one.strip() for one in re.split(r"[,.;:\n]|\b(?:and|or|has|have|had|with)\b", text)]
    parts = [_of_line(one) for one in pieces if one and known is not None and known(one)]
    return Listed(tuple(parts), ("The reply is prose; only names of terms in it were read.",), bool(parts))


def _without_steps(marked: list[str]) -> list[str]:
    """Marked lines without numbered lists of sentences, the steps that led to another list."""
    lists: list[list[str]] = []
    before = 0
    for line in marked:
        found = _NUMBER.match(line)
        number = int(found[1]) if found else before
        if not lists or number < before:
            lists.append([])
        lists[-1].append(line)
        before = number
    named = [one for one in lists if 2 * sum(map(_is_step, one)) <= len(one)]
    return [line for one in named or lists for line in one]


def _is_step(line: str) -> bool:
    return line.rstrip().endswith(".") and len(line.split()) > _SHORT_STEP


def _marked(line: str) -> bool:
    return bool(_NUMBER.match(line) or _BULLET.match(line) or line.lstrip().startswith("|"))


def _is_head(line: str) -> bool:
    """Whether a line is the head of a table."""
    words = re.findall(r"[\w#]+", line.lower())
    return line.lstrip().startswith("|") and all(word in _HEADS for word in words)


def _of_line(line: str) -> Entry:
    number = _NUMBER.match(line)
    words = _BULLET.sub("", line[number.end() :] if number else line)
    plain = _MARKUP.sub("", words)
    words = cleaned(plain)
    # Before blanks are evened out: a tab parts, too.
    parts = [part for part in map(cleaned, _PARTS.split(without_codes(plain))) if part]
    if len(parts) > 1 and parts[0].isdigit():
        number, parts, words = None, parts[1:], words.partition("|")[2].strip() or words
    states = [part.casefold() for part in parts[1:]]
    denied = any(state in _DENIED for state in states)
    parts = parts[:1] + [
        part for part in parts[1:] if part.casefold() not in _DENIED and part.casefold() not in _SAID_PRESENT
    ]
    counted = int(number.group(1)) if number else 0
    return Entry(words, tuple(parts), tuple(dict.fromkeys(codes_in(words))), "", counted, denied)


def _of_json(one: Any) -> Entry:  # noqa: ANN401 (any JSON value)
    if not isinstance(one, dict):
        return _of_line(str(one))
    plain = {"".join(filter(str.isalnum, key)).casefold(): value for key, value in one.items()}
    quote, name, code = (_first(plain, keys) for keys in (_QUOTES, _NAMES, _CODES))
    if not (quote or name or code) and len(one) == 1:
        ((quote, name),) = ((str(key), str(value)) for key, value in one.items())
    words = cleaned(f"{code} {name}")
    states = [(key, str(plain[key]).casefold()) for key in _STATES if key in plain]
    denied = any(
        value in (_SAID_PRESENT if key in ("excluded", "negated") else _DENIED) for key, value in states
    )
    rest = cleaned(without_codes(words))
    codes = tuple(dict.fromkeys(codes_in(words)))
    unnamed = not words and any(key in plain for key in (*_NAMES, *_CODES))
    said = words or ("" if unnamed else quote)
    return Entry(said, (rest,) if rest else (), codes, cleaned(quote), 0, denied)


def _first(plain: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((str(plain[key]) for key in keys if plain.get(key) not in (None, "")), "")


def _list_of(value: Any) -> list[Any] | None:  # noqa: ANN401 (any JSON value)
    """The list in a JSON value: itself, the first in an object, or an object's pairs; None where none is."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    if "analysis" in value and len(value) == 2:
        value = {key: one for key, one in value.items() if key != "analysis"}
    inner = next((one for one in value.values() if isinstance(one, (list, dict))), None)
    if inner is not None:
        return _list_of(inner)
    known = {"".join(filter(str.isalnum, key)).casefold() for key in value}
    if known & {*_QUOTES, *_NAMES, *_CODES}:
        return [value]
    return [{key: one} for key, one in value.items()] if value else []


def _loaded(text: str) -> Any:  # noqa: ANN401 (any JSON value)
    try:
        return json.loads(text)
    except ValueError:
        return None


def cleaned(words: str) -> str:
    """Words without the quotation marks, blanks and stops around them."""
    plain = re.sub(r"\s+", " ", words).strip(" |\"'“”‘’*_`").strip()
    return plain.rstrip(" .;,:").lstrip(" ,;:").strip('"“”')


def _about_left(lines: list[str]) -> str:
    one = len(lines) == 1
    return f"{len(lines)} {'line' if one else 'lines'} beside the list {'was' if one else 'were'} left out."


def twice(entries: list[str]) -> Iterator[str]:
    """A sentence on what is given several times."""
    again = len(entries) - len({one.casefold() for one in entries})
    if again:
        yield f"{again} of {len(entries)} entries are given twice."
