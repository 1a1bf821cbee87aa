"""Work on a report's profile: which term is current, what was said of it, and what that comes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.modes.phenotypes.items import Item, items_of
from app.operations.annotate.anchors import set_anchor
from app.operations.profile.differential import OpenDifferential, prepare_ranking, read_differential
from app.operations.profile.terms import ProfileChange, accept, add, change, reject
from extractors.differential.ranking import Options, Ranked

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.store.project import Project
    from extractors.model.finding import Polarity

_LISTED = 25
_Answer = tuple["ProfileChange", OpenDifferential]


class ProfileWork(QObject):
    """What is read anew after every change; acts go to disk while the next term is already current.

    Ranking is done in the project's thread, behind the act it follows; only the latest is asked for.
    """

    # Another profile, another ranking, or other terms.
    changed = Signal()
    current_changed = Signal()
    message = Signal(str)

    def __init__(self, session: ProjectSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.found: OpenDifferential | None = None
        self.items: tuple[Item, ...] = ()
        self.options = Options(_LISTED)
        self.active = False
        self.current = ""
        self._pending: set[str] = set()
        self._prepared = False
        session.report_model.opened.connect(self._forget)
        session.annotator_changed.connect(lambda _: self._forget())
        session.undoing.turned.connect(lambda *_: self.read())
        session.worker.job_changed.connect(self.read)

    def enter(self) -> None:
        """Read what there is: it may have changed elsewhere."""
        self.active = True
        self.read()

    def leave(self) -> None:
        """Read nothing while nobody sees it."""
        self.active = False

    @property
    def item(self) -> Item | None:
        return next((one for one in self.items if one.uuid == self.current), None)

    def is_open(self, item: Item) -> bool:
        """Whether a term is a suggestion of which nothing was said yet."""
        return item.standing == "suggested" and item.uuid not in self._pending

    def set_current(self, uuid: str) -> None:
        """Make a term the current one, "" for none."""
        if uuid != self.current:
            self.current = uuid
            self.current_changed.emit()

    def next(self) -> None:
        """Go to the next suggestion of which nothing was said, round the end."""
        places = [one.uuid for one in self.items]
        here = places.index(self.current) if self.current in places else -1
        for item in (*self.items[here + 1 :], *self.items[: here + 1]):
            if self.is_open(item) and item.uuid != self.current:
                self.set_current(item.uuid)
                return
        more = " else" if any(map(self.is_open, self.items)) else ""
        self.message.emit(f"Nothing{more} here is left to judge.")

    def previous(self) -> None:
        """Go to the term before, whatever was said of it."""
        places = [one.uuid for one in self.items]
        here = places.index(self.current) if self.current in places else len(places)
        if here > 0:
            self.set_current(places[here - 1])
        else:
            self.message.emit("This is the first one." if places else "There are no terms here.")

    # Acts

    def accept(self) -> None:
        """Take the current suggestion over, and go to the next."""
        item = self._meant()
        if item is not None and item.standing == "own":
            self.message.emit(f"{item.coding.label} is in the profile already.")
            self.next()
        elif item is not None:
            self._accept([item.uuid])

    def accept_all(self) -> None:
        """Take over all suggestions of the report, in one act."""
        uuids = [item.uuid for item in self.items if self.is_open(item)]
        if uuids:
            self._accept(uuids)
        else:
            self.message.emit("Nothing is suggested here that is not judged.")

    def reject(self) -> None:
        """Reject the current suggestion, or take the term out of the profile, and go to the next."""
        item = self._meant()
        if item is not None:
            name, uuid = self._session.annotator, item.uuid
            self._send([uuid], lambda p: reject(p, name, [uuid]))

    def set_polarity(self, polarity: Polarity) -> None:
        """Let the current term be there, denied or uncertain; a suggestion is taken over so."""
        item = self._meant()
        if item is not None:
            name, uuid = self._session.annotator, item.uuid
            self._send([uuid], lambda p: change(p, name, uuid, polarity=polarity))

    def set_term(self, code: str) -> None:
        """Let the current term be another one; a suggestion is taken over so."""
        item = self._meant()
        if item is not None:
            name, uuid = self._session.annotator, item.uuid
            self._send([uuid], lambda p: change(p, name, uuid, code=code))

    def add_term(self, code: str, place: tuple[int, int]) -> None:
        """Add a term at a place; polarity, and whether it is a relative's, are read off the text."""
        name, key = self._session.annotator, self._session.report_model.key
        self._send([], lambda p: add(p, name, key, code, place=place))

    def set_diagnosis(self, disease: Ranked) -> None:
        """Say that the report is about a disease of the ranking."""
        key, by = self._session.report_model.key, self._session.annotator
        code = next((code for code in disease.codes if code.startswith("ORPHA:")), "")
        if not code:
            self.message.emit(f"{disease.name} has no code of Orphanet, by which a diagnosis is said.")
            return
        self._session.worker.act(
            lambda p: set_anchor(p, key, code, by=by),
            lambda _: self.read(),
            lambda sentence: self._session.failed.emit(f"{disease.name}: {sentence}"),
            says=True,
        )

    def set_options(self, *, prevalence: bool, leave_out: bool) -> None:
        self.options = replace(self.options, prevalence=prevalence, leave_out=leave_out)
        self.read()

    # Inside

    def _meant(self) -> Item | None:
        item = self.item
        if item is None:
            self.message.emit("No term is current here; click one, or go to the next suggestion.")
        return item

    def _accept(self, uuids: Sequence[str]) -> None:
        name = self._session.annotator
        self._send(uuids, lambda p: accept(p, name, uuids))

    def _send(self, uuids: Sequence[str], call: Callable[[Project], ProfileChange]) -> None:
        name, key, options = self._session.annotator, self._session.report_model.key, self.options
        self._pending.update(uuids)

        def act(project: Project) -> _Answer:
            return call(project), read_differential(project, key, name, options)

        def done(answer: _Answer) -> None:
            made, found = answer
            self._pending.difference_update(uuids)
            for note in made.notes:
                self.message.emit(note)
            self._take(found)

        def refused(sentence: str) -> None:
            self._pending.difference_update(uuids)
            self._session.failed.emit(sentence)
            self.read()

        before = self.current
        self._session.worker.act(act, done, refused)
        if self.current in uuids:
            self.next()
        if self.current == before:
            self.current_changed.emit()

    def read(self) -> None:
        key, name, options = self._session.report_model.key, self._session.annotator, self.options
        if self.active and key:
            self._session.worker.ask(
                lambda p: read_differential(p, key, name, options), self._take, latest="differential"
            )

    def _take(self, found: OpenDifferential) -> None:
        wanted = self._session.report_model.key, self._session.annotator
        if not self.active or (found.profile.report, found.profile.annotator) != wanted:
            return
        here = self.item
        self.found, self.items = found, items_of(found.profile)
        if here is not None and self.item is None:
            # A suggestion that was taken over is one's own now, at the same place.
            self.current = self._at(here) or ""
        self.changed.emit()
        if self.items and not self._prepared:
            # The first act shall not wait until the index is read.
            self._prepared = True
            codes = tuple(item.coding.code for item in self.items)
            self._session.worker.ask(lambda _: prepare_ranking(codes), lambda _: None)
        if here is not None and self.current != here.uuid:
            self.current_changed.emit()

    def _at(self, gone: Item) -> str | None:
        place = gone.annotation.finding.start, gone.annotation.finding.end
        there = ((one.annotation.finding.start, one.annotation.finding.end, one.uuid) for one in self.items)
        return next((uuid for start, end, uuid in there if (start, end) == place), None)

    def _forget(self) -> None:
        self.found, self.items, self.current = None, (), ""
        self._pending.clear()
        self.changed.emit()
        self.current_changed.emit()
        self.read()
