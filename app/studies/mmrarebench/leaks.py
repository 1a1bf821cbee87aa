"""Where an item gives its answer away, in any form that names have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.studies.mmrarebench.tracks import T1, T4
from extractors.blinding.forms import Alias, forms_in
from extractors.blinding.words import Words

if TYPE_CHECKING:
    from app.studies.results import Item


def leaks_of(item: Item) -> Iterator[str]:
    """What of the answer stands in the question or the case, a sentence each.

    Names of the diagnosis may stand nowhere in T1 and T4, the reference answer as a whole in no track.
    """
    reference = item.reference
    answer = str(reference["answer"])
    hidden = [str(one) for one in reference.get("aliases", ())] if item.task in (T1, T4) else []
    names = [Alias(name, "person") for name in dict.fromkeys((*hidden, answer))]
    shown = {name: str(item.input[name]) for name in ("question", "narrative")}
    forms = forms_in([Words(text) for text in shown.values()], names)
    for place, text in shown.items():
        for form in dict.fromkeys(one.form for one in forms.find(Words(text))):
            if form == answer and item.task != T1:
                yield f"leaks: the reference answer stands in the {place}"
            else:
                yield f"leaks: the {place} says {form!r}"
