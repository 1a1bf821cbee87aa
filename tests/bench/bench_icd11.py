"""ICD-11's tables imported and searched; the titles are invented, as many and as long as WHO's."""

from __future__ import annotations

import csv
import os
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rapidfuzz.fuzz import token_sort_ratio
from rapidfuzz.process import extract

from extractors.terminology.library import FOLDER, import_terminology, open_terminology
from extractors.terminology.search import Search
from tests.bench.measure import Measure, interleaved_ratio

_CLASSES, _WORDS = 36_000, 12_000
_HEAD = (
    "Foundation URI\tLinearization URI\tCode\tBlockId\tTitle\tClassKind\tDepthInKind\tIsResidual\tChapterNo\t"
    "BrowserLink\tisLeaf\tPrimary tabulation\tGrouping1\tGrouping2\t"
    "Grouping3\tGrouping4\tGrouping5\tVersion:2024 Jan 21 - 22:30 UTC"
)
_LINK = '"=hyperlink(""https://icd.who.int/browse11/l-m/en#/http%3A%2F%2Fid.who.int%2Ficd%2Fentity%2F{}"",""browser"")"'


def measures() -> list[Measure]:
    """The import of a table against reading it bare, and each beginning of two titles, one misspelt."""
    with TemporaryDirectory() as folder:
        before = os.environ.get(FOLDER)
        os.environ[FOLDER] = folder
        try:
            return list(_measured(Path(folder)))
        finally:
            os.environ.pop(FOLDER)
            if before is not None:
                os.environ[FOLDER] = before


def _measured(folder: Path) -> Iterator[Measure]:
    table = folder / "SimpleTabulation-ICD-11-MMS-en.txt"
    table.write_text(_table(), encoding="utf-8")

    def bare() -> None:
        with table.open(encoding="utf-8", newline="") as lines:
            list(csv.reader(lines, delimiter="\t"))

    ratio = interleaved_ratio(lambda: import_terminology("ICD11", [table]), bare, repeats=3)
    yield Measure("icd11: import of a table", ratio, 8, "csv.reader over the same table")
    terminology = open_terminology("ICD11")
    search = Search(terminology)
    right = terminology.names[-1]
    wrong = right[1] + right[0] + right[2:]
    keys = [typed[:end] for typed in (right, wrong) for end in range(1, len(typed) + 1)]
    search.find("first")
    ratio = interleaved_ratio(
        lambda: [search.find(key) for key in keys],
        lambda: [extract(key, terminology.names, scorer=token_sort_ratio, limit=10) for key in keys],
        repeats=2,
    )
    yield Measure(
        "icd11: search per key press", ratio, 0.5, "rapidfuzz extract(token_sort_ratio) over all titles"
    )


def _table() -> str:
    chance = random.Random(0)
    letters = "abcdefghiklmnoprstuv"
    words = ["".join(chance.choices(letters, k=chance.randint(3, 11))) for _ in range(_WORDS)]
    # As in any language, few words make up most of the text.
    weights = [1 / (10 + rank) for rank in range(_WORDS)]
    lines = [_HEAD]
    for number in range(_CLASSES):
        depth = 0 if number % 1200 == 0 else 1 if number % 12 == 0 else 2
        kind = ("chapter", "block", "category")[depth]
        title = " ".join(chance.choices(words, weights, k=chance.randint(2, 8)))
        uri = f"http://id.who.int/icd/release/11/mms/{number}"
        code, block = (f"Q{number:05}", "") if depth == 2 else ("", f"Block-{number}" if depth else "")
        cells = [
            uri,
            uri,
            code,
            block,
            f'"{"- " * depth}{title}"',
            kind,
            "1",
            "False",
            f"{number // 1200 + 1:02}",
        ]
        lines.append("\t".join([*cells, _LINK.format(number), str(depth == 2), "True", *[""] * 6]))
    return "\n".join(lines)
