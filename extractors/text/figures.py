"""Figures as a text speaks of them: panels of a caption, mentions such as "Figs. 2b and 3", captions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from extractors.model.figure import Figure, FigureMention

_NAME = r"(?:Fig(?:ure|ura)?s?|Abb(?:ildung(?:en)?)?)"
_DASH = r"[-‐‑–—]"
_AND = rf"(?:\s*(?:,|;|/|&|\+|{_DASH})\s*(?:and\s+)?|\s+(?:and|to|y|e|und|through)\s+)"
_ALONE = r"(?![A-Za-z0-9])"
_CAPITALS = rf"(?-i:[A-Z]{_ALONE}(?:{_AND}[A-Z]{_ALONE})*)"
_SMALL = rf"(?-i:[a-z]{_ALONE}(?:{_AND}[a-z]{_ALONE})*)"
# Letters behind a number: "2b", "2 A–C", "2 (a, b)"; what stands apart must be no word ("2 A patient").
_NAMED = rf",?\spanels?\s(?:{_CAPITALS}|{_SMALL})"
_PANELS = rf"(?:{_CAPITALS}|{_SMALL}|\s?\((?:{_CAPITALS}|{_SMALL})\)|{_NAMED}|\s{_CAPITALS}(?!\s+[a-z]))"
_ROMAN = {letters: at for at, letters in enumerate("I II III IV V VI VII VIII IX X XI XII".split(), start=1)}
# "In this figure I see" counts nothing.
_NUMBER = r"(?:\d{1,3}|(?-i:(?<!figure )[IVX]{1,4}\b))"
_ONE = rf"(?P<number>{_NUMBER})(?![\d%]|\.\d)(?P<panels>{_PANELS}?)"
_FIRST = re.compile(
    rf"\b{_NAME}\b\.?[^\S\n]*{_ONE}(?!{_DASH}\s?[a-z]{{3}})",
    re.IGNORECASE,
)
# Supplements ("Supplementary Figure 1", "Figure 1—video 2") are others'.
_OTHERS = re.compile(r"(?:tary|ntal|uppl\.|Data|ppendix) \Z")
_BEGIN = re.compile(r"[FfA](?:ig|IG|bb)")
_NEXT = re.compile(
    rf"(?P<sign>{_AND}){_ONE}(?!\s*(?:years?|months?|weeks?|days?|hours?|mm|cm|mg|patients?|cases?)\b)"
)
_RANGE = re.compile(rf"{_DASH}|to|through")
_LABEL = re.compile(rf"\s*{_NAME}\.?\s*({_NUMBER})\s*(?:[.:|]\s*)?", re.IGNORECASE)
_CAPTION = re.compile(rf"^({_NAME}\.?\s*\d{{1,3}}\s*[.:|–—-])[ \t]*(\S.*)$", re.IGNORECASE | re.MULTILINE)
# Where a caption speaks of a panel: "(A, B)", "A: ", "a) ", or a bare letter where a sentence begins.
_MARKER = re.compile(
    rf"\((?P<list>[A-Za-z](?:{_AND}[A-Za-z])*)\)"
    r"|(?:^|(?<=[.;:,]\s))(?P<one>[A-Za-z])(?=[).:,]?\s)",
)
_BESIDE = re.compile(_PANELS)
# What a reference holds that goes on from another: "(Fig. 1A and" "2B", "C)".
_LETTERS_ALONE = re.compile(rf"\s*(?:{_NUMBER})?(?P<panels>{_PANELS})\s*")
_LINE_AFTER = re.compile(r"\s*(?:[.:]\s*)?(?:\n|\Z)")
_MOST_PANELS, _FAR = 26, 8


class Mentioned(NamedTuple):
    """A mention of the figure of that number, from start to end, and of its panels."""

    start: int
    end: int
    number: int
    panels: tuple[str, ...]


def figure_number(label: str) -> int | None:
    """The number in a label such as "Fig. 2."; None where it is another label ("Figure S1")."""
    found = _LABEL.fullmatch(label)
    return _counted(found[1]) if found else None


def caption_panels(caption: str) -> tuple[str, ...]:
    """The panels that a caption tells apart, as capitals: A, B and on without a gap; () for fewer."""
    seen: set[str] = set()
    for found in _MARKER.finditer(caption):
        seen.update(_letters(found["list"] or found["one"]))
    letters = (chr(ord("A") + place) for place in range(_MOST_PANELS))
    panels = tuple(takewhile(seen.__contains__, letters))
    return panels if len(panels) > 1 else ()


def panels_of(text: str, start: int, end: int) -> tuple[str, ...]:
    """The panels that a reference to a figure names, within it or beside it ("Fig. 2" and then "A, B")."""
    inside = _FIRST.search(text, start, end) or _LETTERS_ALONE.fullmatch(text, start, end)
    letters = _letters(inside["panels"]) if inside else ()
    beside = None if letters else _BESIDE.match(text, end)
    return _letters(beside[0]) if beside else letters


def mentions_in(text: str) -> Iterator[Mentioned]:
    """Where a text speaks of figures by number, one after the other; of "Figures 1-3" each has its place."""
    for begin in _BEGIN.finditer(text):
        first = _FIRST.match(text, begin.start())
        if first is None or _OTHERS.search(text, max(0, first.start() - _FAR), first.start()):
            continue
        # A label that stands alone on its line says whose picture was there, as a caption does.
        if (not first.start() or text[first.start() - 1] == "\n") and _LINE_AFTER.match(text, first.end()):
            continue
        number = _counted(first["number"])
        yield Mentioned(first.start(), first.end(), number, _letters(first["panels"]))
        before, end = number, first.end()
        while following := _NEXT.match(text, end):
            number = _counted(following["number"])
            # "Figure 2, 14 days later": what counts on is a neighbour or a range.
            if not before < number <= before + 9:
                break
            start = following.start("number")
            if _RANGE.search(following["sign"]):
                yield from (Mentioned(start, following.end(), one, ()) for one in range(before + 1, number))
            yield Mentioned(start, following.end(), number, _letters(following["panels"]))
            before, end = number, following.end()


def with_mentions(text: str, figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """The figures with those mentions, too, that no reference of the source marks, in the text's order.

    Of several figures of a number the first is meant.
    """
    by_number: dict[int, str] = {}
    taken = [(one.start, one.end) for figure in figures for one in figure.mentions]
    for figure in figures:
        number = figure_number(figure.label)
        if number is not None:
            by_number.setdefault(number, figure.id)
        if figure.start is not None and figure.label:
            # The label before a caption is no mention.
            taken.append((figure.start - len(figure.label) - 3, figure.start))
    places = sorted((start, end) for start, end in taken if start is not None and end is not None)
    found: dict[str, list[FigureMention]] = {}
    for one in _apart(mentions_in(text), places):
        if one.number in by_number:
            mention = FigureMention(one.start, one.end, one.panels)
            found.setdefault(by_number[one.number], []).append(mention)
    return tuple(
        replace(figure, mentions=_ordered((*figure.mentions, *found[figure.id])))
        if figure.id in found
        else figure
        for figure in figures
    )


def figures_in(text: str) -> tuple[Figure, ...]:
    """The figures whose captions stand in a text as lines ("Figure 2. ..."), with their mentions."""
    figures: list[Figure] = []
    known: set[int | None] = set()
    for found in _CAPTION.finditer(text):
        number = figure_number(found[1].rstrip("–—-"))
        if number not in known:
            known.add(number)
            label, panels = found[1].rstrip(" .:|–—-"), caption_panels(found[2])
            figures.append(Figure(f"f{len(figures) + 1}", label, found.start(2), found.end(2), panels))
    return with_mentions(text, figures)


def _apart(found: Iterable[Mentioned], places: Sequence[tuple[int, int]]) -> Iterator[Mentioned]:
    """Those that overlap none of the places, both in order."""
    at = 0
    for one in found:
        while at < len(places) and places[at][1] <= one.start:
            at += 1
        if not any(start < one.end and one.start < end for start, end in places[at : at + 4]):
            yield one


def _ordered(mentions: Sequence[FigureMention]) -> tuple[FigureMention, ...]:
    return tuple(sorted(mentions, key=lambda one: (one.start is None, one.start or 0)))


def _counted(number: str) -> int:
    """The number that figures or Roman letters say; 0, which no figure has, for other letters."""
    return int(number) if number.isdigit() else _ROMAN.get(number, 0)


def _letters(listed: str) -> tuple[str, ...]:
    """The letters of "a, c-e" as capitals, ranges filled."""
    found: list[str] = []
    range_from = ""
    for piece in re.findall(rf"\b(?:and|to|through|und|panels?)\b|{_DASH}|[A-Za-z]", listed):
        if len(piece) > 1 or not piece.isalpha():
            range_from = found[-1] if found and _RANGE.fullmatch(piece) else ""
            continue
        letter = piece.upper()
        if range_from:
            found += [chr(code) for code in range(ord(range_from) + 1, ord(letter))]
        found.append(letter)
        range_from = ""
    return tuple(dict.fromkeys(found))
