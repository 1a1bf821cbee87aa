"""Have the categories extracted: with the rules, with a model, or from recorded replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtWidgets import QWidget

from app.gui.dialogs.fields import ASK, Ask, Form, asked, choice, decimal, number, radio, tick, ticks
from app.gui.dialogs.forms import plain_label
from app.gui.dialogs.models.answering import AnsweringDialog, reports_of
from app.gui.dialogs.models.extracting import HIDDEN, ByModel, ByRules, Choice, begin_extraction, by_replies
from app.gui.session.project_session import ProjectSession
from app.gui.widgets.boxes import stacked
from app.gui.widgets.plain import caption
from app.operations.extract.options import ModelOptions
from extractors.tasks.prompting.variants import Prompting, Strategy

STRATEGIES = {
    "ucp": "A prompt for each category, on the whole report (UCP): the most thorough.",
    "fcsp": "A prompt for each category, on the sections that speak of it (FCSP): shorter prompts; what "
    "stands elsewhere is not seen.",
    "ugp": "One prompt for all categories, on the whole report (UGP): the fewest calls, the longest replies.",
}
PROMPTINGS = {
    "few-shot": "With examples: the guideline and its worked examples.",
    "zero-shot": "Without examples: the guideline alone.",
    "zero-shot-cot": "With reasoning: the guideline alone, and the model reasons in writing before it "
    "answers; slower.",
}


def _explained(label: str, sentences: Mapping[str, str]) -> Ask:
    """A choice whose entries are the part before the colon; the rest of the sentence stands below."""
    entries = {key: sentence.partition(": ") for key, sentence in sentences.items()}
    below = {key: rest[:1].upper() + rest[1:] for key, (_, _, rest) in entries.items()}
    return Ask(choice, label, choices=[(one[0], key) for key, one in entries.items()], below=below)


def _tokens(label: str, name: str, nothing: str) -> int | None:
    """A number of tokens, without which the program chooses."""
    ask = Ask(number, label, name, nothing=nothing, least=128, most=10_000_000, step=1024, advanced=True)
    return asked(None, ask)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Everything that a call to a model may be told, with the program's defaults."""

    strategy: Strategy = field(default="ucp", metadata={ASK: _explained("Strate&gy:", STRATEGIES)})
    prompting: Prompting = field(default="few-shot", metadata={ASK: _explained("Prompt&ing:", PROMPTINGS)})
    seed: int = asked(1, Ask(number, "S&eed:", advanced=True))
    context: int | None = _tokens("Co&ntext, tokens:", "Context in tokens", "as needed")
    reply_tokens: int | None = _tokens("Longest repl&y, tokens:", "Longest reply in tokens", "by strategy")
    temperature: float = asked(0.0, Ask(decimal, "Temperat&ure:", most=2, step=0.1, advanced=True))
    parallel: int = asked(
        1,
        Ask(
            number,
            "Calls at once:",
            least=1,
            most=64,
            help="About different reports, as many as the server can work on.",
            advanced=True,
        ),
    )
    inferred: bool = asked(
        False, Ask(tick, "For FCSP, tell also paragraphs apart by what they speak about", advanced=True)
    )
    think: bool = asked(False, Ask(tick, "Let a model that can thin&k do so first", advanced=True))
    new_run: bool = asked(
        False, Ask(tick, "&Begin a new run even if there is one with the same settings", advanced=True)
    )

    def options(
        self, model: str, documents: tuple[str, ...] = (), categories: tuple[str, ...] = ()
    ) -> ModelOptions:
        """What is asked of that model, about these reports (keys) and categories (ids)."""
        return ModelOptions(
            model=model,
            strategy=self.strategy,
            prompting=self.prompting,
            documents=documents,
            categories=categories,
            seed=self.seed,
            think=self.think,
            new_run=self.new_run,
            context=self.context,
            reply_tokens=self.reply_tokens,
            temperature=self.temperature,
            parallel=self.parallel,
            sections="inferred" if self.inferred else "headings",
        )


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
        some = 0 < len(shown_keys) < len(session.rows)
        shown = [(f"Those sho&wn in the list ({len(shown_keys):,})", "shown")] if some else []
        names = [(caption(one.name), one.id, "") for one in session.scheme.categories]
        super().__init__(
            session,
            "Extract with rules or a model",
            Extraction(reports="this" if session.report_model.key else "all"),
            "E&xtract",
            parent,
            {
                "reports": reports_of(session, *shown),
                "categories": {"choices": names},
            },
        )
        self._shown, self.settings = tuple(shown_keys), Form(ModelSettings())
        model = QWidget()
        stacked(model, self.server, self.settings)
        self.pages = {"rules": plain_label(_RULES), "model": model, "replies": self.recording}
        for place, page in enumerate(self.pages.values(), start=1):
            self.form.insert(place, page)
        self.body.addWidget(plain_label(f"Blind first: {HIDDEN[0].lower()}{HIDDEN[1:]}"))
        self.follow()

    def choice(self) -> Choice:
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
        return ByModel(options, self.server.server)

    def problem(self) -> str:
        wanted = self.form.value
        if sentence := self.unready():
            return sentence
        if wanted.which == "some" and not wanted.categories:
            return "Tick at least one category."
        return self.unanswered(by_model=wanted.by == "model", by_replies=wanted.by == "replies")

    def check(self) -> None:
        wanted = self.form.value
        pages = {page: name == wanted.by for name, page in self.pages.items()}
        self.show_pages(pages, categories=wanted.which == "some")

    def act(self) -> None:
        choice = self.choice()
        self.accept()
        begin_extraction(self._session, choice, self.parentWidget())
