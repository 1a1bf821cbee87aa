"""What holds of every command alike: how it is found, loaded and called."""

from __future__ import annotations

import argparse
import gc
import io
import re
import shlex
import subprocess
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.cli import collect_seldom
from app.cli.arguments import Parser, complain
from app.cli.commands import COMMANDS, build_parser
from app.cli.commands.corpus import ACTIONS as OF_CORPUS
from app.cli.commands.exchange.export import _splits as splits_of
from app.cli.commands.extract import grid, phenotypes
from app.cli.commands.icd11 import ACTIONS as OF_ICD11
from app.cli.commands.study import ACTIONS, answering
from app.cli.commands.terminology import ACTIONS as OF_TERMINOLOGIES
from app.cli.servers import add_seed, positive, refuse, run_options
from app.cli.study_arguments import add_own, arm_of, labels_of, settings_of, tasks_of
from app.formats import WRITE_FORMATS
from app.operations.corpus.extracting import CorpusOptions
from app.operations.corpus.workers import Place
from app.operations.exchange.exporting import Selection
from app.operations.exchange.importing import ImportOptions
from app.operations.extract.options import RunOptions
from app.operations.study.people import Given
from app.operations.study.running import StudyOptions
from app.studies import STUDIES
from app.studies.study import Option
from extractors.llm.backends import SERVER_IDS, backend
from extractors.llm.types import Client
from extractors.model.errors import CallError, InterruptedRunError
from tests.toy_study.study import STUDY

# The least and the most that each may be, and what is one too little and one too much.
BOUNDS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "context": ("128", "10000000", ("127", "10000001", "many")),
    "reply_tokens": ("128", "10000000", ("127", "10000001")),
    "temperature": ("0", "2", ("2.1", "hot")),
    "parallel": ("1", "64", ("0", "65")),
    "gpu_layers": ("0", "10000", ("10001", "1.5")),
    "threads": ("1", "10000", ("0", "10001")),
    "keep_alive": ("0s", "2h", ("2d", "30", "m")),
    "seed": ("0", "7", ("x",)),
}


def test_a_command_that_ends_looks_through_nothing_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    at_end: list[object] = []
    monkeypatch.setattr("atexit.register", at_end.append)
    collect_seldom()
    assert at_end == [gc.freeze]


def test_every_command_can_be_called_as_its_example_says() -> None:
    parts = {"study": ACTIONS, "terminology": OF_TERMINOLOGIES, "icd11": OF_ICD11, "corpus": OF_CORPUS}
    plain = [((entry.name,), entry) for entry in COMMANDS if entry.name not in parts]
    inner = [((name, action.name), action) for name, actions in parts.items() for action in actions]
    for names, entry in (*plain, *inner):
        command = entry.load()
        options = build_parser().parse_args([*names, *shlex.split(command.example)])
        assert options.command is command
        assert hasattr(options, "project") or not command.project


def test_the_help_of_all_commands_loads_none_of_them() -> None:
    program = (
        "import sys; from app.cli import main; main([]); "
        "heavy = ('app.cli.commands.', 'app.operations', 'app.studies'); "
        "sys.exit(any(name.startswith(heavy) for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[4], check=False)
    assert done.returncode == 0


def test_help_names_every_kind_of_server_and_no_format_beside_those_to_choose(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command in ("models", "export"):
        with pytest.raises(SystemExit):
            build_parser().parse_args([command, "--help"])
    servers, export = capsys.readouterr().out.split("usage: casespan export")
    assert [one for one in map(backend, SERVER_IDS) if one.example not in "".join(servers.split())] == []
    assert not {*WRITE_FORMATS} & {*export.split("  OUT ")[1].split("options:")[0].split()}


def asked(*words: str) -> RunOptions:
    return run_options(build_parser().parse_args(["extract", "p", "--model", "m", *words]), "m")


@pytest.mark.parametrize("name", BOUNDS)
def test_what_a_model_is_told_is_what_was_typed_and_nothing_beyond_its_bounds(name: str) -> None:
    flag = f"--{name.replace('_', '-')}"
    *within, beyond = BOUNDS[name]
    for words in within:
        assert str(getattr(asked(flag, words), name)) in (words, f"{words}.0")
    for words in beyond:
        with pytest.raises(SystemExit):
            asked(flag, words)
    assert getattr(asked(), name) == getattr(RunOptions(model="m"), name)


@pytest.mark.parametrize("words", ["--seed 0", "--gpu-layers 0", "--think", "--temperature 0"])
def test_what_is_for_models_alone_is_refused_whatever_its_value(words: str) -> None:
    options = build_parser().parse_args(["extract", "p", "--with", "rules", *words.split()])
    names = ("think", "seed", "gpu_layers", "temperature")
    with pytest.raises(CallError, match=f"^{words.split()[0]} is for models"):
        refuse(options, names, "is for models.")
    refuse(build_parser().parse_args(["extract", "p", "--with", "rules"]), names, "is for models.")


def test_numbers_above_nothing_and_parts_of_a_whole_are_read_or_refused() -> None:
    assert [positive(float)(words) for words in ("0.001", "999999999")] == [0.001, 999_999_999]
    assert [splits_of(words) for words in ("80,10,10", "1,0,0")] == [(80, 10, 10), (1, 0, 0)]
    for read, wrong in (
        *((positive(float), words) for words in ("0", "-1", "1e9", "nan", "x")),
        *((splits_of, words) for words in ("0,1,1", "8,2", "8,1,1,1", "8,-1,1", "8,x,1")),
    ):
        with pytest.raises(argparse.ArgumentTypeError):
            read(wrong)


def test_what_a_call_says_of_a_study_is_read_with_its_defaults() -> None:
    given = Namespace(labels=["side=a=b", "age=old", "side=c"], tasks=["one", "two"], arm=None)
    assert labels_of(given) == {"side": ["a=b", "c"], "age": ["old"]}
    assert labels_of(Namespace(labels=None)) == {}
    assert (tasks_of(given), tasks_of(Namespace(tasks=["one", "all"])), tasks_of(Namespace())) == (
        *(("one", "two"), (), ()),
    )
    for wrong in ("side", "=a"):
        with pytest.raises(CallError, match="is not LABEL=VALUE"):
            labels_of(Namespace(labels=[wrong]))
    assert (arm_of(given, STUDY), arm_of(Namespace(arm="loud"), STUDY)) == ("plain", "loud")
    assert arm_of(Namespace(arm=None, method="liver"), STUDY) == arm_of(given, replace(STUDY, arms=())) == ""
    for options, said in (
        (Namespace(arm="loud", method="liver"), "a way to ask a model"),
        (Namespace(arm="soft"), "no arm 'soft'; choose one of plain, loud"),
    ):
        with pytest.raises(CallError, match=said):
            arm_of(options, STUDY)
    own = (
        Option("so-many", "", ("run",), kind=int, default=3, least=2),
        Option("kinds", "", ("run", "score"), several=True, default=("x",)),
        Option("shown", "", ("score",)),
    )
    study = replace(STUDY, options=own)
    assert settings_of(Namespace(), study, "run") == {"so_many": 3, "kinds": ("x",)}
    typed = Namespace(own_so_many=2, own_kinds=["y", "z"], own_shown="all")
    assert settings_of(typed, study, "run", "score") == {"so_many": 2, "kinds": ("y", "z"), "shown": "all"}
    with pytest.raises(CallError, match="--so-many is 1; 2 is the least"):
        settings_of(Namespace(own_so_many=1), study, "run")


def test_an_option_of_a_study_takes_the_place_of_one_that_all_have() -> None:
    parser = Parser(prog="casespan")
    add_seed(parser)
    add_own(parser, replace(STUDY, options=(Option("seed", "", ("run",), kind=int, default=4),)), "run")
    for words, own in (("", 4), ("--seed 5", 5)):
        options = parser.parse_args(words.split())
        assert (options.own_seed, options.seed) == (own, None)


def test_what_a_study_needs_is_asked_for_and_its_help_ends_with_an_example(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parser = Parser(prog="casespan study build")
    needs = Option("mimic", "the folder", ("build",), required=True)
    add_own(parser, replace(STUDY, options=(needs,), example="--mimic DIR"), "build")
    assert parser.parse_args(["--mimic", "d"]).own_mimic == "d"
    with pytest.raises(SystemExit):
        parser.parse_args([])
    assert "the following arguments are required: --mimic" in capsys.readouterr().err
    assert parser.epilog == "Example: casespan study build study.casespan toy --mimic DIR"


def test_a_default_that_help_speaks_of_is_the_one_that_is_taken() -> None:
    wrong, number, usual, parsers = [], 0, RunOptions(model="m"), [build_parser()]
    for parser in parsers:
        if parser.fill is not None:
            parser.fill(parser)
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers += action.choices.values()
                continue
            taken = action.default
            if taken is None and action.dest in BOUNDS:
                taken = getattr(usual, action.dest)
            said = re.search(r"\(default:? ([^()]*)\)", action.help or "")
            if said is None or taken in (None, ""):
                continue
            number += 1
            words = ",".join(map(str, taken)) if isinstance(taken, tuple) else f"{taken}"
            if said[1] not in (words, words.removesuffix(".0"), "found out"):
                wrong.append((parser.prog, action.dest, said[1], words))
    assert (wrong, number > 50) == ([], True)


class CalledError(Exception):
    """The operation of a command was called, with what it was given."""


ASKED = StudyOptions({"please": "", "orders": 1}, "plain", model=RunOptions(model=""))
SCORED: dict[str, Any] = {"tasks": (), "published": True}


@pytest.mark.parametrize(
    ("call", "operation", "given", "named"),
    [
        (
            "corpus extract in --out c --with rules --timeout 5 --cluster tls://h:1 --allow-remote --limit 3",
            "corpus.extract.extract_corpus",
            (
                [Path("in")],
                Path("c"),
                CorpusOptions(limit=3, timeout=5.0, place=Place(1, "tls://h:1", allow_remote=True)),
                complain,
            ),
            {},
        ),
        (
            "corpus sample c s.casespan --count 5 --by category --seed 3",
            "corpus.results.sample_corpus",
            (Path("c"), Path("s.casespan"), 5, "category", 3),
            {},
        ),
        (
            "corpus quality c s.casespan --annotator A --width 0.2",
            "corpus.results.measure_quality",
            (Path("c"), Path("s.casespan"), "A", 0.2),
            {},
        ),
        (
            "corpus search c cough --category GI --limit 3",
            "corpus.results.search_corpus",
            (Path("c"), "cough", "GI", 3),
            {},
        ),
        (
            "import p f - --format brat --annotator A --only-case-reports --exclude-titles --terms t "
            "--labels m --no-pictures --dry-run",
            "project.import_.preview_import",
            (
                None,
                [Path("f"), "pasted"],
                ImportOptions("brat", "A", True, True, Path("t"), Path("m"), pictures=False),
            ),
            {},
        ),
        (
            "merge p a b --preview",
            "exchange.export.bring_together",
            (None, [Path("a"), Path("b")]),
            {"preview": True},
        ),
        (
            "packet p d --to A B --overlap 1 --seed 2",
            "exchange.export.cut_packets",
            (None, Path("d"), ["A", "B"]),
            {"overlap": 1, "seed": 2},
        ),
        ("undo p --past-runs", "project.history.undo_change", (None,), {"past_runs": True}),
        ("undo p", "project.history.undo_change", (None,), {"past_runs": False}),
        ("undo p --to 3", "project.history.undo_to", (None, "3"), {}),
        ("redo p --to 3", "project.history.redo_to", (None, "3"), {}),
        ("figures p --from d --document R", "annotate.find.find_figures", (None, [Path("d")], ["R"]), {}),
        ("figures p --save d --document R", "annotate.find.save_pictures", (None, Path("d"), ["R"]), {}),
        (
            "anchor p --document R --code 558 --alias a --alias b --by A",
            "annotate.view.set_anchor",
            (None, "R", "558", ["a", "b"], "A"),
            {},
        ),
        ("anchor p --document R --none --by A", "annotate.view.set_anchor", (None, "R", None, (), "A"), {}),
        ("anchor p --document R --alias a --by A", "annotate.view.add_alias", (None, "R", ["a"], "A"), {}),
        (
            "anchor p --document R --auto --by A",
            "annotate.view.proposing_anchors",
            (None, ("R",), "A"),
            {},
        ),
        (
            "view p --track t1 --profile paper --document R --hints",
            "annotate.view.viewing",
            (None, ("T1",), "paper"),
            {"reports": ("R",), "hints": True, "cuts": {}},
        ),
        (
            "agree p --left a --right b --concepts HPO --profile strict",
            "reconcile.agree.measure_concepts",
            (None, "a", "b", "HPO", "strict"),
            {},
        ),
        (
            "review p --run r --annotator A --document R --reject 12345678",
            "reconcile.review.find_items",
            (None, "r", ["12345678"], "R"),
            {},
        ),
        (
            "review p --run r --annotator A --document R --accept-same --category GI",
            "reconcile.review.accept_all_same",
            (None, "A", "r", "R", "GI"),
            {},
        ),
        (
            "queue p --left a --right b --below 30 --order frequent",
            "reconcile.queue.read_queue",
            (None, "a", "b"),
            {"below": 30, "order": "frequent"},
        ),
        (
            "gold p --left a --right b --as G --by A --dry-run",
            "reconcile.queue.build_gold",
            (None, "A", "a", "b", "G"),
            {"dry_run": True},
        ),
        ("gold p --corrections A", "reconcile.queue.list_corrections", (None, "A"), {}),
        ("amend p --list --category GI", "reconcile.amend.list_amendments", (None, "GI"), {}),
        ("amend p --outdated --category GI", "reconcile.amend.list_outdated", (None, "GI"), {}),
        (
            "bias p --annotator A --run r --against g",
            "reconcile.bias.measure_bias",
            (None, "A", "r", "g"),
            {},
        ),
        (
            "plant p --run r --as n --count 3 --seed 4 --kind label --kind boundary",
            "reconcile.bias.plant_errors",
            (None, "r", "n"),
            {"share": 0.1, "count": 3, "seed": 4, "kinds": ["label", "boundary"]},
        ),
        (
            "rate p --run r --document R --rater A --score accuracy=4 --note N --blind",
            "reconcile.rate.rate_output",
            (None, "A", "r", "R", {"accuracy": 4}, "N"),
            {"blind": True},
        ),
        (
            "rate p --run r --document R --rater A --remove --blind",
            "reconcile.rate.remove_rating",
            (None, "A", "r", "R"),
            {"blind": True},
        ),
        (
            "rate p --from s.csv --rater A --blind",
            "reconcile.rate.read_rating_sheet",
            (None, Path("s.csv"), "A"),
            {"blind": True},
        ),
        (
            "rate p --template s.csv --rater A --run r",
            "reconcile.rate.write_rating_sheet",
            (None, "A", Path("s.csv"), ["r"]),
            {"blind": False},
        ),
        *(
            (f"rate p --run r --rater A{more}", f"reconcile.rate.{name}", (None, *out, ["r"], ["A"]), {})
            for more, name, out in (
                ("", "summarise_ratings", ()),
                (" --csv o", "export_ratings", (Path("o"),)),
                (" --html o", "report_ratings", (Path("o"),)),
            )
        ),
        (
            "rename p R --title T --key K",
            "project.reports.rename_report",
            (None, "R"),
            {"title": "T", "key": "K"},
        ),
        (
            "extract p --with rules --document R --category GI --category GU",
            "extract.extract.extract_with_rules",
            (None, ["R"], ["GI", "GU"]),
            {},
        ),
        (
            "study score p toy --run a --by organ --profile paper --published",
            "study.score.scoring_study",
            (None, STUDY, ["a"], ["organ"], "paper", {}),
            SCORED,
        ),
        (
            "study export p toy d --any-licence",
            "study.items.export_study",
            (None, STUDY, Path("d")),
            {"any_licence": True},
        ),
        (
            "study items p toy --seed 0 --label organ=liver --arm loud --orders 2",
            "study.items.list_items_of",
            (
                None,
                STUDY,
                StudyOptions(
                    {"please": "", "orders": 2},
                    "",
                    (),
                    {"organ": ["liver"]},
                    model=RunOptions(model="", seed=0),
                ),
            ),
            {},
        ),
        (
            "study run p toy --with liver --name mine --count 3 --minutes 2 --seed 0 --resume --new-run",
            "study.answering.run_with_method",
            (
                None,
                STUDY,
                "liver",
                replace(
                    ASKED,
                    arm="",
                    name="mine",
                    model=RunOptions(model="", seed=0, resume=True, new_run=True),
                    count=3,
                    minutes=2.0,
                ),
            ),
            {},
        ),
        (
            "study run p toy --replay r.jsonl --arm loud",
            "study.answering.run_with_replies",
            (None, STUDY, Path("r.jsonl"), replace(ASKED, arm="loud")),
            {},
        ),
        (
            "study judge p toy --rater A --from s.csv --blind",
            "study.answering.rate_answers",
            (None, STUDY, "A", Path("s.csv"), StudyOptions({})),
            {"blind": True},
        ),
        (
            "study judge p toy --rater A --template t.csv --run one",
            "study.answering.write_sheet",
            (None, STUDY, ["one"], Path("t.csv"), StudyOptions({})),
            {"blind": False},
        ),
        (
            "study answer p toy --person A --next --label organ=liver --count 2",
            "study.answering.next_question",
            (None, STUDY, "A", StudyOptions({}, labels={"organ": ["liver"]}, count=2)),
            {},
        ),
        (
            "study answer p toy --person A --item rash --value '[\"A\"]' --seconds 4 --count 2",
            "study.answering.record_answer",
            (None, STUDY, "A", [Given("rash", "", ["A"], seconds=4.0)], StudyOptions({}, count=2)),
            {},
        ),
    ],
)
def test_a_command_hands_on_all_that_was_typed(
    monkeypatch: pytest.MonkeyPatch,
    call: str,
    operation: str,
    given: tuple[object, ...],
    named: dict[str, object],
) -> None:
    def stop(*args: object, **more: object) -> None:
        raise CalledError(args, more)

    monkeypatch.setitem(STUDIES, "toy", "tests.toy_study.study:STUDY")
    monkeypatch.setattr(f"app.cli.commands.{operation}", stop)
    monkeypatch.setattr("sys.stdin", io.StringIO("pasted"))
    monkeypatch.setattr("app.cli.commands.project.import_.pasted", str)
    options = build_parser().parse_args(shlex.split(call))
    options.project = None
    with pytest.raises(CalledError) as told:
        options.command.run(options)
    assert told.value.args == (given, named)


def test_each_server_of_a_corpus_gets_so_many_calls_and_may_be_silent_for_so_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(clients: list[Client], *args: object) -> None:
        raise CalledError([one.where for one in clients], *args)

    monkeypatch.setattr("extractors.llm.backends.several.SeveralServers", stop)
    hosts = [f"http://127.0.0.1:{port}" for port in (1, 2)]
    words = f"corpus extract in --out c --model m --host {' '.join(hosts)} --parallel 3"
    for more, silence in (("", 300.0), (" --timeout 5", 5.0)):
        options = build_parser().parse_args(f"{words}{more}".split())
        with pytest.raises(CalledError) as told:
            options.command.run(options)
        assert told.value.args == (hosts, 3, silence)


def test_an_export_is_of_the_reports_and_parts_that_were_named(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []

    def stop(*args: object) -> None:
        raise CalledError(*args)

    def look(*args: object) -> Any:  # noqa: ANN401
        looked.append(args)
        yield from ()
        return {}

    monkeypatch.setattr("app.cli.commands.exchange.export.find_identifiers", look)
    monkeypatch.setattr("app.cli.commands.exchange.export.export_annotations", stop)
    words = "export p out --format hf --annotator A --document a --document b --seed 4 --splits 8,1,1"
    options = build_parser().parse_args(words.split())
    options.project = None
    with pytest.raises(CalledError) as told:
        options.command.run(options)
    assert told.value.args == (None, Path("out"), "hf", "A", Selection(("a", "b"), 4, (8, 1, 1)))
    assert looked == [(None, ["a", "b"])]


@pytest.mark.parametrize("number", [0, 20, 22])
def test_what_went_wrong_is_said_in_twenty_lines_and_how_many_more_there_are(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    troubles = [Namespace(report=f"r{at}", sentence="It failed.") for at in range(number)]
    monkeypatch.setattr(phenotypes, "describe_phenotype_run", lambda _: ["Done."])
    run = Namespace(profiles=(), unnamed={}, model=Namespace(troubles=troubles))
    phenotypes._show(Namespace(json=False), run)  # type: ignore[arg-type]
    more = ["  and 2 more (--json lists them all)"] if number == 22 else []
    said = [f"  r{at}: It failed." for at in range(number)][:20]
    assert capsys.readouterr().out.splitlines() == ["Done.", *said, *more]


def test_what_is_noted_of_a_models_calls_is_among_the_notes() -> None:
    nothing: dict[str, Any] = dict.fromkeys(("about", "planned", "made", "missing", "incomplete", "stopped"))
    model = Namespace(**nothing, notes=("It is slow.",), calls={}, troubles=())
    run: Any = Namespace(release="", annotator="", notes=("One.",), model=model, unknown={}, profiles=())
    assert phenotypes._json(run)["notes"] == ["One.", "It is slow."]


@pytest.mark.parametrize(
    ("new", "again", "resumed"),
    [("", "", ""), (" --new-run", " without --new-run", "without --new-run, and ")],
)
def test_a_run_that_is_stopped_is_taken_up_by_a_command_that_does_so(
    new: str, again: str, resumed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("app.operations.profile.asked.replay_terms", lambda *_: (None, "m"))
    monkeypatch.setattr("app.cli.servers.finish", stop)
    options = build_parser().parse_args(f"phenotypes p --replay f.jsonl{new}".split())
    with pytest.raises(InterruptedRunError, match=f"and the same command{again} goes on from there"):
        phenotypes.phenotypes(options)
    monkeypatch.setitem(STUDIES, "toy", "tests.toy_study.study:STUDY")
    monkeypatch.setattr(answering, "finish_run", lambda *_: Namespace(stopped="It is gone.", failed={}))
    monkeypatch.setattr(answering, "_show", lambda _: None)
    assert answering.run(build_parser().parse_args(f"study run p toy --with liver{new}".split())) == 1
    said = f"casespan: It is gone. The same command {resumed}with --resume{',' if new else ''} goes on"
    assert capsys.readouterr().err == f"{said} from there.\n"


def test_of_every_model_of_a_grid_it_is_said_that_texts_go_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(grid, "client_of", lambda _: "client")
    monkeypatch.setattr(grid, "warn_of_remote", lambda options, client, model: asked.append(model))
    for name in ("model_options", "run_grid", "finish_run"):
        monkeypatch.setattr(grid, name, lambda *_: None)
    options = Namespace(
        model=["here", "there", "here"], strategy=None, prompting=None, against="gold", project=None
    )
    for options.allow_remote in (True, False):
        grid._run(options)
    assert asked == ["here", "there"]
