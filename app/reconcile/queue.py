"""The work list of reconciliation: pairs far apart, single differences, and which are of one kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.reconcile.habits import codes, habit, head_of, plain_words, scope
from app.reconcile.types import Difference, Group, Relation, SideQuote, words_of
from extractors.grouping import grouped

Likeness: TypeAlias = Literal["words", "cue", "head", "habit", "labels", "scope"]

# What may be decided alike unless somebody objects; wider ones are looked at first.
NARROW: tuple[Likeness, ...] = ("words", "cue")
# Differences of these kinds may turn on a cue, for which their reports' texts are needed.
CUED = ("boundary", "polarity")
# Longer runs of words at an edge are no habit of an annotator but another reading of the text.
_LONGEST_CUE = 3


@dataclass(frozen=True, slots=True)
class Alike:
    """A difference of the same kind as another, and wherein: the narrowest there is."""

    difference: Difference
    likeness: Likeness


class AlikeIndex:
    """Differences (ids) by what they may be alike in; filled kind by kind, report by report, as it is asked.

    `read` counts the reports of each kind that are in it.
    """

    def __init__(self) -> None:
        self.read: Counter[Relation] = Counter()
        self._names: dict[Hashable, list[str]] = defaultdict(list)

    def add(self, differences: Iterable[Difference], texts: Mapping[str, str]) -> None:
        """Take in differences; `texts` has their reports by document UUID, which `cue` and `habit` need."""
        for one in differences:
            for trait in _traits(one, texts):
                self._names[trait].append(one.id)

    def alike(self, one: Difference, texts: Mapping[str, str]) -> Iterator[tuple[str, Likeness]]:
        """The others that are of one kind with `one`, each once, and the narrowest of what they share.

        From narrow to wide: the same words in the same categories on the same sides, whatever their
        plurals; the same cue (see `cue`); the same last word in the same categories; the same habit (see
        `habit`); the same pair of labels; the same side silent, longer or of that polarity in the same
        category (see `scope`).
        """
        seen = {one.id}
        for trait in _traits(one, texts):
            for name in self._names.get(trait, ()):
                if name not in seen:
                    seen.add(name)
                    yield name, trait[0]


def _traits(one: Difference, texts: Mapping[str, str]) -> list[tuple[Likeness, Relation, Hashable]]:
    """What a difference may be alike in with others of its kind, from narrow to wide."""
    head = head_of(one) if one.kind != "concept" else None
    known: tuple[tuple[Likeness, Hashable | None], ...] = (
        ("words", (_shape(one), likeness(one))),
        ("cue", cue(one, texts)),
        ("head", None if head is None else (_shape(one), head)),
        ("habit", habit(one, texts.get(one.document, ""))),
        ("labels", labels(one)),
        ("scope", scope(one)),
    )
    return [(name, one.kind, trait) for name, trait in known if trait is not None]


def likeness(difference: Difference) -> Hashable:
    """Equal where the same words are marked alike: kind, and what each side says, wherever it stands."""
    coded = (codes(difference.left), codes(difference.right)) if difference.kind == "concept" else ()
    return difference.kind, _content(difference.left), _content(difference.right), *coded


def labels(difference: Difference) -> Hashable | None:
    """The categories of either side where these are what differs, else None."""
    if difference.kind != "label":
        return None
    return _categories(difference.left), _categories(difference.right)


def cue(difference: Difference, texts: Mapping[str, str]) -> tuple[str, ...] | None:
    """The few words on which a difference turns, None where there are none.

    For one span against one: what the left has more (+) or less (-) at the start and at the end. For a
    polarity: both sides' and the negation in whose reach the quote stands.
    """
    place, text = difference.place, texts.get(difference.document, "")
    if place is None:
        return None
    if difference.kind == "polarity":
        polarities = (difference.left[0].finding.polarity, difference.right[0].finding.polarity)
        negation = _negation(text, *place)
        return (*polarities, negation) if negation else None
    if difference.kind != "boundary" or len(difference.left) != 1 or len(difference.right) != 1:
        return None
    (left_start, left_end), (right_start, right_end) = _places(difference)
    start, end = _edge(text, left_start, right_start), _edge(text, right_end, left_end)
    short = all(len(words_of(edge)) <= _LONGEST_CUE for edge in (start, end))
    return (start, end) if short else None


def _shape(difference: Difference) -> Hashable:
    return tuple(
        tuple(quote.finding.category for quote in side) for side in (difference.left, difference.right)
    )


def _content(quotes: Iterable[SideQuote]) -> tuple[Hashable, ...]:
    names = {
        (
            quote.finding.category,
            plain_words(quote.finding.quote) or (quote.finding.quote,),
            quote.finding.polarity,
        )
        for quote in quotes
    }
    return tuple(sorted(names))


def _categories(quotes: Iterable[SideQuote]) -> frozenset[str]:
    return frozenset(quote.finding.category for quote in quotes)


def _places(difference: Difference) -> tuple[tuple[int, int], tuple[int, int]]:
    left, right = difference.left[0].place, difference.right[0].place
    return left or (0, 0), right or (0, 0)


def _edge(text: str, one: int, other: int) -> str:
    """What stands between two edges, white space evened out, with + where the left's is the longer span."""
    sign = "+" if one < other else "-" if one > other else ""
    return sign + " ".join(text[min(one, other) : max(one, other)].casefold().split())


def _negation(text: str, start: int, end: int) -> str:
    """The negation in a quote or reaching into it, "" for none."""
    from extractors.checks.excerpt import read_excerpt
    from extractors.text.negation import negating
    from extractors.text.words import load_words

    excerpt = read_excerpt(text, start, end)
    for at in range(excerpt.first, excerpt.last + 1):
        found = negating(excerpt.terms, at, load_words())
        if found is not None:
            return excerpt.terms.words[found]
    return ""


BELOW = 30.0
ItemKind: TypeAlias = Relation | Literal["pair"]
Order: TypeAlias = Literal["worst", "frequent"]
ORDERS: tuple[Order, ...] = ("worst", "frequent")


@dataclass(frozen=True, slots=True)
class ComparedReport:
    """One report as both sides see it, in the categories that both looked at.

    `key` and `document` (UUID) name it; `tsr` is the paper's token set ratio, 0-100, by category, empty where
    nobody asked. Where no difference is left in a category, both agree there.
    """

    key: str
    document: str
    title: str
    tsr: Mapping[str, float]
    left: Mapping[str, tuple[SideQuote, ...]]
    right: Mapping[str, tuple[SideQuote, ...]]
    agreed: tuple[Group, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class QueueItem:
    """What is to be decided: one difference, or all that touch one category of one report ("pair").

    `id` is the difference's, or REPORT/CATEGORY for a pair. `tsr` is that of report and category (the lowest
    where several are touched). `left` and `right` are the quotes in question; of a pair, all there are.
    """

    id: str
    kind: ItemKind
    report: str
    title: str
    category: str
    tsr: float
    left: tuple[SideQuote, ...]
    right: tuple[SideQuote, ...]
    differences: tuple[Difference, ...]


def build_queue(
    reports: Sequence[ComparedReport], below: float = BELOW, order: Order = "worst"
) -> list[QueueItem]:
    """Every difference in at least one item, what both sides agree on in none as a difference.

    Pairs of report and category with a token set ratio under `below` come first, the worst first, among
    equals those with more to decide; a difference of two categories may stand in both their pairs. Then come
    the other differences one by one: the worst first, or those first whose kind is the most "frequent" in the
    whole queue (see `likeness`), the pairs in between by their most frequent one.
    """
    pairs, single = [], []
    for report in reports:
        in_pairs: set[str] = set()
        touching = grouped((category, one) for one in report.differences for category in one.group.categories)
        for category, tsr in report.tsr.items():
            if tsr < below and (found := touching.get(category)):
                in_pairs |= {one.id for one in found}
                pairs.append(_pair(report, category, tsr, tuple(found)))
        single += [_single(report, one) for one in report.differences if one.id not in in_pairs]
    items = [*sorted(pairs, key=_distance), *sorted(single, key=lambda item: item.tsr)]
    return items if order == "worst" else _frequent_first(items, reports)


def _distance(item: QueueItem) -> tuple[float, int]:
    return item.tsr, -len(item.differences)


def _frequent_first(items: list[QueueItem], reports: Sequence[ComparedReport]) -> list[QueueItem]:
    often = Counter(likeness(one) for report in reports for one in report.differences)
    # Sorted by kind of likeness as well, so that equally frequent ones do not mix.

    def rank(item: QueueItem) -> tuple[int, str]:
        return max((often[like], repr(like)) for like in map(likeness, item.differences))

    return sorted(items, key=rank, reverse=True)


def _pair(
    report: ComparedReport, category: str, tsr: float, differences: tuple[Difference, ...]
) -> QueueItem:
    return QueueItem(
        id=f"{report.key}/{category}",
        kind="pair",
        report=report.key,
        title=report.title,
        category=category,
        tsr=tsr,
        left=report.left[category],
        right=report.right[category],
        differences=differences,
    )


def _single(report: ComparedReport, difference: Difference) -> QueueItem:
    return QueueItem(
        id=difference.id,
        kind=difference.kind,
        report=report.key,
        title=report.title,
        category=difference.category,
        tsr=min(report.tsr[category] for category in difference.group.categories),
        left=difference.left,
        right=difference.right,
        differences=(difference,),
    )
