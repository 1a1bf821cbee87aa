"""What a dialog shows is what is done: each field, changed alone, reaches what it is meant for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from importlib import import_module
from itertools import islice, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPlainTextEdit, QWidget

from app.gui.dialogs.bias.dialog import BiasDialog, PlantingForm
from app.gui.dialogs.exchange.export import ExportDialog
from app.gui.dialogs.exchange.imports import ImportDialog
from app.gui.dialogs.exchange.paste import PasteDialog
from app.gui.dialogs.fields import ASK, Form, choice, decimal, number, radio, tick, ticks
from app.gui.dialogs.guidelines.amendment import AmendmentDialog
from app.gui.dialogs.models.extracting import ByModel, ByRules, going_on, steps_of
from app.gui.dialogs.models.extraction import ExtractionDialog, ModelSettings
from app.gui.dialogs.models.ordering import OrderDialog
from app.gui.dialogs.models.server import ModelServer, Server
from app.gui.dialogs.project.copies import PacketsDialog
from app.gui.dialogs.project.corpus import CorpusDialog
from app.gui.dialogs.project.projects import NewProjectDialog
from app.gui.dialogs.project.report import RenameDialog
from app.gui.dialogs.project.terminologies import TerminologiesDialog
from app.gui.modes.agreement.concepts import ConceptsDialog
from app.gui.modes.phenotypes import asking
from app.gui.modes.phenotypes.asking import AskingDialog
from app.gui.modes.study.options import BuildDialog
from app.gui.modes.study.running import RunDialog
from app.gui.session.jobs import Job
from app.gui.session.project_session import ProjectSession
from app.gui.session.worker import Worker
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS
from app.gui.shell.look.preferences import Preferences
from app.gui.widgets.drop_down import DropDown
from app.operations.bias.report import BiasSets
from app.operations.exchange.importing import ImportOptions
from app.operations.extract.models import ModelLine
from extractors.model.errors import RemoteRefusedError
from tests.builders import ME, Kept, sample_reports
from tests.toy_study.study import STUDY

HERE, SHOWN = "PMC99000001", ("PMC99000002",)
REPORTS = {"this": (HERE,), "shown": SHOWN, "all": ()}
SERVER = {"host": "http://127.0.0.1:9", "key_file": Path("key.txt"), "allow_remote": True}
WORDS, REFUSED = "other", "It is not there any more."
_ALWAYS, _PROJECT = ("project", "where", "client"), SimpleNamespace(acting=False)


class Told:
    """Stands for operations and for the worker; has what operations were given, by names of parameters."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self.given: dict[str, Any] = {}
        self.work: list[Callable[[], object]] = []
        self.refuse: Callable[[str], object] | None = None

    def instead_of(self, operation: str) -> None:
        module, name = operation.rsplit(".", 1)
        known = inspect.signature(getattr(import_module(module), name))
        self._patch.setattr(operation, partial(self._note, known))

    def _note(self, known: inspect.Signature, *given: object, **named: object) -> Iterator[object]:
        bound = known.bind(*given, **named)
        bound.apply_defaults()
        for parameter, value in bound.arguments.items():
            if parameter not in _ALWAYS:
                self.given |= flat(parameter, value)
        return repeat("begun")

    def catch(self) -> None:
        """What is given to the worker, or is begun apart, is kept to be done here."""
        for name in ("ask", "act", "note"):
            self._patch.setattr(
                Worker, name, lambda _, call, *then, **_how: self._keep(partial(call, _PROJECT), *then[1:])
            )
        for name in ("begin", "query"):
            self._patch.setattr(
                Worker, name, lambda _, _title, steps, *_then, **_how: self._keep(partial(steps, _PROJECT))
            )
        for place in (
            "app.gui.dialogs.fields",
            "app.gui.dialogs.models.server",
        ):
            self._patch.setattr(f"{place}.start_apart", lambda _title, steps, _parent: self._keep(steps))
        self._patch.setattr(QDialog, "accept", lambda _: None)

    def _keep(self, work: Callable[[], object], refuse: Callable[[str], object] | None = None) -> Job:
        """Nothing of it is told any more."""
        self.work.append(work)
        self.refuse = refuse
        return Job("work")

    def after(self, act: Callable[[], object]) -> dict[str, Any]:
        """What is given to operations by what an act leads to at last."""
        self.given = {}
        self.work.clear()
        act()
        for work in self.work[-1:]:
            begun(work())
        return self.given


def begun(steps: object) -> None:
    """As far as to the operation."""
    if isinstance(steps, Iterator):
        for _ in islice(steps, 2):
            pass


def flat(name: str, value: Any) -> dict[str, Any]:  # noqa: ANN401 (whatever is given)
    """The values within dataclasses by their own names."""
    if name == "settings":
        return {f"settings {key}": one for key, one in value.items()}
    if not is_dataclass(value):
        return {name: value}
    within: dict[str, Any] = {}
    for one in fields(value):
        within |= flat(one.name, getattr(value, one.name))
    return within


Means = Callable[[Any], Any]


@dataclass
class Case:
    """A dialog that is filled in: what acts, the operations it comes to, and how they call fields that they
    call otherwise or have in another form; which parameters
    `follow` a field."""

    forms: tuple[Form[Any], ...]
    act: Callable[[], object]
    operations: tuple[str, ...]
    means: Mapping[str, tuple[str, Means]] = field(default_factory=dict)
    server: ModelServer | None = None
    follow: Mapping[str, set[str]] = field(default_factory=dict)


def another(form: Form[Any], name: str) -> object:
    """A value that a field has not now, and could be given."""
    ask, now = form._asks[name], getattr(form.value, name)
    if ask.kind is tick:
        return not now
    if ask.kind is choice:
        box = form.box(name, DropDown)
        return next(value for place in reversed(range(box.count())) if (value := box.itemData(place)) != now)
    if ask.kind is radio:
        return next(one[1] for one in ask.choices if one[1] != now)
    if ask.kind is ticks:
        every = tuple(one[1] for one in ask.choices)
        return every if now != every else every[1:]
    if ask.kind in (number, decimal):
        return int(ask.least) + 1 if now is None else now + ask.step
    return WORDS


def server_of(dialog: Any) -> ModelServer:  # noqa: ANN401 (one of several)
    """With all that can be said of a server."""
    server: ModelServer = dialog.server
    server.host.setText(str(SERVER["host"]))
    server.key.line.setText(str(SERVER["key_file"]))
    server._fill(tuple(ModelLine(name, 0, "", "", 0, 0, False, 0, "https://far") for name in ("a", "b")))
    server.table.selectRow(1)
    server.allow.click()
    return server


def extraction(desk: ProjectSession, by: str = "model") -> Case:
    dialog = ExtractionDialog(desk, SHOWN)
    dialog.form.put(by=by, which="some", categories=desk.scheme.ids[:1])
    means: dict[str, tuple[str, Means]] = {
        "which": ("categories", lambda _: ()),
        "reports": ("documents", REPORTS.__getitem__),
        "inferred": ("sections", {True: "inferred", False: "headings"}.__getitem__),
    }
    operations = {
        "model": "app.operations.extract.quotes.extract_with_model",
        "rules": "app.operations.extract.rules.extract_with_rules",
    }
    forms = (dialog.form, dialog.settings) if by == "model" else (dialog.form,)

    def act() -> None:
        begun(steps_of(dialog.choice())(None))  # type: ignore[arg-type]

    return Case(forms, act, (operations[by],), means, server_of(dialog) if by == "model" else None)


def phenotypes(desk: ProjectSession) -> Case:
    dialog = AskingDialog(desk)
    dialog.form.put(level="ges")
    return Case(
        (dialog.form,),
        lambda: begun(asking._steps(None, dialog.choice())),  # type: ignore[arg-type]
        ("app.gui.modes.phenotypes.asking.ask_for_phenotypes",),
        {"reports": ("documents", REPORTS.__getitem__)},
        server_of(dialog),
    )


def ordering(desk: ProjectSession) -> Case:
    dialog = OrderDialog(desk)
    dialog.form.offer("terminology", [("HPO", "HPO"), (WORDS, WORDS)], "HPO")
    operations = ("app.gui.dialogs.models.ordering.ask_for_concepts",)
    means = {"reports": ("documents", REPORTS.__getitem__)}
    return Case((dialog.form,), dialog.act, operations, means, server_of(dialog))


def study_run(desk: ProjectSession) -> Case:
    told: list[Any] = []
    dialog = RunDialog(desk, STUDY, told.append)
    dialog.form.put(by="/model")
    assert dialog.own.form is not None
    means = {one.key: (f"settings {one.key}", same) for one in STUDY.options_of("run")}

    def act() -> None:
        dialog.act()
        begun(told.pop()(None))

    forms = (dialog.form, dialog.asking, dialog.own.form)
    operations = ("app.operations.study.running.run_with_model",)
    return Case(forms, act, operations, means, server_of(dialog))


def study_build(desk: ProjectSession) -> Case:
    dialog = BuildDialog(
        desk, STUDY, lambda *given: Worker.ask(desk.worker, partial(_built, *given), lambda _: None)
    )
    assert dialog.own.form is not None
    means = {one.key: (f"settings {one.key}", same) for one in STUDY.options_of("build")}
    paths = ("paths", lambda words: [Path(words)])
    forms = (dialog.form, dialog.own.form)
    return Case(forms, dialog.act, (f"{__name__}.build",), {"sources": paths, **means})


def build(paths: object, settings: object, seed: object, tasks: object) -> object:
    """What the mode does with them."""
    raise NotImplementedError


def _built(paths: object, settings: object, seed: object, tasks: object, _project: object) -> object:
    return build(paths, settings, seed, tasks)


def planting(desk: ProjectSession) -> Case:
    whole = PlantingForm(desk)
    whole.offer(BiasSets((), (), (), ("a", "b"), ("a", "b")))
    operations = ("app.operations.bias.seeding.plant_errors",)
    means = {"share": ("share", lambda percent: percent / 100)}
    return Case((whole.form,), whole._plant, operations, means, follow={"run": {"name"}})


def bias(desk: ProjectSession) -> Case:
    dialog = BiasDialog(desk)
    dialog._offer(BiasSets((ME, "Ben"), ("a", "b"), ("gold", "b"), (), ()))
    return Case((dialog.form,), dialog.measure, ("app.operations.bias.measures.measure_bias",))


def concepts(desk: ProjectSession) -> Case:
    dialog = ConceptsDialog(desk)
    dialog._show({"HPO": ("a", "b", "c"), "ORPHA": ("a", "b", "c")})
    return Case((dialog.form,), dialog._measure, ("app.gui.modes.agreement.concepts.measure_concepts",))


def packets(desk: ProjectSession) -> Case:
    dialog = PacketsDialog(desk)
    dialog.form.put(names=" ana \n\nben")
    operations = ("app.gui.dialogs.project.copies.cut_packets",)
    return Case(
        (dialog.form,), lambda: dialog.cut(Path("to")), operations, {"names": ("to", lambda words: [words])}
    )


def corpus(desk: ProjectSession) -> Case:
    dialog = CorpusDialog(Path("corpus"))
    operations = ("app.gui.dialogs.project.corpus.search_corpus",)
    return Case(
        (dialog.form,), dialog.act, operations, {"folder": ("folder", Path), "words": ("typed", same)}
    )


def new_project(desk: ProjectSession) -> Case:
    dialog = NewProjectDialog(Preferences())
    means: dict[str, tuple[str, Means]] = {
        "file": ("path", lambda name: Path(f"{name}.casespan")),
        "name": ("annotator", same),
        "scheme": ("scheme_folder", Path),
    }
    return Case((dialog.form,), dialog.act, ("app.operations.project.files.create_project",), means)


def renaming(desk: ProjectSession) -> Case:
    dialog = RenameDialog(desk, HERE)
    return Case((dialog.form,), dialog.act, ("app.gui.session.housekeeping.rename_report",))


def terminologies(desk: ProjectSession) -> Case:
    dialog = TerminologiesDialog()
    operations = ("app.operations.project.terminologies.import_release",)
    return Case((dialog.form,), dialog.act, operations, {"paths": ("paths", lambda name: [Path(name)])})


def amending(desk: ProjectSession) -> Case:
    actions = Actions(QWidget())
    actions.add(COMMANDS)
    dialog = AmendmentDialog(desk, actions)
    return Case((dialog.form,), dialog.amend, ("app.gui.dialogs.guidelines.amendment.amend_guideline",))


def exporting(desk: ProjectSession) -> Case:
    dialog = ExportDialog(desk, None, SHOWN)
    dialog.form.offer("annotator", [("a", "a"), ("b", "b")], "a")
    operations = ("app.gui.dialogs.exchange.export.exporting_annotations",)
    means = {
        "reports": ("documents", {"": (), "meant": SHOWN}.__getitem__),
        "format": ("file_format", same),
    }
    return Case((dialog.form,), lambda: dialog.export_to(Path("out")), operations, means)


def same(value: object) -> object:
    return value


CASES = (
    extraction,
    partial(extraction, by="rules"),
    phenotypes,
    ordering,
    study_run,
    study_build,
    planting,
    bias,
    concepts,
    packets,
    corpus,
    new_project,
    renaming,
    terminologies,
    amending,
    exporting,
)


@pytest.fixture(scope="module")
def desk(
    kept: Kept, qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ProjectSession]:
    """The sample reports, open; nothing is done to them."""
    session = ProjectSession(kept.copy(sample_reports, tmp_path_factory.mktemp("desk") / "study.casespan"))
    session.start()
    while not session.report_model.key:
        qapp.processEvents()
    yield session
    session.close()


@pytest.mark.parametrize("of", CASES, ids=lambda one: getattr(one, "__name__", "by_rules"))
def test_each_field_changed_alone_comes_to_the_operation_and_changes_nothing_else(
    of: Callable[[ProjectSession], Case], desk: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Told(monkeypatch)
    told.catch()
    case = of(desk)
    for operation in (*case.operations, "app.gui.dialogs.models.server.connect"):
        told.instead_of(operation)
    assert case.forms
    before = told.after(case.act)
    for form in case.forms:
        for name in (one.name for one in fields(form.value) if ASK in one.metadata and one.name != "by"):
            was, value = getattr(form.value, name), another(form, name)
            form.put(**{name: value})
            assert getattr(form.value, name) == value, name
            after = told.after(case.act)
            parameter, means = case.means.get(name, (name, same))
            assert after[parameter] == means(value), name
            changed = {one for one in before.keys() | after.keys() if before.get(one) != after.get(one)}
            assert changed == {parameter} | case.follow.get(name, set()), name
            form.put(**{name: was})
            assert told.after(case.act) == before, name
    dialog = case.forms[0].window()
    if told.refuse is not None and isinstance(dialog, QDialog):
        told.refuse(REFUSED)
        said = [one.text() for one in dialog.findChildren(QLabel)]
        said += [one.toPlainText() for one in dialog.findChildren(QPlainTextEdit)]
        assert REFUSED in said
    if case.server is not None:
        assert {name: before[name] for name in SERVER} == SERVER
        assert before["model"] == "b"
    if of is ordering:
        # What was asked is not asked again, and what failed is.
        assert (before["resume"], before["annotator"]) == (True, desk.annotator)


def test_a_server_is_looked_at_and_told_to_fetch_with_all_that_is_said_of_it(
    desk: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, asked = Told(monkeypatch), list[dict[str, object]]()
    told.catch()

    def refuses(host: str, **how: object) -> None:
        asked.append({"host": host, **how})
        raise RemoteRefusedError("far")

    monkeypatch.setattr("app.gui.dialogs.models.server.connect", refuses)
    for name in ("look", "fetch"):
        server = server_of(ExtractionDialog(desk, ()))
        with suppress(RemoteRefusedError):
            told.after(getattr(server, name))
        assert asked.pop() == SERVER


def test_each_part_of_an_import_and_of_a_paste_comes_to_its_option_alone(
    desk: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    Told(monkeypatch).catch()
    dialog = ImportDialog(desk, None, [Path("a.pdf"), Path("b.pdf")])
    assert (dialog.paths, dialog.options()) == ([Path("a.pdf"), Path("b.pdf")], ImportOptions())
    changes: tuple[tuple[Callable[[], object], dict[str, object]], ...] = (
        (lambda: dialog.format.setCurrentIndex(dialog.format.findData("brat")), {"file_format": "brat"}),
        (lambda: dialog.annotator.setText("Ana"), {"annotator": "Ana"}),
        (dialog.only_case_reports.click, {"only_case_reports": True}),
        (dialog.exclude_titles.click, {"exclude_titles": True}),
        (lambda: dialog.terms.setText("terms.txt"), {"terms": Path("terms.txt")}),
        (lambda: dialog.labels.setText("labels.toml"), {"labels": Path("labels.toml")}),
    )
    wanted = ImportOptions()
    for change, becomes in changes:
        change()
        wanted = replace(wanted, **becomes)  # type: ignore[arg-type]
        assert dialog.options() == wanted
    QGuiApplication.clipboard().setText("A boy with\nfever.\n")
    paste = PasteDialog(desk)
    before = paste._source()
    paste.title.setText(" A title ")
    assert paste._source() == replace(before, title="A title")
    paste.broken.click()
    assert paste._source() == replace(before, title="A title", broken=not before.broken)


def test_work_that_goes_on_asks_again_what_failed_and_begins_no_other_run() -> None:
    options = ModelSettings(new_run=True, seed=7).options("m", (HERE,), ("GI",))
    choice = ByModel(options, Server("http://here", allow_remote=True, key_file=Path("key.txt")))
    again = replace(choice, options=replace(options, resume=True, new_run=False))
    assert going_on(choice) == again
    assert going_on(ByRules((HERE,))) == ByRules((HERE,))
