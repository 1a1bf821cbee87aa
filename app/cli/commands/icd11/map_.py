"""`casespan icd11 map` and `fixture`."""

from __future__ import annotations

import argparse
import csv
import io
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, Parser, add_json, echo, echo_json, echo_source, tell
from app.cli.servers import positive
from app.operations.project.output import require_writable_name, write_file
from app.studies.icd11.fixture import write_fixture
from app.tables import Table, csv_text
from app.text import counted
from extractors.model.errors import CallError

if TYPE_CHECKING:
    from extractors.terminology.icd11.classes import Classes
    from extractors.terminology.icd11.mapping import Mapped

_SOURCES, _VIAS = ("icd9cm", "icd10cm", "icd10", "text"), ("table", "text", "both")
_COLUMNS = (
    "code", "title", "rank", "icd11_code", "icd11_title", "uri", "score", "step", "reason", "release",
    "source",
)  # fmt: skip


def _map_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.csv", help="rows with the columns code and title")
    command.add_argument(
        "--from",
        dest="revision",
        required=True,
        choices=_SOURCES,
        help="what the codes are of; text: titles alone",
    )
    command.add_argument(
        "--via",
        choices=_VIAS,
        default="both",
        help="the maps that were imported; words: all of a title's, or of a stretch of it, in a title "
        "of ICD-11 or ICD-10; or both ranked together with what stands near (default: both)",
    )
    command.add_argument("--top", type=int, default=10, metavar="N", help="at most so many (default: 10)")
    command.add_argument(
        "--share",
        type=float,
        default=0.8,
        metavar="S",
        help="how much of a title's words must be found in a row (default: 0.8)",
    )
    command.add_argument("--release", default="", metavar="R", help="this release (default: the newest)")
    output = command.add_mutually_exclusive_group(required=True)
    output.add_argument("--out", type=Path, metavar="OUT.csv", help="write a row for each candidate")
    output.add_argument("--json", action="store_true", help="print one JSON value and nothing else")


def map_(options: argparse.Namespace) -> int:
    """Map every row, or say why it has nothing."""
    from extractors.terminology.icd11.classes import open_icd11, open_maps
    from extractors.terminology.icd11.mapping import Mapper

    if options.top < 1:
        raise CallError("--top must be 1 or more.")
    if not 0 < options.share <= 1:
        raise CallError("--share must be above 0 and at most 1.")
    if options.out:
        require_writable_name(options.out)
    classes = open_icd11(options.release)
    mapper = Mapper(classes, open_maps(classes.release))
    mapper.require(options.revision, options.via)
    limits = {"top": options.top, "share": options.share}
    mapped = [
        mapper.map(code, title, options.revision, options.via, **limits)
        for code, title in _rows(options.file, codes=options.revision != "text")
    ]
    if options.json:
        echo_json([_as_json(one) for one in mapped])
        echo_source(classes.citation, json=True)
        return 0
    write_file(options.out, _table(mapped, classes))
    without = sum(not one.candidates for one in mapped)
    echo(f"{counted(len(mapped), 'row')} mapped to {options.out}; {without} without any.")
    echo(classes.citation)
    return 0


def _rows(path: Path, *, codes: bool) -> list[tuple[str, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CallError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CallError(f"{path} is no text in UTF-8; save it as CSV in UTF-8.") from None
    reader = csv.DictReader(io.StringIO(text, newline=""))
    heads = {(head or "").strip().lower(): head for head in reader.fieldnames or ()}
    needed = ("code", "title") if codes else ("title",)
    missing = [name for name in needed if name not in heads]
    if missing:
        raise CallError(f"{path} has no column “{missing[0]}”; give its rows the columns code and title.")
    code = heads.get("code")
    return [((row[code] or "") if code else "", row[heads["title"]] or "") for row in reader]


def _as_json(one: Mapped) -> dict[str, object]:
    return {**asdict(one), "reason": one.reason or None}


def _table(mapped: list[Mapped], classes: Classes) -> str:
    """A row a candidate, and one for each row that has none; WHO's citation stands beside each title."""
    about = (classes.release, classes.citation)
    rows: list[tuple[object, ...]] = []
    for one in mapped:
        for rank, each in enumerate(one.candidates, start=1):
            cells = (rank, each.code, each.label, each.uri, each.score, each.step, "")
            rows.append((one.code, one.title, *cells, *about))
        if not one.candidates:
            rows.append((one.code, one.title, *[""] * 6, one.reason, *about))
    return csv_text(Table(_COLUMNS, tuple(rows)), mark=True)


MAP = Command("rows.csv --from icd10cm --json", _map_arguments, map_, project=False)


def _fixture_arguments(parser: Parser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new folder")
    parser.add_argument(
        "--admissions", type=positive(int), default=500, metavar="N", help="stays (default: 500)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed, others (default: 0)")
    add_json(parser)


def fixture(options: argparse.Namespace) -> int:
    expected = write_fixture(options.folder, options.admissions, options.seed)
    where, least = options.folder, expected["min_count"]
    lines = [
        f"{expected['about']}",
        f"Next: casespan terminology import ICD11 {where}/tables/*",
        f"Then: casespan study build P.casespan icd11 --mimic {where} --min-count {least} "
        f"--reports-from {where / 'reports.csv'}",
        f"{where / 'README.txt'} goes on to all tables of the study, of invented replies.",
    ]
    return tell(options, expected, lines)


FIXTURE = Command("mimic-fixture --admissions 500", _fixture_arguments, fixture, project=False)
