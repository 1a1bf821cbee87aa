"""A terminology as one file of arrays: written once, each part read when it is first asked for."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import count
from pathlib import Path

from extractors.model.errors import TerminologyError
from extractors.terminology.arrays import Array, ArrayFile, flat, texts, write_arrays
from extractors.terminology.concept import CLASS_KINDS, NAME_KINDS, Concept, Name
from extractors.text.folding import fold_phrase

# Changed when files of before cannot be read any more.
_FORMAT = 1


def write_index(
    path: Path,
    name: str,
    release: str,
    source: str,
    concepts: Sequence[Concept],
    *,
    level: int = 9,
    aside: Sequence[str] = (),
) -> None:
    """Write `concepts` of terminology `name` ("HPO"); the same concepts give the same arrays.

    `level` (0 to 9): how hard it is packed, `aside` are chapters that are seldom meant; `source` says in a
    sentence what it was made from, as its licence asks. Raises TerminologyError where a code or an
    alternative stands twice or a parent is unknown.
    """
    import numpy as np

    rows = {concept.code: row for row, concept in enumerate(concepts)}
    if len(rows) < len(concepts):
        raise TerminologyError(f"{name} {release} is damaged: a code stands there twice.")
    names = [(row, one) for row, concept in enumerate(concepts) for one in concept.names]
    languages = sorted({one.language for _, one in names})
    folded = [folded_words(one.text) for _, one in names]
    words = sorted({word for part in folded for word in part})
    number = {word: place for place, word in enumerate(words)}
    postings: list[list[int]] = [[] for _ in words]
    for place, part in enumerate(folded):
        for word in dict.fromkeys(part):
            postings[number[word]].append(place)
    missing = sorted({up for concept in concepts for up in concept.parents if up not in rows})
    if missing:
        raise TerminologyError(f"{name} {release} is damaged: {missing[0]} is a parent, but not there.")
    about = {"format": _FORMAT, "name": name, "release": release, "source": source, "languages": languages}
    arrays: dict[str, Array] = {
        "codes": texts(one.code for one in concepts),
        "definitions": texts(one.definition for one in concepts),
        "uris": texts(one.uri for one in concepts),
        "alternatives": texts(" ".join(one.alternatives) for one in concepts),
        "replacements": texts(one.replaced_by for one in concepts),
        "xrefs": texts(" ".join(one.xrefs) for one in concepts),
        "obsolete": np.array([one.obsolete for one in concepts], np.bool_),
        "names": texts(one.text for _, one in names),
        "name_rows": np.array([row for row, _ in names], np.int32),
        "name_kinds": np.array([NAME_KINDS.index(one.kind) for _, one in names], np.uint8),
        "name_languages": np.array([languages.index(one.language) for _, one in names], np.uint8),
        "name_lengths": np.array([min(len(set(part)), 255) for part in folded], np.uint8),
        "words": texts(words),
        "folded": texts(" ".join(part) for part in folded),
        **flat("parents", [[rows[up] for up in one.parents] for one in concepts], np.int32),
        **flat("postings", postings, np.int32),
    }
    if any(one.kind for one in concepts):
        arrays["kinds"] = np.array([CLASS_KINDS.index(one.kind) for one in concepts], np.uint8)
    classes = any(one.chapter for one in concepts)
    if classes:
        arrays["residual"] = np.array([one.residual for one in concepts], np.bool_)
        arrays["chapters"] = texts(one.chapter for one in concepts)
    about |= {"classes": classes, "kinds": "kinds" in arrays, "aside": list(aside)}
    write_arrays(path, about, arrays, level)


def folded_words(text: str) -> list[str]:
    """The words of a name as they are looked up: one spelling, no accents."""
    return folded_phrase(text).split()


@lru_cache(maxsize=65536)
def folded_phrase(text: str) -> str:
    """A name as it is looked up, its words parted by a blank."""
    if text.isascii():
        return fold_phrase(text)
    parted = unicodedata.normalize("NFKD", text)
    return fold_phrase("".join(sign for sign in parted if not unicodedata.combining(sign)))


class Terminology:
    """A terminology read from its file; rows are the numbers of its concepts, in the order of the file.

    Raises TerminologyError where the file is absent, damaged or of a newer format.
    """

    name: str
    release: str
    source: str
    languages: tuple[str, ...]
    # Whether it is a classification, whose concepts have a kind and a chapter.
    classes: bool
    # Chapters whose concepts are seldom meant.
    aside: frozenset[str]

    def __init__(self, path: Path) -> None:
        self._file = ArrayFile(path, _FORMAT)
        about = self._file.about
        self.name, self.release, self.source = about["name"], about["release"], about["source"]
        self.languages: tuple[str, ...] = tuple(about["languages"])
        self.classes = bool(about.get("classes"))
        self._kinds = bool(about.get("kinds", self.classes))
        self.aside = frozenset(about.get("aside", ()))

    def array(self, key: str) -> Array:
        """One of the file's arrays; raises TerminologyError where it is damaged."""
        return self._file.array(key)

    @cached_property
    def codes(self) -> list[str]:
        """The code of each row."""
        return self._file.texts("codes")

    @cached_property
    def names(self) -> list[str]:
        """All names of all concepts, the label of each first."""
        return self._file.texts("names")

    @cached_property
    def folded(self) -> list[str]:
        """Each name folded to one spelling (`extractors.text.folding`)."""
        return self._file.texts("folded")

    @cached_property
    def words(self) -> list[str]:
        """The folded words of all names, sorted by code point."""
        return self._file.texts("words")

    @cached_property
    def name_rows(self) -> Array:
        """The row that each name belongs to, rising."""
        return self.array("name_rows")

    @cached_property
    def name_kinds(self) -> Array:
        """The kind of each name: its place in NAME_KINDS."""
        return self.array("name_kinds")

    @cached_property
    def obsolete(self) -> Array:
        """For each row whether it is retired."""
        return self.array("obsolete")

    @cached_property
    def name_languages(self) -> Array:
        """The language of each name: its place in `languages`."""
        return self.array("name_languages")

    @cached_property
    def kinds(self) -> Array:
        """For each row its place in CLASS_KINDS."""
        import numpy as np

        return self.array("kinds") if self._kinds else np.zeros(len(self.codes), np.uint8)

    @cached_property
    def residual(self) -> Array:
        """For each row whether it is for what has no class of its own."""
        import numpy as np

        return self.array("residual") if self.classes else np.zeros(len(self.codes), np.bool_)

    @cached_property
    def chapters(self) -> list[str]:
        """The chapter of each row, "" where there is none."""
        return self._file.texts("chapters") if self.classes else [""] * len(self.codes)

    @cached_property
    def firsts(self) -> Array:
        """For each row the number of its first name, its label; one more at the end."""
        import numpy as np

        counts = np.bincount(self.name_rows, minlength=len(self.codes))
        return np.concatenate([[0], np.cumsum(counts)])

    @cached_property
    def _row_of(self) -> dict[str, int]:
        merged = enumerate(self._file.texts("alternatives"))
        found = {code: row for row, codes in merged if codes for code in codes.split()}
        found.update(zip(self.codes, count()))
        return found

    @cached_property
    def _parents(self) -> tuple[Array, Array]:
        return self.array("parents_starts"), self.array("parents")

    @cached_property
    def _texts_of(self) -> dict[str, list[str]]:
        keys = ("definitions", "uris", "alternatives", "replacements", "xrefs")
        return {key: self._file.texts(key) for key in keys}

    def row(self, code: str) -> int | None:
        """The row of a code or of one that was merged into it; None where it is unknown."""
        return self._row_of.get(code)

    def current(self, code: str) -> str | None:
        """The code in use now, of a merged or replaced one its successor; None where there is none."""
        seen: set[str] = set()
        while (row := self.row(code)) is not None and code not in seen:
            if not self.obsolete[row]:
                return self.codes[row]
            seen.add(code)
            code = self._texts_of["replacements"][row]
        return None

    def label(self, row: int, language: str = "") -> str:
        """The name a concept is shown by, in a language where it has a title in it."""
        first, end = int(self.firsts[row]), int(self.firsts[row + 1])
        if language in self.languages:
            wanted, title = self.languages.index(language), NAME_KINDS.index("title")
            for at in range(first, end):
                if self.name_kinds[at] == title and self.name_languages[at] == wanted:
                    return self.names[at]
        return self.names[first]

    def label_of(self, code: str) -> str:
        """The name that a code is shown by; the code where it is unknown."""
        row = self.row(code)
        return code if row is None else self.label(row)

    def parents(self, row: int) -> list[int]:
        """The rows right above."""
        starts, parents = self._parents
        above: list[int] = parents[starts[row] : starts[row + 1]].tolist()
        return above

    @cached_property
    def children(self) -> list[list[int]]:
        """For each row the rows right below."""
        below: list[list[int]] = [[] for _ in self.codes]
        for row in range(len(self.codes)):
            for parent in self.parents(row):
                below[parent].append(row)
        return below

    def concept(self, code: str) -> Concept:
        """All that is known of a code, or of the one it was merged into.

        Raises TerminologyError where it is unknown.
        """
        row = self.row(code)
        if row is None:
            raise TerminologyError(f"{self.name} {self.release} has no code “{code}”.")
        first, end = int(self.firsts[row]), int(self.firsts[row + 1])
        texts = {key: values[row] for key, values in self._texts_of.items()}
        return Concept(
            self.codes[row],
            tuple(
                Name(self.names[at], NAME_KINDS[self.name_kinds[at]], self.languages[self.name_languages[at]])
                for at in range(first, end)
            ),
            tuple(self.codes[up] for up in self.parents(row)),
            texts["definitions"],
            texts["uris"],
            tuple(texts["alternatives"].split()),
            bool(self.obsolete[row]),
            texts["replacements"],
            tuple(texts["xrefs"].split()),
            CLASS_KINDS[self.kinds[row]],
            self.chapters[row],
            bool(self.residual[row]),
        )
