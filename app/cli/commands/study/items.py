"""`casespan study list`, `build`, `items`, `export`, `import` and `answers`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import Command, Parser, add_json, echo, echo_json, tell
from app.cli.servers import (
    FOR_SERVERS_OF_STUDIES,
    RECORDED,
    add_model_options,
    add_resume,
    add_seed,
    client_of,
    finish_run,
    refuse,
    run_options,
)
from app.cli.study_arguments import (
    add_labels,
    add_own,
    add_study,
    arm_of,
    labels_of,
    settings_of,
    study_of,
    tasks_of,
)
from app.messages import under_licence
from app.operations.extract.options import RunOptions
from app.operations.study.building import Writer, build_items
from app.operations.study.exchange import answers_json, export_study, import_study, write_lines
from app.operations.study.items import BuildSummary
from app.operations.study.running import StudyOptions, list_items_of, list_prompts_of
from app.studies import studies
from app.text import counted
from extractors.model.errors import CallError


def _items_arguments(parser: Parser) -> None:
    study = add_study(parser)
    if study is not None and study.arms:
        parser.add_argument("--arm", metavar="NAME", help="with --prompts: the way in which a model is asked")
    parser.add_argument("--prompts", action="store_true", help="with what a model would be asked of each")
    add_seed(parser)
    add_labels(parser)
    output = parser.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--out", type=Path, metavar="FILE", help="write one JSON object a line")
    add_own(parser, study, "items", "run")


def items(options: argparse.Namespace) -> int:
    study = study_of(options)
    tasks, labels = tasks_of(options), labels_of(options)
    settings = settings_of(options, study, "items", "run")
    model = RunOptions(model="", seed=1 if options.seed is None else options.seed)
    arm = arm_of(options, study) if options.prompts else ""
    wanted = StudyOptions(settings, arm, tasks, labels, model=model)
    list_of = list_prompts_of if options.prompts else list_items_of
    found = list_of(options.project, study, wanted)
    if options.out:
        write_lines(options.out, found)
        echo(f"{counted(len(found), 'item')} written to {options.out}.")
    elif options.json:
        echo_json(found)
    elif options.prompts:
        raise CallError("Prompts are long; add --json, or --out FILE.")
    else:
        for one in found:
            echo(f"{one['task']}  {one['id']}")
        if not found:
            echo(f"No items yet. Next: casespan study build {options.path} {study.id} {study.example}")
    return 0


ITEMS = Command("study.casespan STUDY --json", _items_arguments, items)


def list_(options: argparse.Namespace) -> int:
    found = studies()
    if options.json:
        echo_json(
            [
                {
                    "id": one.id,
                    "title": one.title,
                    "about": one.about,
                    "needs": one.needs,
                    "lacks": list(one.lacks()),
                    "tasks": list(one.tasks),
                    "methods": [{"id": method.id, "about": method.about} for method in one.methods],
                    "models": one.ask is not None,
                    "arms": list(one.arms),
                    "measures": [measure.id for measure in one.measures],
                    "tables": [table.number for table in one.tables],
                }
                for one in found
            ]
        )
        return 0
    for one in found:
        echo(f"{one.id}  {one.title}")
        echo(f"    {one.about}")
        echo(f"    needs: {one.needs}")
        for sentence in one.lacks():
            echo(f"    not here yet: {sentence}")
        methods = [*(method.id for method in one.methods), *(["any model"] if one.ask else [])]
        echo(f"    tasks: {', '.join(one.tasks)}; answered by {', '.join(methods) or 'people'}")
    return 0


LIST = Command("--json", add_json, list_, project=False)


def _build_arguments(parser: Parser) -> None:
    study = add_study(parser)
    if study is not None and study.builds_with_model:
        parser.add_argument("--replay", type=Path, metavar="FILE", help="a model's replies from a file")
        add_resume(parser)
        parser.add_argument("--new-run", action="store_true", help="have a model write everything anew")
        add_model_options(parser, sections=False)
    else:
        add_seed(parser)
    parser.add_argument(
        "--from",
        dest="sources",
        action="extend",
        nargs="+",
        type=Path,
        default=[],
        metavar="PATH",
        help="files or folders to build from; without any, the project's own reports where the study can",
    )
    add_json(parser)
    add_own(parser, study, "build")


def build(options: argparse.Namespace) -> int:
    study = study_of(options)
    settings = settings_of(options, study, "build")
    writer = None
    if study.builds_with_model:
        if options.replay:
            refuse(options, FOR_SERVERS_OF_STUDIES, RECORDED)
        writer = Writer(lambda: client_of(options), run_options(options, ""), options.replay)
    seed = 1 if options.seed is None else options.seed
    job = build_items(options.project, study, options.sources, settings, seed, tasks_of(options), writer)
    return show_build(finish_run(options, job), as_json=options.json)


def show_build(summary: BuildSummary, *, as_json: bool) -> int:
    """What a build or an import brought."""
    if as_json:
        fields = asdict(summary)
        del fields["wrong"]
        echo_json({key: value for key, value in fields.items() if key != "notes" or value})
        return 1 if summary.wrong else 0
    echo(f"{counted(summary.items, 'item')} of {summary.study}, {summary.added:,} of them new.")
    for label, values in summary.by.items():
        if values:
            echo(f"  {label}: {', '.join(f'{value} {number:,}' for value, number in values.items())}")
    for reason, number in summary.left_out.items():
        echo(f"  left out: {number:,}  {reason}")
    for note in summary.notes:
        echo(f"  {note}")
    return 1 if summary.wrong else 0


BUILD = Command("study.casespan STUDY --from cases.jsonl", _build_arguments, build, writes=True)


def _export_arguments(parser: Parser) -> None:
    add_study(parser)
    parser.add_argument("out", type=Path, metavar="DIR", help="a new folder")
    parser.add_argument(
        "--any-licence", action="store_true", help="pass pictures on whatever their licence says"
    )
    add_json(parser)


def export(options: argparse.Namespace) -> int:
    study, out = study_of(options), options.out
    card = export_study(options.project, study, out, any_licence=options.any_licence)
    words = f"{counted(card['items'], 'item')} of {card['study']} written to {options.out}."
    return tell(options, card, [words, *(f"  {under_licence(guard)}" for guard in card["guards"])])


EXPORT = Command("study.casespan STUDY shared-items", _export_arguments, export)


def _import_arguments(parser: Parser) -> None:
    add_study(parser)
    parser.add_argument("source", type=Path, metavar="PATH", help="a folder as exported, or an items.jsonl")
    add_json(parser)


def import_(options: argparse.Namespace) -> int:
    return show_build(import_study(options.project, study_of(options), options.source), as_json=options.json)


IMPORT = Command("study.casespan STUDY shared-items", _import_arguments, import_, writes=True)


def _answers_arguments(parser: Parser) -> None:
    study = add_study(parser)
    parser.add_argument("--run", required=True, metavar="NAME", help="the run")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="one JSON object a line")
    add_own(parser, study)


def answers(options: argparse.Namespace) -> int:
    found = answers_json(options.project, study_of(options), options.run, tasks_of(options))
    write_lines(options.out, found)
    echo(f"{counted(len(found), 'answer')} written to {options.out}.")
    return 0


ANSWERS = Command("study.casespan STUDY --run ranker/STUDY --out answers.jsonl", _answers_arguments, answers)
