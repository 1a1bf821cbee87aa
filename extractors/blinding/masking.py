"""What of a report is hidden in its views, and where the report says it: searched once for all tracks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from extractors.blinding.case import Case
from extractors.blinding.forms import Alias, Forms, Hint, Occurrence, forms_in, longest
from extractors.blinding.words import Words

_TITLE, _NUMBER = 12, 5
_PUBLISHED = re.compile(r"https?://\S+|doi:?\s?10\.\S+|\b10\.\d{4,}/\S+|\bpmc\s?\d{4,}\b|\bpmid:?\s?\d+")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What a view hides (T2 gives it): a code of a nomenclature with its names, and what hints at it.

    `nomenclature` is name and release; `state` says whether a person confirmed it. `cut` is where a person
    said that T4 ends, in code points of the report.
    """

    code: str
    label: str
    aliases: tuple[Alias, ...]
    hints: tuple[Hint, ...] = ()
    nomenclature: str = ""
    state: str = "confirmed"
    cut: int | None = None


@dataclass(frozen=True, slots=True)
class Mask:
    """A stretch of the report that is not shown, what stands in its place, and the forms it said."""

    start: int
    end: int
    instead: str
    forms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Telling:
    """Where a report says its diagnosis, hints at it, or says what it is itself."""

    case: Case
    diagnosis: Diagnosis

    @cached_property
    def forms(self) -> Forms:
        """All that is searched for: the names, with the abbreviations that the report defines."""
        return forms_in((Words(self.case.document.title), self.case.words), self.diagnosis.aliases)

    @cached_property
    def named(self) -> list[Occurrence]:
        """Where the text says a name in any form."""
        return self.forms.find(self.case.words)

    @cached_property
    def named_as_listed(self) -> list[Occurrence]:
        """Where the text says names as the nomenclature spells them: all that was masked as published."""
        text = self.case.document.text
        found: list[Occurrence] = []
        for alias in (one for one in self.diagnosis.aliases if one.source != "omim"):
            found += _whole(alias.text, text, alias.text, re.NOFLAG if alias.short else re.IGNORECASE)
        return longest(found)

    @cached_property
    def hinted(self) -> list[Occurrence]:
        """Where the text says a hint."""
        hints = [Alias(one.text, "person") for one in self.diagnosis.hints]
        return forms_in((self.case.words,), hints).find(self.case.words) if hints else []

    @cached_property
    def pointing(self) -> list[Occurrence]:
        """Where the text says a hint, or a short name of the diagnosis that it does not define."""
        undefined = [Alias(one.text, "person") for one in self.forms.undefined]
        short = forms_in((), undefined).find(self.case.words) if undefined else []
        return longest([*self.hinted, *short])

    @cached_property
    def identifying(self) -> list[Occurrence]:
        """Where the text says its own title, identifiers or source, or any number of a publication."""
        document = self.case.document
        file = re.split(r"[\\/]", self.case.source)[-1]
        names = (self.case.key, self.case.source, file, file.partition(".")[0])
        given = (*document.identifiers.values(), *names)
        telling = {one for one in given if len(one) >= _NUMBER and any(map(str.isdigit, one))}
        if len(document.title) >= _TITLE:
            telling.add(document.title)
        found = [Occurrence(*match.span(), "") for match in _PUBLISHED.finditer(self.case.low)]
        for one in telling:
            if one.split()[0].lower() in self.case.low:
                found += _whole(one, document.text, "", re.IGNORECASE)
        return longest(found)


def _whole(name: str, text: str, form: str, flags: re.RegexFlag) -> Iterable[Occurrence]:
    words = r"\s+".join(map(re.escape, name.split()))
    return (Occurrence(*one.span(), form) for one in re.finditer(rf"(?<!\w){words}(?!\w)", text, flags))


def laid(masks: Iterable[Mask]) -> list[Mask]:
    """Masks in text order; those that overlap become one, which hides all they hid."""
    kept: list[Mask] = []
    for one in sorted(masks, key=lambda each: (each.start, -each.end)):
        if kept and one.start < kept[-1].end:
            before = kept[-1]
            end = max(before.end, one.end)
            # What a caption says is hidden with it, and not counted again.
            forms = one.forms if one.instead == before.instead else ()
            kept[-1] = Mask(before.start, end, before.instead, (*before.forms, *forms))
        else:
            kept.append(one)
    return kept


def masks_of(found: Sequence[Occurrence], instead: str) -> list[Mask]:
    """Each occurrence hidden behind the same words."""
    return [Mask(one.start, one.end, instead, (one.form,) if one.form else ()) for one in found]
