"""F4: what a span stands for is found, looked around in and given by keys, and is on disk then."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.dialogs.annotate.concepts import ConceptPopup
from app.gui.dialogs.models.ordering import OrderDialog
from app.gui.dialogs.project.summary import SummaryDialog
from app.gui.session.project_session import ProjectSession
from app.gui.session.terms import Looked
from app.operations.profile.concepts import ModelRanking
from extractors.model.coding import Coding
from extractors.terminology.browsing import Entry, View
from extractors.terminology.library import FOLDER, import_terminology
from tests.gui.modes.annotate.test_editing import Bench, make_bench
from tests.gui.session.test_project_session import on_disk
from tests.icd11 import write_tables
from tests.scripted_behaviours import Json
from tests.scripted_ollama import FakeModel, ScriptedOllama
from tests.verbs import double_click, settle

KEY, SHIFT, CTRL = Qt.Key, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def bench(session: ProjectSession, qtbot: QtBot) -> Iterator[Bench]:
    yield make_bench(session, qtbot)
    while popup := QApplication.activePopupWidget():
        popup.close()


def asked(bench: Bench) -> ConceptPopup:
    """F4 has been pressed, and what stands there has been found."""
    bench.press(KEY.Key_F4)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, ConceptPopup)
    bench.qtbot.waitUntil(lambda: bool(popup.list.texts) and popup.about.toPlainText() != "")
    return popup


def codes(popup: ConceptPopup) -> list[str]:
    return [code for _, code, _ in popup.list.texts]


def shows(bench: Bench, popup: ConceptPopup, label: str) -> None:
    bench.qtbot.waitUntil(lambda: popup.about.toPlainText().startswith(label))


def stored(bench: Bench) -> list[tuple[str, str, tuple[str, ...]]]:
    settle(bench.session.worker, bench.qtbot)
    return [
        (one.finding.category, one.finding.quote, tuple(c.code for c in one.concepts))
        for one in on_disk(bench.session)
    ]


def test_the_word_at_the_caret_becomes_a_span_that_stands_for_what_return_gives(bench: Bench) -> None:
    bench.go_to("proteinuria")
    popup = asked(bench)
    assert popup.field.text() == "proteinuria"
    assert (len(codes(popup)), codes(popup)[0]) == (5, "HP:0000093")
    assert "levels of protein" in popup.about.toPlainText()
    assert "More general" in popup.about.toPlainText()
    QTest.keyClick(popup.field, KEY.Key_Return)
    assert QApplication.activePopupWidget() is None
    category = bench.session.category
    assert stored(bench) == [(category, "proteinuria", ("HP:0000093",))]
    bench.session.undoing.undo()
    assert stored(bench) == []


def test_what_a_model_put_first_for_a_span_stands_first(bench: Bench) -> None:
    bench.go_to("proteinuria")
    bench.press("n")
    (span,) = bench.session.report_model.spans.values()

    def last_first(body: Json) -> str:
        return json.dumps({"ranking": body["format"]["properties"]["ranking"]["items"]["enum"][::-1]})

    with ScriptedOllama(answer=last_first, models=[FakeModel("tiny", tokens=(), kinds=())]) as server:
        dialog = OrderDialog(bench.session, bench.reader.window())
        dialog.open()
        dialog.server.host.setText(server.host)
        dialog.server.look_button.click()
        bench.qtbot.waitUntil(dialog.ok_button.isEnabled)
        dialog.ok_button.click()
        bench.qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), SummaryDialog))
    told = QApplication.activeModalWidget()
    assert isinstance(told, SummaryDialog)
    assert told.headline.text() == "1 span without a term; those of 1 are in order now."
    told.close()
    bench.window.activateWindow()
    bench.reader.setFocus()
    bench.qtbot.waitUntil(bench.reader.hasFocus)
    popup = asked(bench)
    bench.qtbot.waitUntil(lambda: popup.list.texts[0][2] == "1. by tiny/concepts/HPO")
    first, *_, tenth = codes(popup)[:10]
    assert tenth == "HP:0000093"
    QTest.keyClick(popup.field, KEY.Key_Return)
    assert stored(bench) == [(span.finding.category, "proteinuria", (first,))]


def test_a_span_gets_another_concept_one_more_and_none(bench: Bench) -> None:
    start = bench.go_to("proteinuria")
    bench.press("n")
    uuid = next(iter(bench.session.report_model.spans))
    plain = Qt.KeyboardModifier.NoModifier
    steps: list[tuple[str, Qt.Key, Qt.KeyboardModifier, tuple[str, ...]]] = [
        ("migrane", KEY.Key_Return, plain, ("HP:0002076",)),
        ("HP:0002315", KEY.Key_Return, SHIFT, ("HP:0002076", "HP:0002315")),
        ("", KEY.Key_Return, plain, ("HP:0002076",)),
        ("", KEY.Key_Delete, CTRL, ()),
    ]
    for typed, key, modifier, expected in steps:
        bench.reader.go_to(start + 1)
        bench.session.report_model.set_current(uuid)
        popup = asked(bench)
        if typed:
            popup.field.selectAll()
            QTest.keyClicks(popup.field, typed)
            bench.qtbot.waitUntil(lambda: codes(popup)[:1] == [expected[-1]])  # noqa: B023
        if typed and modifier == plain:
            double_click(popup.list, 0)
        else:
            QTest.keyClick(popup.field, key, modifier)
        assert stored(bench) == [("Neuro", "proteinuria", expected)]


def test_arrows_lead_to_what_is_more_general_and_back_to_what_is_more_specific(bench: Bench) -> None:
    bench.go_to("proteinuria")
    popup = asked(bench)
    QTest.keyClick(popup.field, KEY.Key_Down)
    second = popup.list.texts[1][0]
    shows(bench, popup, second)
    QTest.keyClick(popup.field, KEY.Key_Left)
    bench.qtbot.waitUntil(lambda: popup.says.full_text() == f"More general than {second}")
    shows(bench, popup, "Proteinuria")
    QTest.keyClick(popup.field, KEY.Key_Right)
    bench.qtbot.waitUntil(lambda: popup.says.full_text() == "More specific than Proteinuria")
    assert popup.list.texts[popup.list.row][0] == second
    QTest.keyClick(popup.field, KEY.Key_Escape)
    assert QApplication.activePopupWidget() is None
    assert stored(bench) == []


def test_what_is_called_nothing_is_said_and_return_gives_nothing(bench: Bench) -> None:
    bench.go_to("proteinuria")
    popup = asked(bench)
    popup.field.selectAll()
    QTest.keyClicks(popup.field, "xqzw")
    bench.qtbot.waitUntil(lambda: popup.list.texts == [])
    assert "Nothing here is called so" in popup.says.full_text()
    QTest.keyClick(popup.field, KEY.Key_Return)
    assert QApplication.activePopupWidget() is popup


class Letters:
    """Stands for a terminology whose concepts are letters, each above the next one."""

    name, release, names = "ABC", "1", ("ABC",)

    def suggest(self, _words: str, _limit: int, then: Callable[[Looked], None]) -> None:
        then(Looked(tuple(Entry(code, code) for code in "abcd"), None))

    def view(self, code: str, then: Callable[[View], None]) -> None:
        above, below = chr(ord(code) - 1), chr(ord(code) + 1)
        then(View(code, code, "", (), (Entry(above, above),), (Entry("x", "x"), Entry(below, below))))

    def coding(self, code: str) -> Coding:
        return Coding(self.name, self.release, code, code, "", "human")

    def drop(self) -> None:
        """Nothing waits."""


def test_what_words_stand_for_now_comes_first_then_what_a_model_ordered_each_once(qtbot: QtBot) -> None:
    has = (Letters().coding("c"), Coding("other", "1", "a", "a", "", "human"))
    popup = ConceptPopup(cast("Any", Letters()), "some words", has, cast("Any", None))
    qtbot.addWidget(popup)
    assert codes(popup) == ["c", "a", "b", "d"]
    popup.rank(ModelRanking("run", "other", ("d",)))
    assert codes(popup) == ["c", "a", "b", "d"]
    popup.rank(ModelRanking("run", "ABC", ("d", "c", "a")))
    assert popup.list.texts == [
        ("c", "c", "as it is now"), ("d", "d", "1. by run"), ("a", "a", "3. by run"), ("b", "b", "")
    ]  # fmt: skip
    # Down leads back to where one came up from, and only there.
    for key, listed, row in (("Left", ["b"], 0), ("Right", ["x", "c"], 1), ("Right", ["x", "d"], 0)):
        QTest.keyClick(popup.field, getattr(KEY, f"Key_{key}"))
        assert (codes(popup), popup.list.row) == (listed, row), key
    # Where the room below the words is small it opens above them, in all the room there is.
    room = popup.screen().availableGeometry()
    high = popup.sizeHint().height()
    for top, below in (
        (room.top() + 20, True),
        (room.bottom() - 40, False),
        (room.bottom() - high - 60, True),
    ):
        popup.open_at(QRect(room.left() + 10, top, 40, 16))
        assert (popup.geometry().top() > top) == below, top
    # Names are shortened no more than what was matched.
    popup.list.put([("Non-caseating epithelioid granulomatosis", "c", "Caseating granulomatosis of lungs")])
    qtbot.waitUntil(lambda: popup.list.columnWidth(0) > popup.list.columnWidth(2) > 0)
    popup.close()


def test_only_the_last_of_many_questions_is_answered(bench: Bench) -> None:
    bench.go_to("proteinuria")
    popup = asked(bench)
    shown: list[tuple[str, ...]] = []
    popup.list.chosen.connect(lambda: shown.append(tuple(codes(popup))))
    popup.field.selectAll()
    QTest.keyClicks(popup.field, "seizure")
    bench.qtbot.waitUntil(lambda: codes(popup)[:1] == ["HP:0001250"])
    assert len(set(shown)) <= 2


def test_of_each_span_it_is_asked_in_the_terminology_last_chosen_for_its_category(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    import_terminology("ICD11", write_tables(tmp_path))

    def asks_in(words: str, name: str) -> ConceptPopup:
        bench.go_to(words)
        bench.press(KEY.Key_F4)
        popup = QApplication.activePopupWidget()
        assert isinstance(popup, ConceptPopup)
        bench.qtbot.waitUntil(lambda: popup.source.text().startswith(name))
        return popup

    for words, key in (("proteinuria", "n"), ("palpitations", "h")):
        bench.go_to(words)
        bench.press(key)
    popup = asks_in("proteinuria", "HPO")
    QTest.keyClick(popup.field, KEY.Key_F4)
    bench.qtbot.waitUntil(lambda: popup.source.text().startswith("ICD11"))
    popup.close()
    for words, name in (("palpitations", "HPO"), ("proteinuria", "ICD11")):
        asks_in(words, name).close()
