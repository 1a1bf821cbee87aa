"""One form for the words of one meaning: hypoplastic and hypoplasia, kidney and renal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

# Endings, what stands in their place, and how many letters at least stay before: the first that fits goes.
_ENDINGS = tuple(
    (ending, instead, int(least))
    for ending, instead, least in (
        told.split("/")
        for told in """
ifications/if/3 ification/if/3 ically//4 iferous//4 ified/if/3 ifying/if/3 ations//4 ation//4
ating//4 ated//4 iasis//4 ities//4 ously//4 ical//4 icity//4 stic/s/4 ptic/ps/4 otic//4 osis//4
oses//4 tic/s/5 ness//4 ment//4 ence//3 ency//4 ance//4 ism//4 ity//4 ous//4 ing//4 ion//4 ent//3
ant//5 ia//3 ic//4 us//4 um//4 al//4 ar//5 ally//4 ed//3 is//4 y//3 e//3 a//4
        """.split()
    )
)
_THICKENED = 6
_TELLING = 5


def ending_off(word: str) -> str:
    """A folded word without the ending that makes it noun, adjective or verb."""
    if word.endswith("as") and len(word) >= _THICKENED:
        word = word[:-1]  # plurals in -as are left alone where words are folded
    for ending, instead, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word[: -len(ending)] + instead
            break
    if word.endswith("en") and len(word) >= _THICKENED:
        word = word[:-2]
    if len(word) > 4 and word[-1] == word[-2]:
        word = word[:-1]
    return word


@dataclass(slots=True)
class Stems:
    """Gives each folded word its stem; words of one line of `groups` have the first one's."""

    groups: Mapping[str, str]
    _seen: dict[str, str] = field(default_factory=dict)

    def of(self, word: str) -> str:
        """The stem of a folded word."""
        found = self._seen.get(word)
        if found is None:
            root = ending_off(word)
            found = self._seen[word] = self.groups.get(word) or self.groups.get(root) or root
        return found


def grouped(lines: Iterable[Iterable[str]]) -> Stems:
    """Stems under which the words of a line are one, by their spelling and by their own stem."""
    groups: dict[str, str] = {}
    for line in lines:
        words = list(line)
        for word in words:
            # A stem of few letters may be another word's: "tests" are no testes.
            groups[word] = f"={words[0]}"
            if len(ending_off(word)) >= _TELLING:
                groups[ending_off(word)] = f"={words[0]}"
    return Stems(groups)
