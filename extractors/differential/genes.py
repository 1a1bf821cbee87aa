"""The genes that a name in words says, and whose diseases they are."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from extractors.grouping import grouped

# Words beside a gene that tell no disease.
CAUSING = frozenset(
    "related associated gene mutation mutations variant variants deficiency spectrum disorder "
    "disease syndrome haploinsufficiency due caused by".split()
)
_SYMBOL = re.compile(r"\b[A-Z][A-Z0-9]{2,}\b")


class Genes:
    """Tells diseases by their genes, which are given for each by its number; `types` are no groups."""

    def __init__(self, genes: Sequence[Collection[str]], types: Collection[int]) -> None:
        self._genes = genes
        self._types = types
        self._diseases = grouped((gene, number) for number, each in enumerate(genes) for gene in each)

    def said_in(self, text: str) -> set[str]:
        """The known genes among the words of a text, some of which may be short for something else."""
        return {one for one in _SYMBOL.findall(text) if one in self._diseases}

    def diseases_of(self, said: Iterable[str]) -> list[int]:
        """The diseases of genes."""
        return [number for gene in said for number in self._diseases[gene]]

    def may_cause(self, said: Collection[str], number: int) -> bool:
        """Whether genes are those of a disease, or none of its are known."""
        return not self._genes[number] or self.cause(said, number)

    def cause(self, said: Iterable[str], number: int) -> bool:
        """Whether one of the genes is known for a disease."""
        return any(gene in self._genes[number] for gene in said)

    def is_alone(self, gene: str) -> bool:
        """Whether a gene is known for one disease, groups apart."""
        return sum(number in self._types for number in self._diseases[gene]) == 1
