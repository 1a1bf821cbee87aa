"""Names as they are looked up: which forms stand for which term, and what of a sentence may part a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from extractors.phenotypes import names as module
from extractors.phenotypes.matching import _in_list, _lends_its_noun, _longest
from extractors.phenotypes.names import TermName, TermNames, _named, _straight, _turned, read_names
from extractors.phenotypes.sentence import Known, Match, Prepared, Sentence, spell, weigh_nothing
from extractors.phenotypes.stems import Stems, ending_off
from extractors.terminology.concept import NAME_KINDS


class Small:
    """A terminology of a few terms (row 0 the top), their names by kind, and their parents."""

    def __init__(
        self, terms: Mapping[str, Sequence[tuple[str, str]]], parents: Mapping[int, Sequence[int]]
    ) -> None:
        self.codes = ["HP:0000118", *terms]
        given = [(0, "label", "Everything")]
        given += [(row, kind, name) for row, own in enumerate(terms.values(), start=1) for kind, name in own]
        self.names = [name for _, _, name in given]
        self.name_rows = np.array([row for row, _, _ in given])
        self.name_kinds = np.array([NAME_KINDS.index(kind) for _, kind, _ in given])
        self._parents = parents

    def row(self, code: str) -> int | None:
        return self.codes.index(code) if code in self.codes else None

    def parents(self, row: int) -> list[int]:
        return list(self._parents.get(row, ()))

    def concept(self, code: str) -> object:
        row = self.codes.index(code)
        return SimpleNamespace(label=self.names[self.name_rows.tolist().index(row)])


def read(
    monkeypatch: pytest.MonkeyPatch, terms: Mapping[str, str], parents: Mapping[int, Sequence[int]]
) -> TermNames:
    """`terms` are names as "kind: name; kind: name" by code; "zz" is the kind of all that are outside."""
    told = {
        code: [
            (kind.strip(), name.strip()) for kind, _, name in (one.partition(":") for one in given.split(";"))
        ]
        for code, given in terms.items()
    }
    small: Any = Small(told, parents)
    inside = {row: 1 for row, code in enumerate(small.codes) if not code.startswith("OUT")}
    monkeypatch.setattr(module, "descendants", lambda *_: inside)
    return read_names(small)


def rows(found: Mapping[Any, TermName]) -> dict[Any, int]:
    return {key: name.row for key, name in found.items()}


def several(names: TermNames) -> dict[tuple[str, ...], tuple[int, int]]:
    """Names of several words: the row and how far each is to be trusted."""
    return {
        one.stems: (one.row, one.trust)
        for seconds in names.by_stem.values() for found in seconds.values() for one in found
    }  # fmt: skip


def test_names_are_read_straight_and_with_what_they_are_of_before_their_head() -> None:
    given = ("Columella, broad", "Broad columella", "Finger, short, broad")
    assert [_straight(one) for one in given] == ["broad Columella", "Broad columella", "Finger, short, broad"]
    turned = {"cyst of kidney": "kidney cyst", "kidney cyst": "kidney cyst", "of note": "of note",
              "pain in left ear of man": "left ear of man pain"}  # fmt: skip
    assert {one: " ".join(_turned(one.split())) for one in turned} == turned


def test_of_several_terms_that_share_a_name_that_speaks_which_is_trusted_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = read(
        monkeypatch,
        {
            "HP:1": "label: Zorbulous gramph; broad: Quixial; exact: Vemtric",
            "HP:2": "broad: Zorbulous gramph; label: Quixial; exact: Vemtric",
            "HP:3": "narrow: Zorbulous gramph; abbreviation: ZBG; abbreviation: ZQ; abbreviation: Zbg",
            "HP:4": "abbreviation: ZBG; abbreviation: ZB G; label: Blarnic tresk",
            "OUT:5": "label: Plonial druft; abbreviation: PLD",
        },
        {},
    )
    parts = {one: several(names)[one] for one in several(names) if names.stems.of("gramph") in one}
    assert list(parts.values()) == [(1, 0)]
    assert {word: rows(names.words)[word] for word in ("quixial", "vemtric")} == {"quixial": 2, "vemtric": 1}
    # The first term that has an abbreviation is the general one; two letters are too few, outside is none.
    own = {text: name.row for text, name in names.abbreviations.items() if text.startswith(("Z", "P"))}
    assert own == {"ZBG": 3}
    assert "zbg" in names.short
    assert names.abbreviations["ZBG"].needed == frozenset(
        names.stems.of(one) for one in ("zorbulous", "gramph")
    )
    assert not {"plonial", "everything"} & names.words.keys()
    assert names.stems.of("druft") not in names.stock


def test_of_names_trusted_alike_the_first_speaks_and_one_with_a_word_to_spare_gives_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spare = "level"
    terms = {
        "HP:1": f"label: Zorbulous gramph {spare}; exact: Blarnic tresk",
        "HP:2": "label: Zorbulous gramph; exact: Blarnic tresk",
    }
    names = read(monkeypatch, terms, {})
    found = {" ".join(stems): one for stems, one in several(names).items()}
    stem = names.stems.of
    zorbulous, blarnic = (" ".join(map(stem, one)) for one in (("zorbulous", "gramph"), ("blarnic", "tresk")))
    assert (found[zorbulous], found[blarnic]) == ((2, 0), (1, 2))
    assert found[f"{zorbulous} {stem(spare)}"] == (1, 0)
    told = [(1, "label", "The AB variant"), (2, "abbreviation", "ABVAR")]
    varied = list(module._varied(told, {"ab": "cd"}))
    assert varied == [told[0], (1, "narrow", "the cd variant"), told[1]]


def test_a_child_is_also_called_by_its_own_words_with_another_name_of_its_parent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = read(
        monkeypatch,
        {
            "HP:1": "label: Zorbulous gramph; exact: Tresk fault; broad: Druft trouble; exact: Smark tresk",
            "HP:2": "label: Smark zorbulous gramph",
        },
        {2: [1]},
    )
    stem = names.stems.of
    found = {" ".join(stems): one for stems, one in several(names).items()}
    inherited = " ".join((stem("smark"), stem("tresk"), stem("fault")))
    assert found[inherited] == (2, 3)
    # Not with names that are less than the parent's own, nor with those that have the child's words already.
    assert not [one for one in found if stem("druft") in one.split() and stem("smark") in one.split()]
    assert (stem("smark"), stem("smark"), stem("tresk")) not in several(names)


def test_a_word_that_ends_names_as_a_rule_is_one_that_others_say_more_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terms = {
        f"HP:{at}": f"label: {word} gramph" for at, word in enumerate(("Zorb", "Tresk", "Blarn"), start=1)
    }
    often = {
        f"HP:{at}": f"label: Druft {word}"
        for at, word in enumerate(("quix", "vemt", "smark", "plon"), start=4)
    }
    last = {f"HP:{at}": f"label: {word} druft" for at, word in enumerate(("wolm", "kerb", "jint"), start=8)}
    names = read(monkeypatch, {**terms, **often, **last}, {})
    stem = names.stems.of
    assert stem("gramph") in names.heads
    assert stem("druft") not in names.heads, "it begins more names than it ends"
    assert stem("zorb") not in names.heads


def name(row: int, *stems: str, trust: int = 0) -> TermName:
    return _named(row, stems, trust)


def empty(**more: Any) -> TermNames:  # noqa: ANN401 (tables of names)
    terminology: Any = None
    return TermNames(terminology, Stems(more.pop("groups", {})), frozenset(), frozenset(), "", **more)


def test_a_word_stands_for_a_name_in_the_forms_of_its_root_and_of_its_noun() -> None:
    long, short, noun, same = name(1, "a"), name(2, "b"), name(3, "c"), name(4, "d")
    roots = {"microcephal": long, "obes": short, ending_off("dilated"): short}
    names = empty(words={"anosmia": noun, "syndactyly": same}, roots=roots)
    assert [names.single(one) for one in ("microcephalic", "microcephaly")] == [long, long]
    # The root is too short to tell, but the noun is there.
    assert [names.single(one) for one in ("obesical", "anosmic", "syndactylous")] == [None, noun, same]
    assert names.single("dilated") is None, "what is done to something takes a longer root"
    assert names.single("nothing") is None
    tables = empty(groups={"weary": "=tired", "sad": "=low"})
    tables.groups |= {"=tired": long, "=low": short}
    assert (tables.single("weary"), tables.single("sad")) == (long, None), "a short word may be another's"


def test_words_of_a_name_may_stand_a_little_apart_and_beyond_a_joint_a_little_more() -> None:
    reading: Any = None

    def sentence(weights: Sequence[float], joints: Sequence[int] = (), **stems: list[int]) -> Sentence:
        return Sentence(reading, list(weights), stems, list(joints))

    plain = [1.0] * 40
    near = sentence(plain, a=[0], b=[2])
    assert (near.parted("a", "b"), near.parted("b", "a")) == (False, False)
    far = sentence(plain, a=[0], b=[3])
    assert (far.parted("a", "b"), far.parted("b", "a")) == (True, True)
    # Words that count nothing part nothing, but so many do; words that stand there again tell nothing.
    light = sentence([0.0] * 40, a=[0], b=[12], c=[13])
    assert (light.parted("a", "b"), light.parted("a", "c")) == (False, True)
    again = sentence(plain, a=[0, 30], b=[5], c=[20])
    assert [again.parted(*pair) for pair in (("a", "b"), ("b", "a"), ("b", "c"))] == [False, False, True]
    joined = sentence(plain, [3, 20], a=[0])
    assert (joined.least(1, 5), joined.least(4, 8), joined.least(5, 20)) == (1.0, 4.0, 15.0)


def test_what_stands_in_brackets_counts_nothing_closed_or_not() -> None:
    def weighed(signs: str) -> list[float]:
        known = [Known(False, 1.0, depth=(sign == "(") - (sign == ")")) for sign in signs]
        prepared = Prepared(None, known, [1.0] * len(signs), [])  # type: ignore[arg-type]
        weigh_nothing(prepared, [at for at, sign in enumerate(signs) if sign in "()"], len(signs))
        return prepared.weights

    assert weighed("a(bc)d") == [1, 1, 0, 0, 0, 1]
    assert weighed("a(b(c)d)e") == [1, 1, 0, 0, 0, 0, 0, 0, 1]
    assert weighed("a(bc") == [1, 1, 0, 0]
    assert weighed("a)b(c") == [1, 1, 1, 1, 0]


def test_an_abbreviation_stands_for_the_words_that_it_is_short_for() -> None:
    reading: Any = None
    sentence = Sentence(reading, [], {"a": [1]})
    spell(sentence, 5, [Match(name(1, "a", "b"), (5,), 0.0)])
    spell(sentence, 6, [Match(name(1, "c"), (6,), 0.0)])
    spell(sentence, 7, [])
    assert (sentence.stems, sentence.spelled) == ({"a": [1, 5], "b": [5]}, {5: frozenset("ab")})


def test_the_name_of_the_most_words_holds_then_the_closest_then_the_most_trusted() -> None:
    def kept(*found: Match) -> list[tuple[int, tuple[int, ...]]]:
        return [(one.name.row, one.tokens) for one in _longest(found)]

    long, part, apart = (
        Match(name(1, "a", "b"), (3, 4), 0.5),
        Match(name(2, "a"), (3,), 0),
        Match(name(3), (9,), 0),
    )
    assert kept(part, long, apart) == [(1, (3, 4)), (3, (9,))]
    assert kept(part, apart) == [(2, (3,)), (3, (9,))]
    # The same words: the closer one, then the more trusted, then the first.
    loose = Match(name(1, "a", "b", trust=0), (3, 4), 0.5)
    close, trusted = (
        Match(name(5, "a", "b", trust=4), (3, 4), 0.0),
        Match(name(6, "a", "b", trust=1), (3, 4), 0.0),
    )
    assert kept(loose, close) == [(5, (3, 4))]
    assert kept(close, loose, trusted) == [(6, (3, 4))]
    # One term once where it overlaps itself less closely; as closely it is there twice.
    assert kept(long, Match(name(1, "a", "b"), (4, 7), 1.0)) == [(1, (3, 4))]
    assert kept(long, Match(name(1, "a", "b"), (4, 7), 0.5)) == [(1, (3, 4)), (1, (4, 7))]
    assert kept(long, Match(name(8, "a", "b"), (4, 7), 1.0)) == [(1, (3, 4)), (8, (4, 7))]


def test_parts_of_a_list_are_told_from_words_that_a_joint_follows() -> None:
    def reading(text: str) -> Any:  # noqa: ANN401 (stands for a reading)
        words = text.split()
        return SimpleNamespace(
            words=[word if word.isalpha() else "" for word in words],
            signs=["" if word.isalpha() else word for word in words],
        )

    mixed = reading("conductive or mixed loss")
    assert _in_list(mixed, (0, 3), (2, 3))
    assert _in_list(mixed, (0,), (0, 2, 3))
    assert not _in_list(mixed, (2,), (2, 3))
    shared = reading("anus and fistula")
    whole = Match(name(1), (0, 2), 0.5)
    assert _lends_its_noun(shared, whole, {0})
    assert not _lends_its_noun(shared, whole, {2})
    assert not _lends_its_noun(shared, whole._replace(cost=0.0), {0})
    assert not _lends_its_noun(reading("anus fistula"), Match(name(1), (0, 1), 0.5), {0})
