"""Words found in reports, quotes and notes by the index of the project."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extractors.text.words import stem

if TYPE_CHECKING:
    from app.store.project import Project

_ASKED = re.compile(r'"([^"]*)"?(\*?)|([^\s"]+)')
# What marks a place for the moment of a query; no text has it, they are no characters.
_BEGIN, _END = "\ufdd0", "\ufdd1"
_MOST_WORDS, _MOST_FORMS = 40, 60
_ALIKE = 3


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
    """The reports (UUIDs) with all the words in text, title, other names, or a quote or note.

    In import order. Of annotations only this annotator's (UUID) count. Empty where nothing is asked for.
    Raises what `Project.query` raises.
    """
    indices = ("text_search", "document_search", "annotation_search")
    matches = [_match(project, index, typed) for index in indices]
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
            [_BEGIN, _END, _match(project, "text_search", typed), min(rows), max(rows), json.dumps(rows)],
        )
        if rows
        else ()
    )
    found = []
    for uuid, key, title, characters, row in there:
        text, places = _places(marked.get(row, ""))
        # A text that has such marks of its own cannot say where they are.
        found.append(FoundText(uuid, key, title, *((text, places) if len(text) == characters else ("", ()))))
    return found


def find_annotations_saying(
    project: Project, typed: str, annotator: str, documents: Sequence[str]
) -> list[str]:
    """The annotator's annotations (UUIDs) in these reports that hold all the words in a note, or in a quote
    that is not the very text at its place."""
    match = _match(project, "annotation_search", typed)
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


def _places(marked: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text without the marks, and where they were."""
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
    return "".join(pieces), tuple(places)


def _match(project: Project, index: str, typed: str) -> str:
    """The query in the language of the index, in which everything typed stands in quotation marks."""
    parts: list[str] = []
    for one in asked_for(typed):
        if one.kind == "word":
            forms = dict.fromkeys([one.words, *_forms(project, index, one.words)])
            parts.append(f"({' OR '.join(map(_quoted, forms))})")
        else:
            parts.append(_quoted(one.words) + ("*" if one.kind == "beginning" else ""))
    return " AND ".join(parts)


def _quoted(words: str) -> str:
    return '"' + words.replace('"', " ") + '"'


def _forms(project: Project, index: str, word: str) -> list[str]:
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
