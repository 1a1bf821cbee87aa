"""A case read blinded, part by part: what one thinks is kept before the next part is shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QSize, QStringListModel, Qt
from PySide6.QtGui import QKeySequence, QPalette, QShortcut
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QWidget

from app.gui.dialogs.forms import FormDialog, Role, fold, named, plain_label, while_alive
from app.gui.figures.pictures import Pictures
from app.gui.figures.row import PictureRow
from app.gui.reader.view import Reader
from app.gui.widgets.boxes import labelled, push_button, row_of, stacked
from app.gui.widgets.drop_down import DropDown
from app.operations.annotate.anchors import (
    Anchor,
    add_alias,
    find_disorders,
    move_cut,
    propose_anchors,
    set_anchor,
)
from app.operations.annotate.views import Teaching, keep_guess, read_blinded, tick_views
from app.palette import page_palette
from app.text import counted
from extractors.blinding.view import refused_view

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.store.annotate.anchors import Guess
    from app.store.project import Project
    from extractors.blinding.view import Shown, Track

_TRACKS: tuple[tuple[Track, str], ...] = (
    ("T1", "What is the diagnosis?"),
    ("T2", "How would you treat?"),
    ("T3", "What do the pictures show together?"),
    ("T4", "What would you examine next?"),
)
# Windows are darker than this in dark themes, and pure black or white in those of high contrast alone.
_DARK, _STARK = 128, (0, 255)
_NEEDED = "A case is blinded by its diagnosis: say below what it is, or have it proposed."
_KEYS = f"In the text M hides what is selected, and E ends “{_TRACKS[-1][1]}” before a sentence."
_READ = {
    "not read": "words burned into them are for your eye to find.",
    "ticked": "somebody looked, and no words in them give the diagnosis away.",
}
_LINES, _NAMES = 6, 10


class BlindedDialog(FormDialog):
    """The view of a report (key) as a reader of its own; `M` hides what is selected in it as another name,
    `E` ends T4 before the sentence at the caret."""

    guide = "blinded"
    columns = 100

    def __init__(
        self, session: ProjectSession, report: str, parent: QWidget | None = None, text_size: int = 100
    ) -> None:
        """`text_size` is that of the case, in percent."""
        super().__init__("Read the case blinded", parent)
        self._session, self._report, self._by = session, report, session.annotator
        # Until the case is read there is nothing of it.
        view = refused_view("T1", "strict", "The case is not read yet.")
        self._teaching = Teaching(view, (0,), Anchor(report, "none"), ())
        self.part = 0
        self.track = DropDown("The question", entries=[(question, track) for track, question in _TRACKS])
        light = self.palette().color(QPalette.ColorRole.Window).lightness()
        self.reader = Reader(page_palette(session.scheme, light < _DARK, light in _STARK))
        self.reader.set_text_size(text_size)
        self.reader.setAccessibleName("The case without its answer")
        self.reader.setMinimumHeight(_LINES * self.fontMetrics().lineSpacing())
        self.pictures = PictureRow("Pictures of the case so far")
        self.pictures.use(Pictures(session.worker, self))
        self.told = plain_label()
        self.guess = QLineEdit(maxLength=2000)
        asked = row_of(labelled("&Your answer so far:", self.guess), self.guess)
        self.given = plain_label()
        for part in (self.track, self.reader, self.pictures, self.told, asked, self._preparing()):
            self.body.addWidget(part, 1 if part is self.reader else 0)
        self.next = self.add_button(
            "&Keep and show the next part", Role.ActionRole, self._go_on, default=True
        )
        self.next.setEnabled(False)
        self.add_button("Close", Role.RejectRole)
        self.track.currentIndexChanged.connect(lambda _: self._begin())
        for key, act in (("M", self._hide), ("E", self._cut)):
            shortcut = QShortcut(QKeySequence(key), self.reader, context=Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(act)
        self._begin()

    def sizeHint(self) -> QSize:
        """As large as the window: the report's own title and text must not show beside it."""
        over = self.parentWidget()
        return over.window().size() if over is not None else super().sizeHint()

    def _preparing(self) -> QWidget:
        """What those see who prepare the case: its diagnosis, what is hidden, what hints at it."""
        inside = QWidget()
        self.code = QLineEdit(placeholderText="cerebrotendinous xanthomatosis, or ORPHA:909")
        self.codes: dict[str, str] = {}
        self.names = QCompleter(self, completionMode=QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.names.setModel(QStringListModel(self.names))
        self.names.setPopup(named(QListView(), "Disorders of Orphanet"))
        self.code.setCompleter(self.names)
        self.code.textEdited.connect(self._look_up)
        self.propose = push_button("&Propose the diagnosis", self._propose)
        self.confirm = push_button("Con&firm it", self._confirm)
        self.tick = push_button("The pictures hold no telling &words", self._tick)
        acts = (self.propose, self.confirm, self.tick)
        row = row_of(labelled("Name or code in &Orphanet:", self.code), self.code, *acts)
        self.code.textChanged.connect(lambda _: self._offer())
        # Once the case can be read, Return is the button's that shows the next part.
        self.code.returnPressed.connect(lambda: None if self.next.isEnabled() else self._confirm())
        stacked(inside, self.given, row)
        holder = QWidget()
        self.answer = fold("The answer, and what the view gives away", inside)
        stacked(holder, self.answer, inside)
        return holder

    # What is shown

    def _begin(self) -> None:
        self.part = 0
        self._read()

    def _read(self) -> None:
        self._ask(self._take, "blinded")

    def _ask(self, take: Callable[[Teaching], None], latest: str) -> None:
        read = partial(read_blinded, report=self._report, track=self.track.currentData(), by=self._by)
        self._session.worker.ask(read, while_alive(self, take), self.say, latest=latest)

    def _act(self, call: Callable[[Project], Any], then: Callable[[Any], None] | str) -> None:
        """Change the project; then say these words, and read the case again."""
        self.say("")

        def told(_: object) -> None:
            self.say(str(then))
            self._read()

        answer = while_alive(self, told if isinstance(then, str) else then)
        self._session.worker.act(call, answer, self.say, says=True)

    def _take(self, teaching: Teaching) -> None:
        self._teaching = teaching
        self.part = min(self.part, len(teaching.ends) - 1)
        self._show()

    def _show(self) -> None:
        teaching = self._teaching
        view, anchor = teaching.view, teaching.anchor
        ready = view.state == "ready"
        end = teaching.ends[self.part] if ready else 0
        text = view.text[:end]
        before = teaching.ends[self.part - 1] if self.part else 0
        shown = [one for one in view.blocks if one.start < end]
        headings = [(one.start, min(one.end, end)) for one in shown if one.kind == "heading"]
        self.reader.load(text, headings, near=before)
        self.reader.set_kept([(place, "mask") for place in view.masks if place[1] <= end])
        self.reader.turn_to(before)
        pairs = zip(view.pictures, teaching.shown_from, strict=False)
        self.pictures.put([(_called(one), one.sha256) for one, place in pairs if place <= end])
        last = self.part == len(teaching.ends) - 1
        self.next.setText("&Keep and show the answer" if last else "&Keep and show the next part")
        self.next.setEnabled(ready)
        self.guess.setEnabled(ready)
        known = f"Working diagnosis: {view.diagnosis}. " if view.diagnosis else ""
        number = f"{known}Part {self.part + 1} of {len(teaching.ends)}. {_KEYS}"
        self.told.setText(number if ready else view.reason if anchor.code else _NEEDED)
        self.given.setText("\n".join(_given(teaching)))
        self._offer()
        if ready:
            self.guess.setFocus()
            self.guess.selectAll()
        elif anchor.state != "confirmed":
            self.answer.setChecked(True)
            self.code.setFocus()

    def _offer(self) -> None:
        view, state = self._teaching.view, self._teaching.anchor.state
        self.propose.setVisible(state == "none")
        self.confirm.setVisible(state == "proposed" or bool(self.code.text().strip()))
        self.tick.setVisible(bool(view.pictures) and view.audit.pictures == "not read")

    # What is done

    def _go_on(self) -> None:
        words, track = self.guess.text().strip(), self.track.currentData()
        last = self.part == len(self._teaching.ends) - 1
        if words:
            given = (track, self.part + 1, words, self._teaching.view.audit.sha256, self._by)
            self._act(lambda project: keep_guess(project, self._report, *given), self._kept)
        if last:
            self.answer.setChecked(True)
            self.told.setText("That was the whole case; the answer is below.")
            self.next.setEnabled(False)
            return
        self.part += 1
        self._show()

    def written(self) -> bool:
        """An answer counts that was not kept yet."""
        return super().written() or (self.guess.isModified() and bool(self.guess.text().strip()))

    def _kept(self, guess: Guess) -> None:
        self.guess.setModified(self.guess.text().strip() != guess.guess)
        self.say(f"Kept before {_when(guess.part, len(self._teaching.ends))}: {guess.guess}")
        self._ask(self._take_guesses, "guesses")

    def _take_guesses(self, teaching: Teaching) -> None:
        self._teaching = teaching
        self.given.setText("\n".join(_given(teaching)))

    def _hide(self) -> None:
        start, end = self.reader.selection()
        words = " ".join(self.reader.text()[start:end].split()) if start != end else ""
        if not words:
            self.say("Select the words that give the diagnosis away, and press M to hide them.")
            return
        said = f"“{words}” is hidden from now on, as another name of the diagnosis."
        self._act(lambda project: add_alias(project, self._report, [words], self._by), said)

    def _cut(self) -> None:
        if self._teaching.view.state != "ready":
            return
        cut = self._teaching.view.sentence_at(self.reader.selection()[0])
        said = f"“{_TRACKS[-1][1]}” ends before this sentence from now on."
        self._act(lambda project: move_cut(project, self._report, cut, self._by), said)

    def _tick(self) -> None:
        said = "The pictures are marked as read: no words in them give the diagnosis away."
        self._act(lambda project: tick_views(project, self._report, by=self._by), said)

    def _propose(self) -> None:
        self._act(lambda project: propose_anchors(project, [self._report], self._by), self._proposed)

    def _proposed(self, found: tuple[Anchor, ...]) -> None:
        if found and found[0].state == "none":
            self.say("The report names no disorder where a diagnosis would stand; give its name or code.")
        self._read()

    def _look_up(self, typed: str) -> None:
        self._session.worker.ask(
            lambda _: find_disorders(typed, _NAMES), while_alive(self, self._list), self.say, latest="names"
        )

    def _list(self, codes: dict[str, str]) -> None:
        self.codes = codes
        cast("QStringListModel", self.names.model()).setStringList(list(codes))
        if self.code.hasFocus() and self.code.text():
            self.names.complete()

    def _confirm(self) -> None:
        given = self.code.text().strip()
        code = self.codes.get(given, given) or self._teaching.anchor.code
        if code:
            self._act(lambda project: set_anchor(project, self._report, code, by=self._by), self._confirmed)

    def _confirmed(self, _: Anchor) -> None:
        """The case can be read now; whoever reads it does not see the answer any more."""
        self.code.clear()
        self.answer.setChecked(False)
        self._begin()


def _when(part: int, parts: int) -> str:
    return f"part {part + 1}" if part < parts else "the answer"


def _called(picture: Shown) -> str:
    """Its neutral name, for people: "Figure 1a"."""
    return picture.name.removesuffix(".png").replace("-", " ", 1).capitalize()


def _given(teaching: Teaching) -> list[str]:
    """The diagnosis, what stands for it and what still hints at it, and what the reader thought before."""
    anchor, audit = teaching.anchor, teaching.view.audit
    if anchor.code is None:
        return ["Nobody has said yet what the case is about."]
    lines = [f"{anchor.label} ({anchor.code}), {anchor.state}."]
    if anchor.evidence:
        lines.append(f"It is named by: {anchor.reasons}.")
    if teaching.view.state == "ready":
        hidden = ", ".join(f"{form} ({number})" for form, number in audit.masked.items())
        lines.append(f"Hidden: {hidden or 'no name of it stands in the case'}.")
    if audit.hints:
        hints = ", ".join(f"{one.text} ({len(one.places)})" for one in audit.hints)
        lines.append(f"Words that hint at it and are shown: {hints}.")
    if teaching.view.pictures:
        number = counted(len(teaching.view.pictures), "picture")
        lines.append(f"{number}: {_READ[audit.pictures]}")
    parts = len(teaching.ends)
    lines += [f"Before {_when(one.part, parts)} you said: {one.guess}" for one in teaching.guesses]
    return lines
