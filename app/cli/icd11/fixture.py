"""`casespan icd11 fixture`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, Parser, add_json
from app.cli.console import tell
from app.cli.servers import positive
from app.studies.icd11.fixture import write_fixture

if TYPE_CHECKING:
    import argparse


def _arguments(parser: Parser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new folder")
    parser.add_argument(
        "--admissions", type=positive(int), default=500, metavar="N", help="stays (default: 500)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed, others (default: 0)")
    add_json(parser)


def fixture(options: argparse.Namespace) -> int:
    """Write the files."""
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


COMMAND = Command("mimic-fixture --admissions 500", _arguments, fixture, project=False)
