"""A terminology as one file of arrays: written once, each part read when it is first asked for."""

from __future__ import annotations

import json
import unicodedata
import zipfile
from collections.abc import Iterable, Sequence
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extractors.model.errors import TerminologyError
from extractors.terminology.concept import NAME_KINDS, Concept, Name
from extractors.text.folding import fold_phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[Any]

# Changed when files of before cannot be read any more.
_FORMAT = 1


def write_index(path: Path, name: str, release: str, source: str, concepts: Sequence[Concept]) -> None:
    """Write `concepts` of terminology `name` ("HPO"); the same concepts give the same arrays.

    `source` says in a sentence what it was made from, as its licence asks. Raises TerminologyError where a
    code or an alternative stands twice or a parent is unknown.
    """
    import numpy as np

    rows = {concept.code: row for row, concept in enumerate(concepts)}
    if len(rows) < len(concepts):
        raise TerminologyError(f"{name} {release} is damaged: a code stands there twice.")
    names = [(row, one) for row, concept in enumerate(concepts) for one in concept.names]
    languages = sorted({one.language for _, one in names})
    folded = [folded_words(one.text) for _, one in names]
    words = sorted({word for said in folded for word in said})
    number = {word: place for place, word in enumerate(words)}
    postings: list[list[int]] = [[] for _ in words]
    for place, said in enumerate(folded):
        for word in dict.fromkeys(said):
            postings[number[word]].append(place)
    missing = sorted({up for concept in concepts for up in concept.parents if up not in rows})
    if missing:
        raise TerminologyError(f"{name} {release} is damaged: {missing[0]} is a parent, but not there.")
    about = {
        "format": _FORMAT,
        "name": name,
        "release": release,
        "source": source,
        "concepts": len(concepts),
        "languages": languages,
    }
    arrays = {
        "about": _blob([json.dumps(about)]),
        "codes": _blob([one.code for one in concepts]),
        "definitions": _blob([one.definition for one in concepts]),
        "uris": _blob([one.uri for one in concepts]),
        "alternatives": _blob([" ".join(one.alternatives) for one in concepts]),
        "replacements": _blob([one.replaced_by for one in concepts]),
        "xrefs": _blob([" ".join(one.xrefs) for one in concepts]),
        "obsolete": np.array([one.obsolete for one in concepts], np.bool_),
        "names": _blob([one.text for _, one in names]),
        "name_rows": np.array([row for row, _ in names], np.int32),
        "name_kinds": np.array([NAME_KINDS.index(one.kind) for _, one in names], np.uint8),
        "name_languages": np.array([languages.index(one.language) for _, one in names], np.uint8),
        "name_lengths": np.array([len(set(said)) for said in folded], np.uint8),
        "words": _blob(words),
        "folded": _blob([" ".join(said) for said in folded]),
        **_lists("parents", [[rows[up] for up in one.parents] for one in concepts]),
        **_lists("postings", postings),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for key, array in arrays.items():
            # Dated alike, so that the same arrays are the same bytes.
            entry = zipfile.ZipInfo(f"{key}.npy")
            entry.compress_type = zipfile.ZIP_DEFLATED
            content = BytesIO()
            np.save(content, array, allow_pickle=False)
            archive.writestr(entry, content.getvalue())


def folded_words(text: str) -> list[str]:
    """The words of a name as they are looked up: one spelling, no accents."""
    parted = unicodedata.normalize("NFKD", text)
    return fold_phrase("".join(sign for sign in parted if not unicodedata.combining(sign))).split()


def _blob(texts: Iterable[str]) -> Integers:
    import numpy as np

    joined = "\n".join(text.replace("\n", " ") for text in texts)
    return np.frombuffer(joined.encode("utf-8"), np.uint8)


def _lists(key: str, lists: Sequence[Sequence[int]]) -> dict[str, Integers]:
    """Lists of numbers behind each other, and where each begins."""
    import numpy as np

    starts = np.cumsum([0, *map(len, lists)], dtype=np.int32)
    return {f"{key}_starts": starts, key: np.array([one for each in lists for one in each], np.int32)}


class Terminology:
    """A terminology read from its file; rows are the numbers of its concepts, in the order of the file.

    Raises TerminologyError where the file is absent, damaged or of a newer format.
    """

    name: str
    release: str
    source: str

    def __init__(self, path: Path) -> None:
        import numpy as np

        self._path = path
        try:
            with zipfile.ZipFile(path) as archive:
                self._parts = {
                    entry.removesuffix(".npy"): archive.read(entry) for entry in archive.namelist()
                }
        except (OSError, zipfile.BadZipFile) as error:
            raise TerminologyError(f"The terminology {path.name} cannot be read: {error}.") from None
        self._np = np
        about = json.loads(self._texts("about")[0])
        if about["format"] != _FORMAT:
            raise TerminologyError(f"{path.name} was made for another version of Casespan; import it again.")
        self.name, self.release, self.source = about["name"], about["release"], about["source"]
        self._languages: list[str] = about["languages"]

    def array(self, key: str) -> Integers:
        """One of the file's arrays.

        Raises TerminologyError where it is absent or damaged.
        """
        try:
            array: Integers = self._np.load(BytesIO(self._parts[key]), allow_pickle=False)
        except (KeyError, ValueError) as error:
            raise TerminologyError(f"The terminology {self._path.name} is damaged ({error}).") from None
        return array

    def _texts(self, key: str) -> list[str]:
        return self.array(key).tobytes().decode("utf-8").split("\n")

    @cached_property
    def codes(self) -> list[str]:
        """The code of each row."""
        return self._texts("codes")

    @cached_property
    def names(self) -> list[str]:
        """All names of all concepts, the label of each first."""
        return self._texts("names")

    @cached_property
    def folded(self) -> list[str]:
        """Each name folded to one spelling (`extractors.text.folding`)."""
        return self._texts("folded")

    @cached_property
    def words(self) -> list[str]:
        """The folded words of all names, sorted by code point."""
        return self._texts("words")

    @cached_property
    def name_rows(self) -> Integers:
        """The row that each name belongs to, rising."""
        return self.array("name_rows")

    @cached_property
    def name_kinds(self) -> Integers:
        """The kind of each name: its place in NAME_KINDS."""
        return self.array("name_kinds")

    @cached_property
    def obsolete(self) -> Integers:
        """For each row whether it is retired."""
        return self.array("obsolete")

    @cached_property
    def firsts(self) -> Integers:
        """For each row the number of its first name, its label; one more at the end."""
        counts = self._np.bincount(self.name_rows, minlength=len(self.codes))
        return self._np.concatenate([[0], self._np.cumsum(counts)])

    @cached_property
    def _row_of(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for row, codes in enumerate(self._texts("alternatives")):
            found.update(dict.fromkeys(codes.split(), row))
        return found | {code: row for row, code in enumerate(self.codes)}

    @cached_property
    def _parents(self) -> tuple[Integers, Integers]:
        return self.array("parents_starts"), self.array("parents")

    @cached_property
    def _texts_of(self) -> dict[str, list[str]]:
        keys = ("definitions", "uris", "alternatives", "replacements", "xrefs")
        return {key: self._texts(key) for key in keys}

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

    def label(self, row: int) -> str:
        """The name a concept is shown by."""
        return self.names[int(self.firsts[row])]

    def parents(self, row: int) -> list[int]:
        """The rows right above."""
        starts, parents = self._parents
        return [int(one) for one in parents[starts[row] : starts[row + 1]]]

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
        languages = self.array("name_languages")
        texts = {key: values[row] for key, values in self._texts_of.items()}
        return Concept(
            self.codes[row],
            tuple(
                Name(self.names[at], NAME_KINDS[self.name_kinds[at]], self._languages[languages[at]])
                for at in range(first, end)
            ),
            tuple(self.codes[up] for up in self.parents(row)),
            texts["definitions"],
            texts["uris"],
            tuple(texts["alternatives"].split()),
            bool(self.obsolete[row]),
            texts["replacements"],
            tuple(texts["xrefs"].split()),
        )
