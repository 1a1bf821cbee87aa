"""Agreement as a mode of the window: measured in the project's thread, anew whenever spans change."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from app.gui.modes.agreement.choice import choose_file
from app.gui.modes.agreement.concepts import ConceptsDialog
from app.gui.modes.agreement.evidence import EvidencePanel
from app.gui.modes.agreement.page import AgreementPage
from app.gui.modes.mode import Mode, ModeContext
from app.gui.widgets.swatch import theme_colours
from app.operations.annotate.exposure import disclose, unseen_reports
from app.operations.compare.view import (
    AgreementView,
    Evidence,
    Figure,
    first_pair,
    list_confused,
    list_drilled_reports,
    pair_figure,
    reading_sets_to_compare,
    share_lines,
    stopped_view,
    viewing_agreement,
)

if TYPE_CHECKING:
    from app.agreement.compare import PairScores
    from app.agreement.types import Profile
    from app.operations.compare.annotation_sets import SideSets
    from app.store.project import Project

Chosen = tuple[str, str] | tuple[int, int]
_READING, _MEASURING = "Reading all sets", "Measuring agreement"
_EVERY_SECONDS = 0.1
_STOPPED = "Measuring was stopped. Choose the pair again to go on, or come back to this mode."
_NOT_READ = "Reading was stopped, so there is no pair to choose. Turn to another mode and come back to go on."


class AgreementMode(Mode):
    """Reads all sets once, measures the chosen pair, then every other pair, one question after the other."""

    id = "agreement"
    hides_right = True

    def __init__(self, context: ModeContext) -> None:
        super().__init__()
        self._context, self._session = context, context.session
        self._shown = False
        self._sides: SideSets | None = None
        self._view: AgreementView | None = None
        self._figures: dict[tuple[str, str], Figure] = {}
        self._figures_of: Profile = "paper"
        self._todo: list[tuple[str, str]] = []
        self._asked = 0
        self._drawn = 0.0
        self._chosen: Chosen = ("", "")
        self.page = AgreementPage(context.actions)
        self.evidence = EvidencePanel(context.actions)
        self.left, self.centre = self.evidence, self.page
        self._connect()
        self._prefer("theme")

    def enter(self) -> None:
        """Measure anew: spans may have changed in another mode."""
        self._shown = True
        self._read()

    def leave(self) -> None:
        """Measure nothing while nobody sees it."""
        self._shown = False
        self._asked += 1
        self._session.worker.drop("agreement")

    def take_focus(self) -> None:
        self.page.take_focus()

    # Wires

    def _connect(self) -> None:
        page, on = self.page, self._context.actions.on
        page.choice.changed.connect(self._measure)
        page.number_opened.connect(lambda category, measure: self._open((category, measure)))
        page.place_opened.connect(lambda row, column: self._open((row, column)))
        page.report_opened.connect(lambda key: self._open(("", ""), key))
        self.evidence.report_wanted.connect(self._go_to_report)
        self.evidence.quotes_wanted.connect(self._disclose)
        on("agreement.swap", page.choice.swap)
        on("agreement.profile", page.choice.next_profile)
        on("agreement.concepts", lambda: ConceptsDialog(self._session, self.page.window()).open())
        self._context.actions.on_toggled("agreement.quotes", self.evidence.with_quotes.setChecked)
        self.evidence.with_quotes.toggled.connect(self._context.actions["agreement.quotes"].setChecked)
        for kind in ("html", "csv", "svg", "png"):
            on(f"agreement.{kind}", partial(self._export, kind))
        for changed in (self._session.worker.saved, self._session.rows_changed):
            changed.connect(self._read_again)
        self._session.annotator_changed.connect(lambda _: self._forget())
        self._context.preferences.changed.connect(self._prefer)

    def _prefer(self, name: str) -> None:
        if name == "theme":
            theme = self._context.preferences.theme
            self.page.set_colours(theme_colours(self._session.scheme, theme))

    def _forget(self) -> None:
        """Somebody else annotates now: what was shown to the one before is not this one's to see."""
        self.evidence.with_quotes.setChecked(False)
        self.evidence.clear()
        self._read_again()

    def _export(self, kind: str) -> None:
        pair = self.page.choice.pair
        if self._view is not None and all(pair):
            choose_file(self.page, self._session, kind, pair, self.page.choice.chosen_profile)

    # Measuring

    def _read_again(self) -> None:
        if self._shown:
            self._read()

    def _read(self) -> None:
        if self._view is None:
            self.page.show_working(f"{_READING}…")
        job = self._session.worker.query(_READING, reading_sets_to_compare, self._take, latest="agreement")
        job.stopped.connect(self._stop_reading)

    def _take(self, sides: SideSets) -> None:
        self._sides = sides
        pair = self.page.choice.pair
        if not all(name in sides.names for name in pair):
            pair = first_pair(sides, self._session.annotator) or ("", "")
        self.page.choice.offer(sides.names, pair)
        if all(pair):
            self._measure()
        else:
            self._view = None
            self._asked += 1
            self.evidence.clear()
            self.page.show_nothing(sides.names)

    def _measure(self) -> None:
        """The chosen pair: first what is quick, then the rest, then every pair and the shares."""
        sides, (left, right) = self._sides, self.page.choice.pair
        if sides is None:
            self._read()
            return
        if not (left and right):
            return
        self._asked += 1
        asked, profile = self._asked, self.page.choice.chosen_profile
        shown = self._view.agreement if self._view is not None else None
        if shown is None or (shown.left, shown.right, shown.profile) != (left, right, profile):
            self.page.show_working(f"Measuring {left} against {right}…")
        self._plan_pairs(profile)
        job = self._session.worker.query(
            _MEASURING,
            lambda _: viewing_agreement(sides, left, right, profile, joined=False),
            lambda view: self._show(asked, view),
            lambda sentence: self._refuse(asked, sentence),
            latest="agreement",
        )
        job.stopped.connect(lambda: self._refuse(asked, _STOPPED))

    def _plan_pairs(self, profile: Profile) -> None:
        """Every pair is measured anew; until it is, the number of before stays where it means the same."""
        from app.operations.compare.agreement import pairs_to_measure

        names = self._people()
        self._todo = pairs_to_measure(names, profile) if len(names) > 2 else []
        if profile != self._figures_of:
            self._figures, self._figures_of = {}, profile

    def _show(self, asked: int, view: AgreementView) -> None:
        if asked != self._asked:
            return
        self._show_view(view)
        self._show_others()
        self._open_again()
        sides, agreement = self._sides, view.agreement
        if sides is not None:
            self._session.worker.query(
                "Measuring BLEU and ROUGE",
                lambda _: viewing_agreement(sides, agreement.left, agreement.right, agreement.profile),
                lambda whole: self._complete(asked, whole),
                latest="agreement",
            ).stopped.connect(lambda: self._stop_the_rest(asked))

    def _complete(self, asked: int, view: AgreementView) -> None:
        if asked == self._asked:
            self._show_view(view)
            self._next_pair(asked)

    def _refuse(self, asked: int, sentence: str) -> None:
        if asked == self._asked:
            self._view = None
            self.evidence.clear()
            self.page.show_problem(sentence)

    def _stop_reading(self) -> None:
        self._sides = None
        self._refuse(self._asked, _NOT_READ)

    def _stop_the_rest(self, asked: int) -> None:
        """Places whose number does not come say so."""
        if asked == self._asked and self._view is not None:
            self._show_view(stopped_view(self._view))
            self._show_pairs(stopped=True)

    def _show_view(self, view: AgreementView) -> None:
        self._view = view
        self.page.show_view(view)

    def _people(self) -> tuple[str, ...]:
        """Whose pairs are measured: everybody but runs, and the chosen two."""
        sides, chosen = self._sides, self.page.choice.pair
        return (
            tuple(name for name in sides.names if name not in sides.runs or name in chosen) if sides else ()
        )

    def _show_others(self) -> None:
        sides = self._sides
        if sides is None:
            return
        names = self._people()
        self._show_pairs()
        self._session.worker.ask(
            lambda _: share_lines([sides.shares(name) for name in names], sides.categories),
            lambda lines: self.page.show_shares(names, lines),
            latest="agreement shares",
        )

    def _show_pairs(self, *, stopped: bool = False) -> None:
        choice = self.page.choice
        self.page.show_pairs(
            self._people(), self._figures, choice.pair, choice.chosen_profile, stopped=stopped
        )

    def _next_pair(self, asked: int) -> None:
        """One pair at a time, so that what the user does meanwhile does not wait for all of them."""
        sides, profile = self._sides, self.page.choice.chosen_profile
        if asked != self._asked or sides is None or not self._todo:
            return
        left, right = self._todo.pop(0)
        self._session.worker.query(
            "Measuring every other pair",
            lambda _: sides.comparing(left, right, profile),
            lambda pair: self._add_pair(asked, pair),
            latest="agreement",
        ).stopped.connect(lambda: self._stop_the_rest(asked))

    def _add_pair(self, asked: int, pair: PairScores) -> None:
        if asked != self._asked:
            return
        self._figures[pair.left, pair.right] = pair_figure(pair)
        if pair.profile == "strict":
            # The same both ways.
            self._figures[pair.right, pair.left] = self._figures[pair.left, pair.right]
        # Drawing the table takes longer than measuring a pair of small sets.
        now = time.monotonic()
        if not self._todo or now - self._drawn >= _EVERY_SECONDS:
            self._drawn = now
            self._show_pairs()
        self._next_pair(asked)

    # What is behind a number

    def _open(self, chosen: Chosen, key: str = "") -> None:
        self._chosen = chosen
        self._open_again(key=key)

    def _open_again(self, key: str | None = None) -> None:
        """What is behind the number chosen last; the same report stays chosen unless another is named."""
        view, sides = self._view, self._sides
        if view is None or sides is None:
            return
        chosen, current = self._chosen, self.evidence.current()
        wanted = key if key is not None else current.key if current else ""
        asked = self._asked
        self._session.worker.ask(
            lambda _: _evidence(view, sides, chosen),
            lambda evidence: self._show_evidence(asked, evidence, wanted),
            latest="agreement evidence",
        )

    def _show_evidence(self, asked: int, evidence: Evidence, key: str) -> None:
        if asked == self._asked:
            self.evidence.show_evidence(evidence, self._session.annotator, key)

    def _disclose(self) -> None:
        """Show both sides' quotes of the chosen report where they were seen before, or are asked for.

        That others' are seen goes on record first.
        """
        row, names, me = self.evidence.current(), self.evidence.others(), self._session.annotator
        if row is None:
            return
        key, asked = row.key, self.evidence.with_quotes.isChecked()

        def look(project: Project) -> bool:
            seen = asked or not unseen_reports(project, me, [key], names)
            if seen:
                disclose(project, me, key, names)
            return seen

        self._session.worker.note(look, lambda seen: self.evidence.show_quotes(key, seen=seen))

    def _go_to_report(self, key: str) -> None:
        evidence = self.evidence.evidence
        if evidence is not None and evidence.category in self._session.scheme.ids:
            self._session.use_category(evidence.category)
        name = self.evidence.to_review()
        if name:
            self._session.review_wanted.emit(name, key)
        else:
            # Whoever was shown before is not of the pair.
            self._session.show_others(())
            self._session.open_report(key)
            self._context.actions["mode.annotate"].trigger()


def _evidence(view: AgreementView, sides: SideSets, chosen: Chosen) -> Evidence:
    first, second = chosen
    if isinstance(first, int) and isinstance(second, int):
        return list_confused(view, first, second)
    known = {measure.key for measure in view.measures if measure.key in view.agreement.average.scores}
    measure = second if isinstance(second, str) and second in known else view.main.key
    return list_drilled_reports(view, measure, str(first), sides)
