"""A guideline is shown with all that it says, in its order."""

from __future__ import annotations

import re
from collections import Counter

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from app.gui.widgets.guideline_text import guideline_document
from app.palette import page_palette
from extractors.model.guideline import parse_guideline
from extractors.model.scheme import default_scheme


def words_of(text: str) -> list[str]:
    """Its words, but for marks, and for ids of categories, which have names on screen."""
    return re.findall(r"\w+", re.sub(r"`[^`]*`", " ", text))


def test_all_of_each_guideline_is_on_screen(qapp: QApplication) -> None:
    scheme = default_scheme()
    palette = page_palette(scheme, dark=False, contrast=False)
    for category in scheme.categories:
        told = parse_guideline(category.guideline, category.id)
        shown = guideline_document(category, scheme, palette, QFont()).toPlainText()
        parts = [told.definition, *(f"{name}: {note}" for name, note in told.fields)]
        parts += [*told.include, *told.exclude, *told.boundaries]
        for example in told.examples:
            parts += [example.title, example.text, example.reason, *(one.quote for one in example.quotes)]
        there = Counter(words_of(shown))
        assert Counter(word for part in parts for word in words_of(part)) <= there, category.id
        places = [shown.find(heading) for heading in ("Fields", "Include", "Exclude", "Boundaries")]
        assert [one for one in places if one >= 0] == sorted(one for one in places if one >= 0)
