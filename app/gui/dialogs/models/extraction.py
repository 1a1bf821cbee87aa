"""Have the categories extracted: with the rules, with a model, or from recorded replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.gui.dialogs.fields import Ask, Form, asked, radio, ticks
from app.gui.dialogs.forms import plain_label, without_mnemonic
from app.gui.dialogs.models.answering import AnsweringDialog
from app.gui.dialogs.models.extracting import HIDDEN, ByModel, ByRules, Choice, begin_extraction, by_replies
from app.gui.dialogs.models.settings import ModelSettings
from app.gui.widgets.boxes import stacked
from app.text import counted

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession

_SOURCES = (
    ("The built-in &rules", "rules"),
    ("A &model of a server", "model"),
    ("Replay recor&ded replies", "replies"),
)
_RULES = "The rules work at once and on this computer. While they do, what you change waits to be saved."


@dataclass(frozen=True, slots=True)
class Extraction:
    """With what, in which reports, for which categories (ids)."""

    by: str = asked("rules", Ask(radio, "Extract with", choices=_SOURCES))
    reports: str = asked("all", Ask(radio, "Reports"))
    which: str = asked(
        "all", Ask(radio, "For", choices=(("All &categories", "all"), ("&Just these:", "some")))
    )
    categories: tuple[str, ...] = asked((), Ask(ticks, "", "Categories"))


class ExtractionDialog(AnsweringDialog[Extraction]):
    """What is extracted with what; the page between says more of the one that is chosen."""

    guide = "extract"

    def __init__(
        self, session: ProjectSession, shown_keys: Sequence[str], parent: QWidget | None = None
    ) -> None:
        """`shown_keys` are the reports that the list shows now."""
        key, number = session.report_model.key, len(session.rows)
        here = [(f"&This report ({without_mnemonic(key)})", "this")] if key else []
        shown = (
            [(f"The {counted(len(shown_keys), 'report')} sho&wn in the list", "shown")] if shown_keys else []
        )
        names = [(without_mnemonic(one.name), one.id, "") for one in session.scheme.categories]
        super().__init__(
            session,
            "Extract with rules or a model",
            Extraction(reports="this" if key else "all"),
            "E&xtract",
            parent,
            {
                "reports": {"choices": [*here, *shown, (f"&All {counted(number, 'report')}", "all")]},
                "categories": {"choices": names},
            },
        )
        self._shown, self.settings = tuple(shown_keys), Form(ModelSettings(), folded="Advanced")
        model = QWidget()
        stacked(model, self.server, self.settings)
        self.pages = {"rules": plain_label(_RULES), "model": model, "replies": self.recording}
        for place, page in enumerate(self.pages.values(), start=1):
            self.form.insert(place, page)
        self.body.addWidget(plain_label(f"Blind first: {HIDDEN[0].lower()}{HIDDEN[1:]}"))
        self.follow()

    def choice(self) -> Choice:
        """What is asked for."""
        wanted = self.form.value
        known = {"this": (self._session.report_model.key,), "shown": self._shown}
        documents = known.get(wanted.reports, ())
        categories = wanted.categories if wanted.which == "some" else ()
        if wanted.by == "rules":
            return ByRules(documents, categories)
        if wanted.by == "replies":
            return by_replies(self.file, documents, categories)
        model = self.server.chosen.name if self.server.chosen else ""
        options = self.settings.value.options(model, documents, categories)
        return ByModel(options, self.server.address, self.server.allowed, self.server.key.path)

    def problem(self) -> str:
        """Why nothing can be begun with what is chosen, "" where it can."""
        wanted = self.form.value
        if sentence := self.unready():
            return sentence
        if wanted.which == "some" and not wanted.categories:
            return "Tick at least one category."
        return self.unanswered(by_model=wanted.by == "model", by_replies=wanted.by == "replies")

    def check(self) -> None:
        """Show the page of what is chosen, and say what is wrong."""
        wanted = self.form.value
        pages = {page: name == wanted.by for name, page in self.pages.items()}
        self.show_pages(pages, categories=wanted.which == "some")

    def act(self) -> None:
        """Begin the work."""
        choice = self.choice()
        self.accept()
        begin_extraction(self._session, choice, self.parentWidget())
