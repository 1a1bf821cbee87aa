"""Looking for a concept by the words of a text, and going from one to what stands above and below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from extractors.model.errors import UnknownNameError
from extractors.terminology.clusters import Cluster, parts, read_cluster
from extractors.terminology.concept import CLASS_KINDS
from extractors.terminology.index import Terminology
from extractors.terminology.search import Hit, Search

# What is looked for in the words of a longer text; more words than these say no name.
_MOST_WORDS, _LONGEST_PART = 24, 4
# A name found by some of the words only stands below one that all of them name.
_PER_WORD_LEFT_OUT = 0.06


@dataclass(frozen=True, slots=True)
class Entry:
    """A concept in a list: `matched` is the name that matched where that is not its label."""

    code: str
    label: str
    matched: str = ""
    leaf: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A concept with its definition, its other names, and what stands right above, beside and below it.

    Of a classification: what is beside it, the `source` that its licence wants named, and the everyday words
    that are `ours`, not its own.
    """

    code: str
    label: str
    definition: str
    names: tuple[str, ...]
    parents: tuple[Entry, ...]
    children: tuple[Entry, ...]
    siblings: tuple[Entry, ...] = ()
    source: str = ""
    ours: tuple[str, ...] = ()


class Browser:
    """Searches a terminology and shows what is around a concept."""

    def __init__(self, terminology: Terminology) -> None:
        self.terminology = terminology
        self._search = Search(terminology)
        self._extensions = Search(terminology, extensions=True)

    def find(self, typed: str, limit: int) -> tuple[Entry, ...]:
        """What is meant by a code, a name or its beginning, best first; after "/" or "&" that is put to the
        code before."""
        if (head := self._begun(typed)) is not None:
            before, joint, last = head
            search = self._extensions if joint == "&" else self._search
            hits = [hit for hit in search.find(last, limit) if self._fits(hit.code, joint)]
            return tuple(
                Entry(f"{before.code}{joint}{hit.code}", f"… {joint} {hit.label}", _matched(hit))
                for hit in hits
            ) or (Entry(before.code, before.label),)
        return tuple(
            Entry(hit.code, hit.label, _matched(hit), hit.leaf) for hit in self._search.find(typed, limit)
        )

    def suggest(self, text: str, limit: int) -> tuple[Entry, ...]:
        """What the words of a text may stand for, all of them together or a few in a row, best first."""
        found: dict[str, tuple[float, Entry]] = {}
        words = text.split()[:_MOST_WORDS]
        for part in _parts(words):
            left_out = _PER_WORD_LEFT_OUT * (len(words) - len(part))
            for hit in self._search.find(" ".join(part), limit):
                entry = (hit.score - left_out, Entry(hit.code, hit.label, _matched(hit), hit.leaf))
                if hit.code not in found or found[hit.code][0] < entry[0]:
                    found[hit.code] = entry
            if len(part) == len(words) and len(found) >= limit:
                break
        best = sorted(found.values(), key=lambda one: (-one[0], one[1].label, one[1].code))
        return tuple(entry for _, entry in best[:limit])

    def _begun(self, typed: str) -> tuple[Cluster, str, str] | None:
        """The cluster that was typed so far, how it is joined to what is being typed, and that."""
        at = max(typed.rfind("/"), typed.rfind("&"))
        if not self.terminology.classes or at < 1:
            return None
        try:
            return read_cluster(self.terminology, typed[:at]), typed[at], typed[at + 1 :].strip()
        except UnknownNameError:
            return None

    def _fits(self, code: str, joint: str) -> bool:
        row = self.terminology.row(code)
        extension = row is not None and CLASS_KINDS[self.terminology.kinds[row]] == "extension"
        return extension == (joint == "&")

    def view(self, code: str) -> View:
        """All around a concept, of a cluster around its last part; raises TerminologyError for a code that is
        not there."""
        last = parts(code)[-1] if self.terminology.classes else code
        if last != code:
            before, cluster = code.removesuffix(last), read_cluster(self.terminology, code)
            own = self.view(last)
            put = [
                tuple(replace(one, code=before + one.code) for one in entries)
                for entries in (own.parents, own.children, own.siblings)
            ]
            return View(code, cluster.label, "", own.names, put[0], put[1], put[2], own.source, own.ours)
        concept = self.terminology.concept(code)
        row = self.terminology.row(concept.code) or 0
        beside: list[int] = []
        if self.terminology.classes:
            ups = self.terminology.parents(row)
            beside = [one for up in ups for one in self.terminology.children[up] if one != row]
        return View(
            concept.code,
            concept.label,
            concept.definition,
            tuple(dict.fromkeys(one.text for one in concept.names[1:] if one.kind != "lexicon")),
            self._entries(self.terminology.parents(row)),
            self._entries(self.terminology.children[row]),
            self._entries(beside),
            self.terminology.source if self.terminology.classes else "",
            tuple(one.text for one in concept.names if one.kind == "lexicon"),
        )

    def _entries(self, rows: Iterable[int]) -> tuple[Entry, ...]:
        known = self.terminology
        found = [Entry(known.codes[row], known.label(row), "", not known.children[row]) for row in rows]
        # A classification has its own order, the residual classes last.
        return tuple(found if known.classes else sorted(found, key=lambda one: one.label.casefold()))


def _matched(hit: Hit) -> str:
    if hit.matched.kind == "lexicon":
        return f"{hit.matched.text} (our words)"
    return "" if hit.matched.text in (hit.code, hit.label) else hit.matched.text


def _parts(words: list[str]) -> Iterator[list[str]]:
    """The words, then what stands in a row in them, the longest first."""
    yield words
    for size in range(min(_LONGEST_PART, len(words) - 1), 0, -1):
        for first in range(len(words) - size + 1):
            yield words[first : first + size]
