"""Words found in reports, quotes and notes by the index of the project."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Protocol

from extractors.text.words import stem

if TYPE_CHECKING:
    from sqlite3 import Connection

    from app.store.project import Project

_ASKED = re.compile(r'"([^"]*)"?(\*?)|([^\s"]+)')
# What marks a place for the moment of a query; no text has it, they are no characters.
_BEGIN, _END = "\ufdd0", "\ufdd1"
_MOST_WORDS, _MOST_FORMS = 40, 60
# Several words are found where no more than so many others stand between them; the forms of each that are
# looked for beside each other's.
NEAR, _MOST_TOGETHER = 10, 128
_ALIKE = 3


class Queried(Protocol):
    """What answers SQL: a project, or the index of a corpus."""

    def tuples(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""


@dataclass(frozen=True, slots=True)
class FoundText:
    """A report (UUID) with these words: its text, and where they stand in it, in order; "" and nowhere where
    it has them in its title, quotes or notes alone."""

    document: str
    key: str
    title: str
    text: str = ""
    places: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """One thing asked for: a phrase, a word in all its forms, or the beginning of a word."""

    words: str
    kind: str


def asked_for(typed: str) -> list[_Asked]:
    """What somebody typed: words, "phrases", and beginnings* of words; signs alone ask for nothing."""
    asked: list[_Asked] = []
    for phrase, open_, word in _ASKED.findall("".join(c if c.isprintable() else " " for c in typed)):
        words = phrase or word
        if any(char.isalnum() for char in words):
            kind = "beginning" if open_ or word.endswith("*") else "phrase" if phrase else "word"
            asked.append(_Asked(words.strip("*"), kind))
    return asked[:_MOST_WORDS]


def find_documents(project: Project, typed: str, annotator: str) -> list[str]:
    """The reports (UUIDs) with all the words together in text, title, other names, or a quote or note.

    In import order. Of annotations only this annotator's (UUID) count. Empty where nothing is asked for.
    Raises what `Project.query` raises.
    """
    indices = ("text_search", "document_search", "annotation_search")
    matches = [match_of(project, index, typed) for index in indices]
    if not matches[0]:
        return []
    rows = project.tuples(
        "SELECT uuid FROM document WHERE text_sha256 IN (SELECT sha256 FROM text WHERE rowid IN "
        "(SELECT rowid FROM text_search WHERE text_search MATCH ?)) OR rowid IN (SELECT rowid FROM "
        "document_search WHERE document_search MATCH ?) OR uuid IN (SELECT document FROM annotation WHERE "
        "annotator = ? AND layer = 'category' AND rowid IN (SELECT rowid FROM annotation_search WHERE "
        "annotation_search MATCH ?)) "
        "ORDER BY position",
        [*matches[:2], annotator, matches[2]],
    )
    return [uuid for (uuid,) in rows]


def find_places(project: Project, typed: str, documents: Sequence[str]) -> list[FoundText]:
    """Where the words stand in these reports (UUIDs), in import order."""
    there = project.tuples(
        "SELECT d.uuid, d.key, d.title, d.characters, t.rowid FROM document d JOIN text t "
        "ON t.sha256 = d.text_sha256 WHERE d.uuid IN (SELECT value FROM json_each(?)) ORDER BY d.position",
        [json.dumps(list(documents))],
    )
    rows = [row[-1] for row in there]
    marked = dict(
        project.tuples(
            "SELECT rowid, highlight(text_search, 0, ?, ?) FROM text_search WHERE text_search MATCH ? "
            "AND rowid BETWEEN ? AND ? AND +rowid IN (SELECT value FROM json_each(?))",
            [_BEGIN, _END, match_of(project, "text_search", typed), min(rows), max(rows), json.dumps(rows)],
        )
        if rows
        else ()
    )
    asked, found = asked_for(typed), []
    for uuid, key, title, characters, row in there:
        text, places = _places(marked.get(row, ""), asked)
        # A text that has such marks of its own cannot say where they are.
        found.append(FoundText(uuid, key, title, *((text, places) if len(text) == characters else ("", ()))))
    return found


def find_annotations_saying(
    project: Project, typed: str, annotator: str, documents: Sequence[str]
) -> list[str]:
    """The annotator's annotations (UUIDs) in these reports that hold all the words in a note, or in a quote
    that is not the very text at its place."""
    match = match_of(project, "annotation_search", typed)
    if not match:
        return []
    rows = project.tuples(
        "SELECT uuid FROM annotation WHERE annotator = ? AND layer = 'category' "
        "AND document IN (SELECT value FROM json_each(?)) "
        "AND rowid IN (SELECT rowid FROM annotation_search WHERE annotation_search MATCH ?) "
        "ORDER BY document, span_start, category, rank",
        [annotator, json.dumps(list(documents)), match],
    )
    return [row[0] for row in rows]


def marked_places(
    db: Connection, index: str, match: str, typed: str, texts: Sequence[str]
) -> list[tuple[tuple[int, int], ...]]:
    """Where what was typed stands in each text, which the index holds under its number in the list."""
    rows = db.execute(f"SELECT rowid, highlight({index}, 0, ?, ?) FROM {index}(?)", (_BEGIN, _END, match))
    marked, asked = dict(rows.fetchall()), asked_for(typed)
    found = [_places(marked.get(number, ""), asked) for number in range(len(texts))]
    return [
        places if len(text) == len(given) else () for (text, places), given in zip(found, texts, strict=True)
    ]


def _places(marked: str, asked: Sequence[_Asked]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text without the marks, and where they were; of several words, from the first to the last of
    those together."""
    places: list[tuple[int, int]] = []
    pieces: list[str] = []
    length = 0
    head, *found = marked.split(_BEGIN)
    pieces.append(head)
    length += len(head)
    for piece in found:
        inside, _, after = piece.partition(_END)
        places.append((length, length + len(inside)))
        pieces += (inside, after)
        length += len(inside) + len(after)
    text = "".join(pieces)
    return text, tuple(places if len(asked) == 1 else _together(text, places, asked))


def _together(text: str, places: Sequence[tuple[int, int]], asked: Sequence[_Asked]) -> list[tuple[int, int]]:
    """The shortest stretches that hold every word which is there at all; of two that overlap, the shorter."""
    beginnings = tuple(_plain(one.words) for one in asked if one.kind == "beginning")
    words = [
        next((one for one in beginnings if word.startswith(one)), _root(word))
        for word in (_plain(text[start:end]) for start, end in places)
    ]
    needed = len(set(words))
    begin, held = 0, Counter[str]()
    found: list[tuple[int, int]] = []
    for word, (_, end) in zip(words, places, strict=True):
        held[word] += 1
        if len(held) < needed:
            continue
        while held[words[begin]] > 1:
            held[words[begin]] -= 1
            begin += 1
        start = places[begin][0]
        if not found or found[-1][1] <= start:
            found.append((start, end))
        elif end - start < found[-1][1] - found[-1][0]:
            found[-1] = (start, end)
    return found


def match_of(project: Queried, index: str, typed: str) -> str:
    """The query in the language of the index, in which everything typed stands in quotation marks.

    Several are asked for near each other, each form of one beside each form of the others.
    """
    ways = [_ways(project, index, one) for one in asked_for(typed)]
    if len(ways) == 1:
        return " OR ".join(ways[0])
    while prod(map(len, ways)) > _MOST_TOGETHER:
        max(ways, key=len).pop()
    near = NEAR + len(ways) - 2
    return " OR ".join(f"NEAR({' '.join(way)}, {near})" for way in product(*ways) if way)


def _ways(project: Queried, index: str, one: _Asked) -> list[str]:
    """How what was asked for may be written; as it was typed first."""
    if one.kind == "word":
        return [_quoted(form) for form in dict.fromkeys([one.words, *_forms(project, index, one.words)])]
    return [_quoted(one.words) + ("*" if one.kind == "beginning" else "")]


def _quoted(words: str) -> str:
    return '"' + words.replace('"', " ") + '"'


def _forms(project: Queried, index: str, word: str) -> list[str]:
    """Other forms of a word that the index has: number, tense, American and British spelling."""
    plain = _plain(word)
    if len(plain) <= _ALIKE or not plain.isalpha():
        return []
    wanted = _root(plain)
    found: list[str] = []
    for begin in _beginnings(plain):
        rows = project.tuples(
            f"SELECT term FROM {index}_words WHERE term >= ? AND term < ?", [begin, f"{begin}\U0010ffff"]
        )
        found += [term for (term,) in rows if _root(term) == wanted]
    return found[:_MOST_FORMS]


def _beginnings(word: str) -> Iterable[str]:
    """How words of the same root may begin: an "e" may be written "ae" or "oe", and the other way round."""
    found = [word, word.replace("ae", "e").replace("oe", "e")]
    for place in range(_ALIKE):
        if word[place] == "e":
            found += [f"{word[:place]}{vowel}{word[place:]}" for vowel in "ao"]
    return dict.fromkeys(one[:_ALIKE] for one in found)


def _root(word: str) -> str:
    """What the forms of a word have in common; metastases are of one root with a metastasis."""
    return stem(f"{word[:-2]}es" if word.endswith("sis") else word)


def _plain(word: str) -> str:
    """The word as the index has it: without capitals and accents."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(char for char in decomposed if not unicodedata.combining(char))
