"""Terms and diseases as one graph, and random walks on it that prefer what tells most.

A step from a term to a term weighs as much as the other's information content, one from a term to a disease
as the term's own, one from a disease to a term as the term's (Chen et al., KDD 2024; the last is ours).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from extractors.differential.index import Diseases

    Nodes = NDArray[np.int32]

# Terms that every disease has weigh nothing, and could never be left for one another.
_LEAST = 1e-3


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes are the rows of the terms, then the numbers of the diseases; those next to a node stand from
    `starts` on, with the sums of the weights so far."""

    starts: NDArray[np.int64]
    near: Nodes
    sums: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.starts) - 1


def graph_of(diseases: Diseases) -> Graph:
    """Every term with what stands above and below it and the diseases annotated with it."""
    import numpy as np

    terminology, content = diseases.terminology, np.maximum(diseases.information, _LEAST).astype(np.float64)
    terms = len(content)
    up = [(row, parent) for row in range(terms) for parent in terminology.parents(row)]
    below, above = np.array(up, np.int64).T
    starts, of, _ = diseases.asserted
    ill = np.repeat(np.arange(len(diseases)), np.diff(starts)) + terms
    of = of.astype(np.int64)
    sources = np.concatenate([below, above, of, ill])
    targets = np.concatenate([above, below, ill, of])
    weights = np.concatenate([content[above], content[below], content[of], content[of]])
    order = np.lexsort((targets, sources))
    counts = np.bincount(sources, minlength=terms + len(diseases))
    return Graph(
        np.concatenate([[0], np.cumsum(counts)]), targets[order].astype(np.int32), np.cumsum(weights[order])
    )


def walks(graph: Graph, number: int, length: int, seed: int) -> Iterator[Nodes]:
    """`number` times a walk of `length` nodes from every node that has an edge, a round at a time."""
    import numpy as np

    chance = np.random.default_rng(seed)
    beginnings = np.flatnonzero(np.diff(graph.starts)).astype(np.int32)
    before = np.concatenate([[0.0], graph.sums])
    for _ in range(number):
        found = np.empty((len(beginnings), length), np.int32)
        found[:, 0] = chance.permutation(beginnings)
        for step in range(1, length):
            here = found[:, step - 1]
            low, high = before[graph.starts[here]], before[graph.starts[here + 1]]
            aimed = low + chance.random(len(here)) * (high - low)
            edge = np.searchsorted(graph.sums, aimed, side="right")
            found[:, step] = graph.near[np.clip(edge, graph.starts[here], graph.starts[here + 1] - 1)]
        yield found
