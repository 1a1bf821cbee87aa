"""The guideline beside the text: what it shows, what it keeps, what it never does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from app.gui.modes.annotate.guideline import GuidelinePanel
from app.gui.session.project_session import ProjectSession
from app.gui.widgets.guideline_text import definition_of, guideline_document, read_guideline
from app.palette import page_palette
from extractors.model.guideline import Guideline
from extractors.model.scheme import Category, default_scheme
from tests.verbs import exposed

LINES = QTextCharFormat.UnderlineStyle


@pytest.fixture
def panel(session: ProjectSession, qtbot: QtBot) -> GuidelinePanel:
    return exposed(qtbot, GuidelinePanel(session), 300, 240)


def document_of(category: Category, panel: GuidelinePanel) -> QTextDocument:
    scheme = default_scheme()
    return guideline_document(category, scheme, page_palette(scheme, False), panel.font())


def underline_at(document: QTextDocument, words: str) -> QTextCharFormat.UnderlineStyle:
    found = document.find(words)
    assert not found.isNull(), words
    cursor = QTextCursor(document)
    cursor.setPosition(found.selectionStart() + 1)
    return cursor.charFormat().underlineStyle()


def test_it_shows_every_part_of_the_guideline_in_use(panel: GuidelinePanel, session: ProjectSession) -> None:
    session.use_category("Neuro")
    guideline = read_guideline(session.scheme.category("Neuro"))
    assert isinstance(guideline, Guideline)
    shown = panel.text.toPlainText()
    assert panel.title.full_text() == "Neurology and cognition"
    assert guideline.definition in shown
    for heading in ("Fields", "Include", "Exclude", "Boundaries", "Examples"):
        assert heading in shown
    assert guideline.boundaries[0] in shown
    for example in guideline.examples:
        assert example.title in shown
        assert example.text in shown
        assert example.reason in shown or "`" in example.reason
    assert "neurological, present; also History" in shown
    assert "`" not in shown


def test_categories_are_called_by_their_names(panel: GuidelinePanel, session: ProjectSession) -> None:
    session.use_category("Neuro")
    assert "with their results, also Laboratory and imaging" in panel.text.toPlainText()
    assert "tests, negated; also Laboratory and imaging" in panel.text.toPlainText()


def test_quotes_are_marked_in_their_examples_by_polarity(
    panel: GuidelinePanel, session: ProjectSession
) -> None:
    session.use_category("Neuro")
    document = panel.text.document()
    assert underline_at(document, "progressive weakness of both legs with") == LINES.SingleUnderline
    assert underline_at(document, "no seizures and no extrapyramidal") == LINES.DashUnderline
    assert underline_at(document, "possible myoclonic seizures") == LINES.DotLine
    assert underline_at(document, "A 24-year-old man") == LINES.NoUnderline


def test_each_guideline_keeps_its_place(panel: GuidelinePanel, session: ProjectSession) -> None:
    session.use_category("Neuro")
    panel.text.verticalScrollBar().setValue(150)
    session.use_category("GI")
    assert panel.text.verticalScrollBar().value() == 0
    session.use_category("Neuro")
    assert panel.text.verticalScrollBar().value() == 150


def test_pinned_it_stays_and_unpinned_it_follows_again(
    panel: GuidelinePanel, session: ProjectSession
) -> None:
    session.use_category("Neuro")
    panel.pin.click()
    session.use_category("GI")
    assert panel.shown == "Neuro"
    panel.pin.click()
    assert panel.shown == "GI"


def test_a_guideline_is_read_and_set_once(panel: GuidelinePanel, session: ProjectSession) -> None:
    session.use_category("Neuro")
    document = panel.text.document()
    reads = read_guideline.cache_info().misses
    session.use_category("GI")
    session.use_category("Neuro")
    assert panel.text.document() is document
    assert read_guideline.cache_info().misses <= reads + 1
    definition_of(session.scheme.category("Neuro"))
    assert read_guideline.cache_info().misses <= reads + 1


def test_another_theme_sets_it_in_other_colours_at_the_same_place(
    panel: GuidelinePanel, session: ProjectSession
) -> None:
    session.use_category("Neuro")
    panel.text.verticalScrollBar().setValue(120)
    dark = page_palette(session.scheme, True)
    panel.set_page_palette(dark)
    cursor = panel.text.document().find("no seizures and no extrapyramidal")
    assert cursor.charFormat().foreground().color() == QColor(*dark.ink)
    assert panel.text.verticalScrollBar().value() == 120
    document = panel.text.document()
    panel.set_page_palette(page_palette(session.scheme, True))
    assert panel.text.document() is document


def test_a_broken_guideline_is_shown_as_it_is_written(panel: GuidelinePanel) -> None:
    broken = replace(default_scheme().categories[0], guideline="# Name\n\nno <b>section</b> here\n")
    shown = document_of(broken, panel).toPlainText()
    assert shown.startswith("This guideline is shown as it is written: ")
    assert "Vitals_Hema.md, line 3" in shown
    assert "no <b>section</b> here" in shown
    assert definition_of(broken) == ""


def test_markup_in_a_guideline_is_text(panel: GuidelinePanel) -> None:
    source = '# Name\n\n## Definition\n\nSigns <img src="file:///x.png"> & <a href="http://x">more</a>.\n'
    category = replace(default_scheme().categories[0], guideline=source)
    document = document_of(category, panel)
    assert '<img src="file:///x.png"> & <a href="http://x">more</a>' in document.toPlainText()
    assert not document.allFormats()[0].isImageFormat()
    assert not any(
        one.isImageFormat() or one.isAnchor() for one in (f.toCharFormat() for f in document.allFormats())
    )


def test_no_link_is_followed(panel: GuidelinePanel) -> None:
    assert not panel.text.openLinks()
    assert not panel.text.openExternalLinks()
