"""Similarities of quotes, for all pairs of a table at once on every core, with bounds that spare most."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain, compress, islice, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Matrix: TypeAlias = "NDArray[np.float64]"
Numbers: TypeAlias = "NDArray[np.int64]"
Scorer: TypeAlias = "Callable[[list[str], list[str]], Matrix]"
T = TypeVar("T")
Texts = Sequence[Sequence[str]]

_LATIN_1 = {code: None for code in range(128, 256)}
_NOT_WORD = re.compile(r"\W")
_ASCII_WORD = re.compile("[A-Za-z0-9]")
# The same for ASCII, in a tenth of the time.
_BLANKS = {code: " " for code in range(128) if _NOT_WORD.match(chr(code))}
_FEW = 1000  # pairs that one core has scored before others have begun
_MANY = 3  # pairs per quote of a cell from which on bounds save time, as measured with quotes of 25 words


def prepared(texts: Texts) -> list[list[str]]:
    """Quotes as fuzzywuzzy's `full_process(force_ascii=True)` sees them, lower-cased first as the paper does.

    Characters 128-255 vanish, whatever else is no letter, digit or underscore becomes a space.
    """
    from rapidfuzz.utils import default_process

    def prepare(text: str) -> str:
        if not text.isascii():
            text = text.lower().translate(_LATIN_1)
        if text.isascii() and "_" not in text:
            return default_process(text)  # the same, and faster
        return _NOT_WORD.sub(" ", text.lower()).lower().strip()

    return [list(map(prepare, cell)) for cell in texts]


def words(text: str) -> list[str]:
    """The words of a text, lower case, without punctuation; accents stay (unlike in `prepared`)."""
    lowered = text.lower()
    if lowered.isascii():
        return lowered.translate(_BLANKS).split()
    return _NOT_WORD.sub(" ", unicodedata.normalize("NFC", lowered)).split()


def token_set_ratios(left: Texts, right: Texts) -> list[Matrix]:
    """fuzzywuzzy's `token_set_ratio`, whole numbers 0-100: one matrix (left x right quotes) per cell."""
    return _matrices(_token_set_scores(*_pairs(prepared(left), prepared(right))), left, right)


def best_matches(left: Texts, right: Texts) -> tuple[list[list[float]], list[list[float]]]:
    """The greatest values of each row of `token_set_ratios` and of `levenshtein_similarities`, cell by cell.

    No side may be empty. An edit distance is never below longer length - longest common subsequence, which
    costs a fourth of the time; so only the pairs that this bound leaves in the running are measured.
    """
    from concurrent.futures import ThreadPoolExecutor

    # All here, since two threads that import parts of one library for the first time may wait for each other.
    import numpy  # noqa: F401
    import rapidfuzz.process  # noqa: F401
    from rapidfuzz.distance import LCSseq, Levenshtein

    same, ours, theirs = _without_equal(left, right)
    cells = _PreparedCells(ours, theirs)
    texts = [*chain.from_iterable(ours), *chain.from_iterable(theirs)]
    edits = partial(_score, scorer=Levenshtein.normalized_similarity)
    # Whole lists of pairs leave Python free, numbering words does not: side by side they take less.
    with ThreadPoolExecutor(1) as beside:
        few = beside.submit(_token_set_scores, *_pairs(*cells.few))
        bounds = _score_cells(ours, theirs, LCSseq.normalized_similarity)
        letters = beside.submit(_best_of_rows, bounds, _numbered(ours, theirs), texts, edits)
        sets = cells.best(_best_token_sets_by_bounds(*cells.many), few.result())
    return _with_equal(left, same, sets, _of_equal), _with_equal(left, same, letters.result(), lambda _: 1.0)


def best_token_set_ratios(left: Texts, right: Texts) -> list[list[float]]:
    """The greatest value of each row of `token_set_ratios`, cell by cell; no side may be empty."""
    same, ours, theirs = _without_equal(left, right)
    cells = _PreparedCells(ours, theirs)
    sets = cells.best(_best_token_sets_by_bounds(*cells.many), _token_set_scores(*_pairs(*cells.few)))
    return _with_equal(left, same, sets, _of_equal)


def paper_token_set_ratios(left: Texts, right: Texts) -> list[float]:
    """0-100 for each cell of quotes: 100 where both sides are empty, 0 where one is, else the left's mean.

    The same numbers as `compare` with the profile "paper" gives its cells.
    """
    full = [number for number, cell in enumerate(left) if cell and right[number]]
    scores = [0.0 if ours or theirs else 100.0 for ours, theirs in zip(left, right, strict=True)]
    best = best_token_set_ratios([left[number] for number in full], [right[number] for number in full])
    for number, row in zip(full, best, strict=True):
        scores[number] = sum(row) / len(row)
    return scores


def _without_equal(left: Texts, right: Texts) -> tuple[list[frozenset[str]], Texts, Texts]:
    """The right texts of each cell, and both sides of the left texts that are not among them."""
    same = list(map(frozenset, right))
    others = [[text for text in cell if text not in known] for cell, known in zip(left, same, strict=True)]
    return same, list(filter(None, others)), list(compress(right, others))


def _with_equal(
    left: Texts, same: Sequence[frozenset[str]], others: list[float], of_equal: Callable[[str], float]
) -> list[list[float]]:
    """The value of each left text: at once where the right has the very same."""
    found = iter(others)
    return [
        [of_equal(text) if text in known else next(found) for text in cell]
        for cell, known in zip(left, same, strict=True)
    ]


def _of_equal(text: str) -> float:
    """A text without words is like nothing, itself included."""
    return 100.0 if _ASCII_WORD.search(text) or prepared([[text]])[0][0] else 0.0


class _PreparedCells:
    """Prepared texts, the cells of few pairs and those of many by themselves.

    The token set ratio splits and sorts the words anew for each pair, which is nearly all of its time. In
    cells of many pairs it is quicker to sort the words once, for bounds that keep most of the pairs from it.
    """

    def __init__(self, left: Texts, right: Texts) -> None:
        self._left = prepared(left)
        sides = self._left, prepared(right)
        self._large = [len(a) * len(b) >= _MANY * (len(a) + len(b)) for a, b in zip(*sides, strict=True)]
        small = [not large for large in self._large]
        self.many, self.few = (
            tuple(list(compress(side, chosen)) for side in sides) for chosen in (self._large, small)
        )

    def best(self, many: list[float], scores: Matrix) -> list[float]:
        """The greatest of each left text, from those of `many` and from the scores of all pairs of `few`."""
        import numpy as np

        starts = _starts(_numbered(*self.few).left)
        few = np.maximum.reduceat(scores, starts).tolist() if starts.size else ()
        found = {True: iter(many), False: iter(few)}
        cells = zip(self._left, self._large, strict=True)
        return list(chain.from_iterable(islice(found[large], len(cell)) for cell, large in cells))


def _best_token_sets_by_bounds(left: Texts, right: Texts) -> list[float]:
    """The greatest ratio of each left text, all prepared, for pairs that the bounds leave in the running."""
    import numpy as np
    from rapidfuzz.distance import LCSseq

    if not left:
        return []
    pairs = _numbered(left, right)
    sets = word_sets([*chain.from_iterable(left), *chain.from_iterable(right)])
    ours, theirs = _by_cell(sets.texts, left), _by_cell(sets.texts[pairs.first_right :], right)
    bounds = token_set_bounds(sets, pairs, _score_cells(ours, theirs, LCSseq.similarity))
    # Whole numbers like the ratios, whose order of operations may put them a last bit above their bounds.
    whole = np.floor(bounds + 0.5 + 1e-6)
    return _best_of_rows(whole, pairs, sets.texts, _token_set_scores)


def _token_set_scores(queries: list[str], choices: list[str]) -> Matrix:
    """`token_set_ratio` of prepared texts, pair by pair."""
    import numpy as np
    from rapidfuzz import fuzz

    scores = _score(queries, choices, fuzz.token_set_ratio)
    # Halves are where a last-bit difference between two correct formulas would round to another whole number.
    for place in np.flatnonzero(np.abs(scores % 1.0 - 0.5) < 1e-6).tolist():
        scores[place] = _token_set_ratio(queries[place], choices[place])
    return np.rint(scores)


def levenshtein_similarities(left: Texts, right: Texts) -> list[Matrix]:
    """1 - edit distance / longer length, case-sensitive, unrounded: one matrix per cell."""
    from rapidfuzz.distance import Levenshtein

    return _matrices(_score(*_pairs(left, right), Levenshtein.normalized_similarity), left, right)


def _best_of_rows(bounds: Matrix, pairs: Pairs, texts: list[str], scorer: Scorer) -> list[float]:
    """The greatest score of each left text's pairs, of which only those are scored that may have it.

    First the pairs with the greatest bound of their row, then those with a bound above the row's best score.
    """
    import numpy as np

    rows = pairs.left
    starts = _starts(rows)
    best = np.zeros(len(starts))
    greatest = np.maximum.reduceat(bounds, starts)[rows] if rows.size else bounds
    candidates = np.flatnonzero(bounds == greatest)
    while candidates.size:
        ours, theirs = ([texts[n] for n in side[candidates].tolist()] for side in (pairs.left, pairs.right))
        np.maximum.at(best, rows[candidates], scorer(ours, theirs))
        bounds[candidates] = -1.0
        candidates = np.flatnonzero(bounds > best[rows])
    found: list[float] = best.tolist()
    return found


def _starts(rows: Numbers) -> Numbers:
    """Where each row of pairs begins."""
    import numpy as np

    return np.flatnonzero(np.diff(rows, prepend=-1))


def indel_similarities(left: Texts, right: Texts) -> list[Matrix]:
    """Normalised Indel similarity 0-1 of the quotes' words joined by spaces: one matrix per cell."""
    from rapidfuzz.distance import Indel

    ours, theirs = ([[_normalised(text) for text in cell] for cell in side] for side in (left, right))
    return _matrices(_score(*_pairs(ours, theirs), Indel.normalized_similarity), left, right)


def _normalised(text: str) -> str:
    """The words of a text, or the text itself where it has none, so that "+++" is not taken for "---"."""
    return " ".join(words(text)) or text


def _token_set_ratio(left: str, right: str) -> float:
    """fuzzywuzzy's formula for one pair of prepared strings, the unrounded greatest of its three ratios."""
    from rapidfuzz.distance import Indel

    ours, theirs = set(left.split()), set(right.split())
    shared = " ".join(sorted(ours & theirs))
    both = [f"{shared} {' '.join(sorted(rest))}".strip() for rest in (ours - theirs, theirs - ours)]
    pairs = ((shared, both[0]), (shared, both[1]), (both[0], both[1]))
    return max(100 * Indel.normalized_similarity(a, b) if a and b else 0.0 for a, b in pairs)


def _pairs(left: Texts, right: Texts) -> tuple[list[str], list[str]]:
    """Every left quote against every right quote of its cell, row by row."""
    queries: list[str] = []
    choices: list[str] = []
    for ours, theirs in zip(left, right, strict=True):
        queries += [quote for quote in ours for _ in theirs]
        choices += theirs * len(ours) if isinstance(theirs, list) else list(theirs) * len(ours)
    return queries, choices


def _numbered(left: Texts, right: Texts) -> Pairs:
    """The pairs of `_pairs` as numbers of texts, the left texts of all cells first, then the right ones."""
    import numpy as np

    ours, theirs = (np.array([len(cell) for cell in side], np.int64) for side in (left, right))
    cells = np.arange(len(ours))
    widths = np.repeat(theirs, ours)
    rows = np.repeat(np.arange(len(widths)), widths)
    first_right = len(widths)
    first_choice = np.repeat(first_right + np.cumsum(theirs) - theirs, ours)
    columns = np.arange(len(rows)) + (first_choice - (np.cumsum(widths) - widths))[rows]
    return Pairs(
        rows, columns, np.concatenate([np.repeat(cells, ours), np.repeat(cells, theirs)]), first_right
    )


def _by_cell(values: list[T], cells: Texts) -> list[list[T]]:
    """What there is for each quote, one after the other, cut into cells."""
    ends = accumulate(map(len, cells), initial=0)
    return [values[start:end] for start, end in pairwise(ends)]


def _score(queries: list[str], choices: list[str], scorer: Callable[..., Any]) -> Matrix:
    import numpy as np
    from rapidfuzz import process

    workers = -1 if len(queries) > _FEW else 1
    scores: Matrix = process.cpdist(queries, choices, scorer=scorer, dtype=np.float64, workers=workers)
    return scores


def _score_cells(left: Texts, right: Texts, scorer: Callable[..., Any]) -> Matrix:
    """`_score` of `_pairs`, cell by cell: quicker where to read a text takes as long as to compare it."""
    import numpy as np
    from rapidfuzz import process

    def scores(ours: Sequence[str], theirs: Sequence[str]) -> Matrix:
        workers = -1 if len(ours) * len(theirs) > _FEW else 1
        return process.cdist(ours, theirs, scorer=scorer, dtype=np.float64, workers=workers).ravel()

    return np.concatenate([np.empty(0), *map(scores, left, right)])


def _matrices(scores: Matrix, left: Texts, right: Texts) -> list[Matrix]:
    """The flat scores of `_pairs` cut into one matrix per cell."""
    matrices: list[Matrix] = []
    start = 0
    for ours, theirs in zip(left, right, strict=True):
        end = start + len(ours) * len(theirs)
        matrices.append(scores[start:end].reshape(len(ours), len(theirs)))
        start = end
    return matrices


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
