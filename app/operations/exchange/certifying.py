"""A certificate beside every export: what was written, read back by the format's own reader and compared."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Collection, Generator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from app import __version__
from app.formats import format_of, read
from app.formats.record import Imported, ReadBack, ReportExport
from app.formats.writing import write_atomically
from app.store.values import sha256
from app.text import counted, xml_text
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.formats.format import Format
    from app.formats.losses import Fact
    from extractors.model.scheme import Scheme

_Compared: TypeAlias = "tuple[int, list[Fact], list[Fact], bool]"
SUFFIX = ".certificate.json"


def certifying(
    out: Path,
    file_format: str,
    reports: Sequence[ReportExport],
    scheme: Scheme,
    annotator: str,
    losses: Sequence[str],
) -> Generator[Progress, None, ReadBack]:
    """Read back what stands at `out` and write the certificate beside it.

    Raises StorageError where the certificate cannot be written.
    """
    known = format_of(file_format)
    read = yield from _reading_back(out, known, reports, scheme)
    counts, texts = dict.fromkeys(("annotations", "terms", "other_labels"), 0), dict[str, str]()
    for report in reports:
        counts["annotations"] += len(report.annotations)
        counts["terms"] += len(report.profile)
        counts["other_labels"] += len(report.spans)
        texts[report.key] = sha256(report.document.text)
    value = {
        "program": {"name": "Casespan", "version": __version__},
        "scheme": {"id": scheme.id, "name": scheme.name, "version": scheme.version},
        "annotator": annotator,
        "format": file_format,
        "files": _digests(out),
        "reports": len(reports),
        **counts,
        "texts": texts,
        "read_back": {**asdict(read), "same": read.same},
        "losses": list(losses),
    }
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    write_atomically(out.with_name(out.name + SUFFIX), text)
    return read


def _reading_back(
    out: Path, known: Format, reports: Sequence[ReportExport], scheme: Scheme
) -> Generator[Progress, None, ReadBack]:
    from app.formats.losses import read_back

    if known.recount is not None:
        return known.recount(out, reports)
    waiting: dict[str, deque[int]] = {}
    for number, report in enumerate(reports):
        for name in {_name(report.document.text, ""), report.key}:
            waiting.setdefault(name, deque()).append(number)
    # Of each report what is kept, lost and more; those that nothing is like go by their place in the file.
    results: dict[int, _Compared] = {}
    others: dict[int, Imported] = {}
    read_again = 0
    for record in read(out, known.id, scheme.ids):
        if isinstance(record, Imported):
            numbers = waiting.get(_name(record.document.text, record.key), deque())
            while numbers and numbers[0] in results:
                numbers.popleft()
            if numbers:
                number = numbers.popleft()
                results[number] = _same(reports[number], record, known.lacks)
            else:
                others[read_again] = record
            read_again += 1
        yield Progress(read_again, len(reports), "read back")
    again, kept = len(results), 0
    missing, unexpected = list[str](), list[str]()
    for number, report in enumerate(reports):
        if number not in results:
            one = others.get(number) if read_again == len(reports) else None
            again += one is not None
            results[number] = _same(report, one, known.lacks)
        same, lost, more, text = results[number]
        kept += same
        missing += [] if text else [f"{report.key}: its text"]
        # An import would call a category complete, and so takes nothing of one that is not.
        open_ones = {one.finding.category for one in report.annotations}.difference(report.looked_at)
        missing += [
            f"{report.key}: {fact.label} {fact.quote!r}"
            + (", of a category that is not complete" if fact.label in open_ones else "")
            for fact in lost
        ]
        unexpected += [f"{report.key}: {fact.label} {fact.quote!r}" for fact in more]
    return read_back(f"the reader of {known.label}", again, kept, missing, unexpected)


def _same(report: ReportExport, record: Imported | None, lacks: Collection[str]) -> _Compared:
    """How many annotations are the same, which are lost, which more, and whether the text is as it was."""
    from app.formats.losses import compared, facts_in, facts_of

    there = facts_in(record, lacks) if record else Counter()
    text = xml_text(report.document.text) if "controls" in lacks else report.document.text
    alike = record is None or "texts" in lacks or record.document.text == text
    return *compared(facts_of(report, lacks), there), alike


def _name(text: str, key: str) -> str:
    return sha256(text) if text else key


def _digests(out: Path) -> dict[str, str]:
    files = sorted(out.rglob("*")) if out.is_dir() else [out]
    return {
        str(file.relative_to(out.parent).as_posix()): sha256(file.read_bytes())
        for file in files
        if file.is_file()
    }


def changed_since(path: Path) -> str:
    """Of an export that is not as the certificate beside it says, a sentence on that; "" for all else.

    Many formats have neither count nor end, so that a part of one looks whole.
    """
    try:
        certificate = json.loads(path.with_name(path.name + SUFFIX).read_bytes())
        there = {name.partition("/")[2]: digest for name, digest in certificate["files"].items()}
        spans, reports = (int(certificate[name]) for name in ("annotations", "reports"))
        now = {name.partition("/")[2]: digest for name, digest in _digests(path).items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ""
    changed = sum(now.get(name) != digest for name, digest in there.items())
    if not changed:
        return ""
    held = f"{counted(spans, 'annotation')} of {counted(reports, 'report')}"
    return (
        f"Not as it was exported, with {held}: {changed} of {counted(len(there), 'file')} changed or missing "
        "since. See that nothing was cut off."
    )


def describe_read_back(read: ReadBack) -> list[str]:
    """What reading back what was written showed, in sentences."""
    if read.same:
        return []
    parts = [f"Read back, {read.kept:,} annotations are the same"]
    if read.missing_number:
        parts.append(f"{read.missing_number:,} are not there again ({'; '.join(read.missing[:3])})")
    if read.unexpected_number:
        parts.append(f"{read.unexpected_number:,} are otherwise ({'; '.join(read.unexpected[:3])})")
    return [", ".join(parts) + "."]
