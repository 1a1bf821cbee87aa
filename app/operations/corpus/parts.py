"""Parts written in their order, each whole or not at all, so that what is there can be gone on with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from io import BytesIO
from pathlib import Path

from app.formats.writing import write_atomically
from app.operations.corpus.reading import Answer, Found, Passed, Row
from app.operations.corpus.schema import (
    FAILED,
    NO_ANSWER,
    TABLES,
    Manifest,
    Part,
    TableName,
    arrow_schema,
    finished_parts,
    part_file,
    read_part,
)
from extractors.model.errors import DamagedCorpusError

_PART = b"casespan.part"
_CALLED = ["report", "prompt_sha256", "state"]
_OPEN = ("failed", "cancelled")


class Parts:
    """The parts of a corpus, in their order: those that are there are taken over, others are written.

    Of each report its name and the hash of its text are remembered: some two hundred bytes.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._texts: dict[bytes, str] = {}
        self.parts: list[Part] = []
        self.made = self.reused = self.new_reports = self.quotes = 0
        self.left_out: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        for name in TABLES:
            (folder / name).mkdir(exist_ok=True)
            for stale in (folder / name).glob(".part-*.tmp"):
                stale.unlink()

    @property
    def reports(self) -> int:
        """How many there are, in parts that were made and taken over."""
        return sum(part.reports for part in self.parts)

    def has(self, part: int, sha256: str) -> bool:
        """Whether that part is there, whole, and was made of the very same."""
        try:
            tables = (read_part(self._folder, name, part) for name in TABLES)
            return all((one.schema.metadata or {}).get(_PART) == sha256.encode() for one in tables)
        except DamagedCorpusError:
            return False

    def take_over(self, part: int, sha256: str) -> None:
        """Count in a part that is there."""
        from pyarrow import parquet

        told = read_part(self._folder, "reports", part, ["report", "sha256"])
        for row in told.to_pylist():
            self._names.add(row["report"])
            self._texts[bytes.fromhex(row["sha256"])] = row["report"]
        left = read_part(self._folder, "left_out", part, ["reason"])
        self._count(left.column("reason").to_pylist())
        calls = read_part(self._folder, "calls", part, _CALLED)
        self._count_calls(calls.to_pylist())
        self.quotes += parquet.read_metadata(part_file(self._folder, "quotes", part)).num_rows
        self.parts.append(Part(part, told.num_rows, sha256))
        self.reused += 1

    def named(self, answers: Iterable[Answer]) -> tuple[list[tuple[str, Found]], list[Passed]]:
        """The reports under names of their own, and what is not among them; a text counts once."""
        reports, left_out = list[tuple[str, Found]](), list[Passed]()
        for one in answers:
            if isinstance(one, Passed):
                left_out.append(one)
                continue
            digest = bytes.fromhex(one.row["sha256"])
            same = self._texts.get(digest)
            if same is not None:
                left_out.append(
                    Passed(one.row["source"], "repeated", f"Its text is that of {same}.", one.key)
                )
                continue
            name = self._free(one.key)
            self._names.add(name)
            self._texts[digest] = name
            reports.append((name, one))
        return reports, left_out

    def write(
        self,
        part: int,
        sha256: str,
        reports: Sequence[tuple[str, Found]],
        left_out: Sequence[Passed],
        calls: Sequence[Row] = (),
    ) -> None:
        """Write a part; `reports` comes last, since it says that the others are there."""
        tables: dict[TableName, Sequence[Row]] = {
            "quotes": [
                {"report": name, "number": number, **quote}
                for name, one in reports
                for number, quote in enumerate(one.quotes)
            ],
            "calls": calls,
            "left_out": [asdict(one) for one in left_out],
            "reports": [{"report": name, **one.row} for name, one in reports],
        }
        part_file(self._folder, "reports", part).unlink(missing_ok=True)
        for table, rows in tables.items():
            write_atomically(part_file(self._folder, table, part), _parquet(table, rows, sha256))
        self._count(one.reason for one in left_out)
        self._count_calls(calls)
        self.quotes += len(tables["quotes"])
        self.parts.append(Part(part, len(reports), sha256))
        self.made += 1
        self.new_reports += len(reports)

    def drop_others(self) -> None:
        """Remove the parts of an earlier call behind the last one."""
        known = {one.part for one in self.parts}
        for part in finished_parts(self._folder):
            if part not in known:
                for name in reversed(TABLES):
                    part_file(self._folder, name, part).unlink(missing_ok=True)

    def added_to(self, manifest: Manifest, state: str) -> Manifest:
        """The manifest with these parts."""
        return replace(manifest, parts=list(self.parts), state=state)

    def _free(self, key: str) -> str:
        name = key
        while name in self._names:
            self._numbers[key] = self._numbers.get(key, 1) + 1
            name = f"{key}-{self._numbers[key]}"
        return name

    def _count(self, reasons: Iterable[str]) -> None:
        for reason in reasons:
            (self.failed if reason in FAILED else self.left_out)[reason] += 1

    def _count_calls(self, calls: Iterable[Row]) -> None:
        """Reports about which a question is open stay: what was answered about them holds."""
        answered: dict[tuple[str, str], bool] = {}
        for one in calls:
            key = one["report"], one["prompt_sha256"]
            answered[key] = answered.get(key, False) or one["state"] not in _OPEN
        open_ = {report for (report, _), good in answered.items() if not good}
        if open_:
            self.failed[NO_ANSWER] += len(open_)


def _parquet(name: TableName, rows: Sequence[Row], sha256: str) -> bytes:
    import pyarrow
    from pyarrow import parquet

    schema = arrow_schema(name)
    schema = schema.with_metadata({**schema.metadata, _PART: sha256.encode()})
    out = BytesIO()
    table = pyarrow.Table.from_pylist(list(rows), schema)
    # Without checksums a bit that a disk turned would be read as another letter.
    parquet.write_table(table, out, compression="zstd", write_page_checksum=True)
    return out.getvalue()
