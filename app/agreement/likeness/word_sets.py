"""Upper bounds of token set ratios, for all pairs of a table at once, so that few need the full formula."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Matrix = NDArray[np.float64]

_BAR = "|"  # in no prepared text: those have letters, digits, underscores and spaces only


@dataclass(frozen=True, slots=True)
class WordSets:
    """The distinct words of every text, written out and as numbers.

    `texts` has each text's distinct words in order, joined by spaces. `words` has the same words' numbers,
    text n's from `starts[n]` to `starts[n + 1]`. `sizes` has, by number, a word's length + 1.
    """

    texts: list[str]
    words: Numbers
    starts: Numbers
    sizes: Numbers


@dataclass(frozen=True, slots=True)
class Pairs:
    """Which texts are compared: `left[n]` with `right[n]`, both of the same cell.

    The left texts of all cells come before the right ones, of which the first is `first_right`. `cells` has
    the cell of each text.
    """

    left: Numbers
    right: Numbers
    cells: Numbers
    first_right: int


def word_sets(texts: Sequence[str]) -> WordSets:
    """The words of prepared texts (see `pairs.prepared`), numbered in order; there must be a text."""
    import numpy as np

    found = f"{_BAR} {f' {_BAR} '.join(texts)}".split()
    seen: defaultdict[str, int] = defaultdict()
    seen.default_factory = seen.__len__
    as_seen = np.fromiter(map(seen.__getitem__, found), np.int64, len(found))
    names = [_BAR, *sorted(seen.keys() - {_BAR})]
    number = np.empty(len(names), np.int64)
    number[[seen[name] for name in names]] = np.arange(len(names))
    numbers = number[as_seen]
    # A bar, number 0, opens every text, so sorting by text and number leaves it before the text's words.
    keys = (np.cumsum(numbers == 0) - 1) * len(names) + numbers
    keys.sort(kind="stable")  # in a quarter of the time: the texts are in order already
    words = keys[np.append(True, keys[1:] != keys[:-1])] % len(names)
    sizes = np.array([len(name) + 1 for name in names], np.int64)
    bars = np.append(np.flatnonzero(words == 0), len(words))
    joined = " ".join(np.array(names, object)[words].tolist()).split(_BAR)[1:]
    return WordSets([text.strip() for text in joined], words[words > 0], bars - np.arange(len(bars)), sizes)


def token_set_bounds(sets: WordSets, pairs: Pairs, subsequences: Matrix) -> Matrix:
    """No less than the unrounded token set ratio (0-100) of each pair.

    `subsequences` has the length of the longest common subsequence of the pair's `sets.texts`. Of the three
    ratios, the first two depend on lengths alone. The third compares texts that begin with the shared words
    and go on with the others in order; these are subsequences of `sets.texts`, so they share no more.
    """
    import numpy as np

    shared = _shared(sets, pairs)
    lengths = np.array([len(text) for text in sets.texts], np.int64)
    left, right = lengths[pairs.left], lengths[pairs.right]
    shorter, joined = np.minimum(left, right), np.maximum(shared - 1, 0)
    by_lengths = 2 * joined / np.maximum(joined + shorter, 1)
    by_text = 2 * np.minimum(shorter, shared + subsequences) / np.maximum(left + right, 1)
    bounds: Matrix = 100 * np.maximum(by_lengths, by_text)
    return bounds


def _shared(sets: WordSets, pairs: Pairs) -> Numbers:
    """Characters of the words that the texts of a pair share, and one more for every such word."""
    import numpy as np
    from scipy import sparse

    # A column for each word of each cell, as texts of different cells are not compared. Words of two cells
    # may meet in a column (those of one cannot): it costs values nobody asks for and saves most columns.
    columns = max(len(sets.sizes), len(sets.words))
    cells = np.repeat(pairs.cells, np.diff(sets.starts))
    # Small numbers, which are multiplied in two thirds of the time.
    column = ((cells * len(sets.sizes) + sets.words) % columns).astype(np.int32)
    sizes, starts = sets.sizes.astype(np.int32)[sets.words], sets.starts.astype(np.int32)
    shape = (len(sets.texts), columns)
    lengths: Any = sparse.csr_array((sizes, column, starts), shape=shape)
    present: Any = sparse.csr_array((np.ones_like(column), column, starts), shape=shape)
    product = lengths[: pairs.first_right] @ present[pairs.first_right :].T.tocsr()
    shared: Numbers = product[pairs.left, pairs.right - pairs.first_right]
    return np.asarray(shared).ravel()
