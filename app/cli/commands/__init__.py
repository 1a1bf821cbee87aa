"""Every command of the command line, in rooms by use, registered by one line."""

from __future__ import annotations

from app import __version__
from app.cli.arguments import Entry, Parser, add_commands

# A line here registers a command: its name, what it is for, the module that has it.
COMMANDS = (
    Entry("open", "Open the window; without a command, casespan does the same", "project.new:OPEN"),
    Entry("demo", "Run the whole main job on the sample reports that come with the program", "project.demo"),
    Entry("new", "Make an empty project file", "project.new:NEW"),
    Entry(
        "import",
        "Add case reports, or somebody's annotations of them, to a project",
        "project.import_:IMPORT",
    ),
    Entry(
        "labels",
        "List the labels that other programs' files brought along, and say what they stand for",
        "project.import_:LABELS",
    ),
    Entry("list", "List the reports, annotators, runs and review states of a project", "project.list"),
    Entry("search", "Find words in texts, titles, quotes, notes and categories", "annotate.find:SEARCH"),
    Entry(
        "spans",
        "List the spans of a report, a category or the project, or change several at once",
        "annotate.find:SPANS",
    ),
    Entry(
        "figures",
        "List figures and their pictures, and count reports, spans, words and time by category and section",
        "annotate.find:FIGURES",
    ),
    Entry("regions", "List, mark, remove and compare regions on the pictures of figures", "annotate.regions"),
    Entry(
        "extract",
        "Have the categories extracted, by the built-in rules or by a local model",
        "extract.extract",
    ),
    Entry(
        "phenotypes",
        "Find the HPO terms of reports, with their places, and the profile they make",
        "extract.phenotypes",
    ),
    Entry(
        "profile",
        "Show a report's profile of HPO terms; accept, change, add and reject its terms",
        "annotate.profile",
    ),
    Entry(
        "code",
        "Let spans stand for concepts of a terminology, or list what they may stand for",
        "annotate.code",
    ),
    Entry(
        "anchor",
        "Say what a report's diagnosis is, or have it proposed by the places that name it",
        "annotate.view:ANCHOR",
    ),
    Entry(
        "view",
        "Cut blinded views of cases for teaching and examination, each with its leakage audit",
        "annotate.view:VIEW",
    ),
    Entry(
        "grid",
        "Compare models, strategies and ways of prompting with an annotator, in one table",
        "extract.grid",
    ),
    Entry(
        "models",
        "List the models that a model server has, and what context fits into memory",
        "extract.models:MODELS",
    ),
    Entry("pull", "Have a model server fetch a model from its library (Ollama can)", "extract.models:PULL"),
    Entry("agree", "Measure how far two annotators, or every two of several, agree", "reconcile.agree"),
    Entry(
        "review",
        "Go through what a run found in a report: list it beside one's own spans, or judge it span by span",
        "reconcile.review",
    ),
    Entry(
        "rate",
        "Rate what a run has in a report, on twelve items from 1 to 5, or show the means of such ratings",
        "reconcile.rate",
    ),
    Entry(
        "amend",
        "Add a clause or an example to a category's guideline, or list what was added and whom it concerns",
        "reconcile.amend",
    ),
    Entry(
        "queue",
        "List everything on which two annotators differ: report-category pairs far apart, then single spans",
        "reconcile.queue:QUEUE",
    ),
    Entry("resolve", "Decide on differences of the queue", "reconcile.resolve"),
    Entry(
        "gold",
        "Build the gold set from agreement and decisions, or show how somebody's work was corrected",
        "reconcile.queue:GOLD",
    ),
    Entry(
        "bias",
        "Measure automation bias, the influence of a run's suggestions on an annotator, as a "
        "section for a methods paper",
        "reconcile.bias:BIAS",
    ),
    Entry(
        "plant",
        "Copy a run with errors planted into it, to see whether reviewers find them",
        "reconcile.bias:PLANT",
    ),
    Entry(
        "differential",
        "Rank the rare diseases that explain reports, by the terms found in them",
        "extract.rank:DIFFERENTIAL",
    ),
    Entry(
        "rank",
        "Rank the rare diseases that explain a patient's findings, each with its evidence",
        "extract.rank:RANK",
    ),
    Entry("terminology", "List, search, show and import terminologies such as HPO", "terminology"),
    Entry("icd11", "Map codes and titles to ICD-11, or write invented files in MIMIC's shape", "icd11"),
    Entry(
        "examine",
        "Let a model sit an examination on published evidence, and see what it knows",
        "extract.examine",
    ),
    Entry("study", "Have models, built-in methods and people answer a benchmark, and score them", "study"),
    Entry(
        "export",
        "Write one annotator's annotations, or the replies of a model run, to a file",
        "exchange.export:EXPORT",
    ),
    Entry("corpus", "Extract from a million reports into Parquet files, without a project", "corpus"),
    Entry(
        "packet",
        "Give reports to annotators: one project file each, blind to the others' work",
        "exchange.export:PACKET",
    ),
    Entry(
        "merge", "Bring packets and copies of a project back together, in one step", "exchange.export:MERGE"
    ),
    Entry(
        "delete",
        "Delete reports with all that is about them; undo brings all of it back",
        "project.reports:DELETE",
    ),
    Entry(
        "rename",
        "Give a report another title, or the key by which other commands and files name it",
        "project.reports:RENAME",
    ),
    Entry(
        "check",
        "Check hashes, offsets and the history chain; exit 1 and a list where something is off",
        "project.check:CHECK",
    ),
    Entry(
        "identifiers",
        "List words that may tell who a patient is: names, dates, numbers, addresses",
        "project.check:IDENTIFIERS",
    ),
    Entry("backup", "Copy a project as it is, also while it is in use", "project.copies:BACKUP"),
    Entry(
        "restore", "List the copies that were kept of a project, or go back to one", "project.copies:RESTORE"
    ),
    Entry("rescue", "Save what can still be read of a damaged project in a new one", "project.copies:RESCUE"),
    Entry("encrypt", "Encrypt a project with a passphrase, or give it another one", "project.copies:ENCRYPT"),
    Entry("decrypt", "Take the encryption off a project", "project.copies:DECRYPT"),
    Entry("undo", "Undo the last change of the project", "project.history:UNDO"),
    Entry("redo", "Redo the change that was undone", "project.history:REDO"),
    Entry("history", "List every change of the project, oldest first", "project.history:HISTORY"),
)


def build_parser() -> Parser:
    """The whole command line; a parsed command stands in `command`."""
    parser = Parser(
        prog="casespan",
        description="Turn clinical case reports into data: import, extract, compare, reconcile, export.",
        epilog="Example: casespan demo",
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"casespan {__version__}",
        help="print the version and stop",
    )
    add_commands(parser, COMMANDS, "commands", "COMMAND")
    return parser
