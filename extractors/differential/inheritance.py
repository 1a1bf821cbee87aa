"""How the types of families are counted: all together, or by way of inheritance."""

from __future__ import annotations

from collections.abc import Iterable

from extractors.differential.wording import (
    Words,
    bare_key,
    begins_inherited,
    counted_by,
    inheritance_in,
    is_bound,
    is_typed,
    may_be_inherited,
    untyped,
)


class Counting:
    """Says whether words may mean the way of inheritance of a name, by all names there are."""

    def __init__(self, names: Iterable[Words]) -> None:
        typed = [name for name in names if is_typed(name)]
        self._openly = {_family(name) for name in typed if not inheritance_in(name)}
        self._apart = {
            (_family(name), counted_by(inheritance_in(name)))
            for name in typed
            if is_bound(name) and not begins_inherited(name)
        }

    def may_be(self, words: Words, name: Words) -> bool:
        """ "Ataxia 4" is no "ataxia, autosomal recessive 4" where both are counted, nor the other way round,
        and who means "X-linked" says so."""
        ways, said, family = inheritance_in(words), inheritance_in(name), _family(name)
        if ways and said:
            return may_be_inherited(ways, said)
        if ways:
            return not any(map(str.isdigit, words)) or (family, counted_by(ways)) not in self._apart
        if not said:
            return True
        openly = family in self._openly
        if not is_typed(name):
            return "linked" not in said and not openly
        apart = not begins_inherited(name) or (family, counted_by(said)) in self._apart
        return not (openly and apart and is_bound(name))


def _family(name: Words) -> Words:
    return untyped(bare_key(name))
