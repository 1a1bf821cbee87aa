"""Forms of replies that name terms: of a text, its entities in its own words, terms of given entities."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from extractors.tasks.base import Reading, object_schema
from extractors.tasks.listed import Entry, cleaned, listed, twice
from extractors.terminology.exact import ExactNames, Known, without_codes

_ASIDE = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
_LEAST_ALIKE = 90
_NO_TERM = frozenset(("", "none", "n/a", "na", "null", "unknown", "no term", "no match", "not found", "-"))
_SEPARATORS = " \t:|=>→⇒-–—.\"'“”*"


@dataclass(frozen=True, slots=True)
class NamedTerm:
    """A term as a reply names it, beside the report's words for it ("" where it has none).

    `code` and `label` are those of the term, `by` what it was known by; all are "" where there is no such
    term, which is kept as it was `said`.
    """

    quote: str
    said: str
    code: str = ""
    label: str = ""
    by: str = ""
    denied: bool = False


@dataclass(frozen=True, slots=True)
class TermsForm:
    """Terms of a text, each with its quote; `analysis` where reasoning comes first."""

    names: ExactNames
    analysis: bool = False

    def schema(self) -> dict[str, Any]:
        """An object with the list as "findings"."""
        return _schema(self.analysis, "quote", "term")

    def read(self, text: str) -> Reading:
        """A list of `NamedTerm` as objects, in the order of the reply, each once."""
        found = listed(text, lambda words: self.names.of_name(words) is not None)
        problems = list(found.problems)
        named = [one for one in found.entries if not (one.quote and one.words.casefold() in _NO_TERM)]
        if without := len(found.entries) - len(named):
            problems.append(f"{without} {'entry names' if without == 1 else 'entries name'} no term.")
        parts = [one for entry in named for one in _terms_of(entry, self.names, problems)]
        problems += twice([f"{one.quote}|{one.code or one.said}" for one in parts])
        problems += about_unknown(parts)
        return Reading(found.whole, tuple(problems), [asdict(one) for one in dict.fromkeys(parts)])


@dataclass(frozen=True, slots=True)
class EntitiesForm:
    """Entities in the text's own words, in its order."""

    analysis: bool = False

    def schema(self) -> dict[str, Any]:
        """An object with the list as "findings"."""
        return _schema(self.analysis)

    def read(self, text: str) -> Reading:
        """A list of texts as they came, repetitions and all."""
        found = listed(text)
        parts = [words for entry in found.entries if (words := _own_words(entry))]
        return Reading(found.whole, (*found.problems, *twice(parts)), parts)


@dataclass(frozen=True, slots=True)
class NamesForm:
    """A term for each of the `entities`, in their order."""

    names: ExactNames
    entities: tuple[str, ...]
    analysis: bool = False

    def schema(self) -> dict[str, Any]:
        """An object with the list as "findings"."""
        return _schema(self.analysis, "entity", "term")

    def read(self, text: str) -> Reading:
        """A list of `NamedTerm` as objects, one to an entity; `said` is "" where the reply is silent."""
        found = listed(text, lambda words: self.names.of_name(words) is not None)
        problems = list(found.problems)
        placed, strange = self._placed(found.entries)
        parts = [
            _named(place, entity, placed, self.names, problems) for place, entity in enumerate(self.entities)
        ]
        if strange:
            problems.append(f"{strange} of the reply's entries are about no entity that was given.")
        problems += about_unknown(parts)
        return Reading(found.whole and bool(placed), tuple(problems), [asdict(one) for one in parts])

    def _placed(self, entries: Sequence[Entry]) -> tuple[dict[int, tuple[Entry, str]], int]:
        """Entry by place of its entity, with what stands behind the entity; and how many have none."""
        placed: dict[int, tuple[Entry, str]] = {}
        left: list[Entry] = []
        for entry in entries:
            found = self._by_words(entry)
            if found is None:
                left.append(entry)
            else:
                placed.setdefault(self._next_alike(found[0], placed), (entry, found[1]))
        # Without the entities' words it is their number, or their order, that tells.
        bare = not placed and len(left) == len(self.entities)
        strange = 0
        for place, entry in enumerate(left):
            at = entry.number - 1 if entry.number else place if bare else -1
            of_words = bool(entry.quote) or (len(entry.parts) > 1 and bool(placed))
            if of_words or at in placed or not 0 <= at < len(self.entities):
                strange += 1
            else:
                placed[at] = (entry, entry.words)
        return placed, strange

    def _next_alike(self, place: int, taken: Collection[int]) -> int:
        """The first place of the same entity that is not taken; this one where all are."""
        plain = [cleaned(entity).casefold() for entity in self.entities]
        free = (at for at, one in enumerate(plain) if one == plain[place] and at not in taken)
        return next(free, place)

    def _by_words(self, entry: Entry) -> tuple[int, str] | None:
        """The entity that an entry begins with, or is very near to, and the rest of it."""
        from rapidfuzz.fuzz import token_set_ratio
        from rapidfuzz.utils import default_process

        plain = [entity.casefold() for entity in map(cleaned, self.entities)]
        if entry.quote:
            wanted = entry.quote.casefold()
            if wanted in plain:
                return plain.index(wanted), entry.words
        begun = [place for place, one in enumerate(plain) if one and entry.words.casefold().startswith(one)]
        if begun and not entry.quote:
            best = max(begun, key=lambda place: len(plain[place]))
            rest = entry.words[len(plain[best]) :]
            if rest.strip(_SEPARATORS) and not rest[:1].isalnum():
                return best, rest.strip(_SEPARATORS)
        words = entry.quote or (entry.parts[0] if entry.parts and (entry.parts[1:] or entry.codes) else "")
        alike = [token_set_ratio(words, one, processor=default_process) for one in plain]
        if words and alike and max(alike) >= _LEAST_ALIKE:
            rest = entry.words if entry.quote else " ".join((*entry.codes, *entry.parts[1:]))
            return alike.index(max(alike)), rest
        return None


def about_unknown(terms: Sequence[NamedTerm]) -> list[str]:
    """A sentence on what is no term, "" where all are."""
    unknown = [one.said for one in terms if one.said and not one.code]
    if not unknown:
        return []
    shown = ", ".join(f"“{one}”" for one in unknown[:3])
    more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
    return [f"There is no such term as {shown}{more}."]


def _terms_of(entry: Entry, names: ExactNames, problems: list[str]) -> list[NamedTerm]:
    """The terms of an entry of a list of terms."""
    if entry.codes:
        return _by_codes(entry, names, problems)
    known, part = _by_name(entry.words, entry.parts, names)
    if known is None:
        return [
            NamedTerm(entry.quote or (entry.parts or (entry.words,))[0], entry.words, denied=entry.denied)
        ]
    others = [one for one in entry.parts if one != part]
    quote = entry.quote or (others[0] if others else "")
    return [NamedTerm(quote, part, known.code, known.label, known.by, entry.denied)]


def _by_codes(entry: Entry, names: ExactNames, problems: list[str]) -> list[NamedTerm]:
    found = []
    for code in entry.codes:
        known = names.of_code(code)
        quote = entry.quote
        if len(entry.codes) == 1:
            named = {part: names.of_name(part) for part in entry.parts}
            own = [part for part, one in named.items() if one and known and one.code == known.code]
            others = [part for part in entry.parts if part not in own]
            strange = next((one for part, one in named.items() if one and part in others), None)
            if strange is not None and not own:
                problems.append(f"{code} stands beside the name of {strange.code}; the code counts.")
            elif known is not None and others:
                quote = quote or others[0]
        words = code if len(entry.codes) > 1 else " ".join((code, *entry.parts)).strip()
        if known is None:
            found.append(NamedTerm(quote, words, denied=entry.denied))
        else:
            found.append(NamedTerm(quote, words, known.code, known.label, known.by, entry.denied))
    return found


def _by_name(words: str, parts: Sequence[str], names: ExactNames) -> tuple[Known | None, str]:
    """The term that words or one of their parts name, the last of several; with and without asides."""
    if (known := names.of_name(words)) is not None:
        return known, words
    for part in reversed(parts):
        for form in (part, _ASIDE.sub("", part), *_ASIDE.findall(part)):
            if form and (known := names.of_name(form)) is not None:
                return known, part
    return None, ""


def _named(
    place: int,
    entity: str,
    placed: dict[int, tuple[Entry, str]],
    names: ExactNames,
    problems: list[str],
) -> NamedTerm:
    """The term that the reply gives an entity."""
    if place not in placed:
        return NamedTerm(entity, "")
    entry, rest = placed[place]
    rest = cleaned(without_codes(rest))
    if not entry.codes and rest.casefold() in _NO_TERM:
        return NamedTerm(entity, "")
    parts = tuple(one for one in entry.parts if cleaned(one).casefold() != cleaned(entity).casefold())
    codes = entry.codes[:1]
    own = Entry(rest, parts if not codes else (rest,) if rest else (), codes, entity)
    (one,) = _terms_of(own, names, problems)
    return one


def _own_words(entry: Entry) -> str:
    return entry.quote or (" - ".join(entry.parts) if entry.codes else entry.words)


def _schema(analysis: bool, *keys: str) -> dict[str, Any]:
    """An object with the list of objects with these keys, or of texts where there are none."""
    text = {"type": "string"}
    one = object_schema(dict.fromkeys(keys, text), closed=True) if keys else text
    findings = {"findings": {"type": "array", "items": one}}
    return object_schema({"analysis": text, **findings} if analysis else findings, closed=True)
