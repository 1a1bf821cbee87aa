"""A vector for each term, learned from walks by skip-gram with negative sampling (node2vec), made once."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extractors.model.errors import TerminologyError
from extractors.model.progress import Progress
from extractors.terminology.arrays import ArrayFile, write_arrays
from extractors.terminology.library import user_folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from extractors.differential.index import Diseases, Numbers

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


_FORMAT = 1
_DIMENSIONS, _LENGTH = 256, 45
_RATE, _TOGETHER = 0.05, 64


@dataclass(frozen=True, slots=True)
class Walking:
    """How an embedding is made: walks from each node, how far apart two nodes may stand in one, a seed."""

    number: int = 10
    window: int = 5
    seed: int = 1
    length: int = _LENGTH
    dimensions: int = _DIMENSIONS


@dataclass(frozen=True, slots=True)
class Embedding:
    """`vectors` has a row for each term; `about` what was used: settings, releases, seconds, digest."""

    vectors: Numbers
    about: dict[str, Any] = field(default_factory=dict)


def path_of(diseases: Diseases, how: Walking) -> Path:
    """Where an embedding is kept: in the user's folder, by all that it depends on."""
    told = repr((_FORMAT, diseases.release, diseases.terminology.release, len(diseases), asdict(how)))
    return user_folder() / "embeddings" / f"{hashlib.sha256(told.encode()).hexdigest()[:16]}.zip"


def kept_embedding(diseases: Diseases, how: Walking) -> Embedding | None:
    """The embedding as it was made before; None where it was not, or its file is damaged."""
    path = path_of(diseases, how)
    try:
        file = ArrayFile(path, _FORMAT) if path.exists() else None
        return None if file is None else Embedding(file.array("vectors"), dict(file.about))
    except (TerminologyError, OSError):
        return None


def make_embedding(diseases: Diseases, how: Walking) -> Generator[Progress, None, Embedding]:
    """Make it and keep it; takes minutes. The same seed gives the same vectors on one machine."""
    begun = time.monotonic()
    yield Progress(0, how.number, "drawing the knowledge as a graph")
    graph = graph_of(diseases)
    learner = _SkipGram(len(graph), how)
    for done, round_ in enumerate(walks(graph, how.number, how.length, how.seed)):
        for at in range(0, len(round_), _TOGETHER):
            if at % (_TOGETHER * 20) == 0:
                yield Progress(done, how.number, f"learning from walks, round {done + 1} of {how.number}")
            learner.learn(round_[at : at + _TOGETHER])
    vectors = learner.vectors[: len(diseases.information)]
    about = {
        **asdict(how),
        "hpo": diseases.terminology.release,
        "annotations": diseases.release,
        "nodes": len(graph),
        "sha256": hashlib.sha256(vectors.tobytes()).hexdigest(),
        "seconds": round(time.monotonic() - begun, 1),
    }
    return keep_embedding(diseases, how, Embedding(vectors, about))


def keep_embedding(diseases: Diseases, how: Walking, made: Embedding) -> Embedding:
    """Write an embedding into the user's folder, whole or not at all."""
    write_arrays(path_of(diseases, how), {"format": _FORMAT, **made.about}, {"vectors": made.vectors})
    return made


class _SkipGram:
    """Learns vectors from walks as they come: nodes that stand near each other are alike, drawn ones are not.

    A batch's walks are multiplied as matrices, each node against all of its walk, and what stands outside of
    the window is masked; as many drawn nodes stand against each walk, weighing together as much as what is
    near. Steps shrink with what a vector has moved before (AdaGrad, a number for each row).
    """

    def __init__(self, nodes: int, how: Walking) -> None:
        import numpy as np

        self._np = np
        self._chance = np.random.default_rng([how.seed, 1])
        spread = 0.5 / how.dimensions
        self.vectors = self._chance.uniform(-spread, spread, (nodes, how.dimensions)).astype(np.float32)
        self._others = np.zeros_like(self.vectors)
        self._moved = [np.full(nodes, 1e-8, np.float32) for _ in range(2)]
        # Made once: new ones for each batch cost as much again as what is done in them.
        self._rows = np.empty((3, _TOGETHER, how.length, how.dimensions), np.float32)
        self._steps = np.empty((2 * _TOGETHER, how.length, how.dimensions), np.float32)
        places = np.arange(how.length)
        apart = np.abs(places[:, None] - places[None, :])
        self._near = ((apart > 0) & (apart <= how.window)).astype(np.float32)
        self._share = (self._near.sum(axis=1) / how.length).astype(np.float32)[:, None]

    def learn(self, batch: Nodes) -> None:
        """Take one step for a batch of walks."""
        np = self._np
        drawn = self._chance.integers(len(self.vectors), size=batch.shape, dtype=np.int32)
        number = len(batch)
        own, others, strange = (one[:number] for one in self._rows)
        for vectors, nodes, found in (
            (self.vectors, batch, own),
            (self._others, batch, others),
            (self._others, drawn, strange),
        ):
            np.take(vectors, nodes, axis=0, out=found, mode="clip")
        near = self._near * (1 - _sigmoid(_likeness(own, others)))
        far = -self._share * _sigmoid(_likeness(own, strange))
        steps = self._steps[: 2 * number]
        _sum_up(near, others, steps[:number])
        _sum_up(far, strange, steps[number:])
        steps[:number] += steps[number:]
        self._move(0, self.vectors, batch, steps[:number])
        _sum_up(near.swapaxes(1, 2), own, steps[:number])
        _sum_up(far.swapaxes(1, 2), own, steps[number:])
        self._move(1, self._others, np.concatenate([batch, drawn]), steps)

    def _move(self, which: int, vectors: Numbers, nodes: Nodes, steps: Numbers) -> None:
        """Add up the steps of each node and move it by their sum."""
        from scipy.sparse import csr_array

        np, moved = self._np, self._moved[which]
        once, of = np.unique(nodes.ravel(), return_inverse=True)
        number = nodes.size
        ones = np.ones(number, np.float32)
        gather = csr_array((ones, (of.ravel(), np.arange(number))), shape=(len(once), number))
        sums = gather @ steps.reshape(number, -1)
        moved[once] += np.einsum("ij,ij->i", sums, sums) / sums.shape[1]
        sums *= (_RATE / np.sqrt(moved[once]))[:, None]
        vectors[once] += sums


# Products of halves: a whole one is so large that OpenBLAS shares it out among its threads, which takes three
# times as long on a busy machine, and gives other bits with another number of them.
def _likeness(left: Numbers, right: Numbers) -> Numbers:
    """Each vector of `left` by each of `right`."""
    half = left.shape[-1] // 2
    right = right.swapaxes(1, 2)
    found: Numbers = left[..., :half] @ right[:, :half]
    found += left[..., half:] @ right[:, half:]
    return found


def _sum_up(weights: Numbers, vectors: Numbers, out: Numbers) -> None:
    """Sums of vectors by weights."""
    import numpy as np

    half = vectors.shape[-1] // 2
    np.matmul(weights, vectors[..., :half], out=out[..., :half])
    np.matmul(weights, vectors[..., half:], out=out[..., half:])


def _sigmoid(values: Numbers) -> Numbers:
    import numpy as np

    found: Numbers = 1 / (1 + np.exp(-np.clip(values, -15, 15)))
    return found
