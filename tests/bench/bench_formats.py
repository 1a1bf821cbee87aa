"""Every format of annotations written and read again, against plain JSON of the same data."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from app.formats import READ_FORMATS, WRITE_FORMATS, format_of, read, write
from app.formats.record import ExportedAnnotation, Imported, ReportExport
from app.formats.standoff.places import tokens_of
from extractors.model.document import Document
from extractors.model.finding import Finding
from extractors.model.scheme import default_scheme
from tests.bench.measure import Measure, best_seconds
from tests.bench.samples import sample_reports

REPORTS, SPANS = 1_000, 100
LIMIT, BINARY_LIMIT = 8.0, 20.0
BINARY = ("bioc", "spacy")
# Those that say more of a text: every one of its words.
TOKENS = ("prodigy", "spacy", "conll")
SIZE = f"{REPORTS:,} reports with {SPANS} spans"
# Its library takes its time.
UNLIMITED = ("cas", "cas-json", "html", "pdf", "docx")


def measures(names: tuple[str, ...] = ()) -> list[Measure]:
    """One for each format that is read and written."""
    reports = _reports()
    found = []
    with TemporaryDirectory() as folder:
        data = _data(reports)
        plain = best_seconds(lambda: _plain(Path(folder, "plain.json"), data))
        with_tokens = plain
        if set(TOKENS) & set(names or TOKENS):
            data = [{**one, "tokens": _tokens(str(one["text"]))} for one in data]
            with_tokens = best_seconds(lambda: _plain(Path(folder, "plain.json"), data), 2)
        for name in names or [one for one in READ_FORMATS if one in WRITE_FORMATS and one not in UNLIMITED]:
            known = format_of(name)
            out = Path(folder, name if known.folder else name + known.suffixes[0])
            start = perf_counter()
            _there_and_back(out, name, reports)
            seconds = perf_counter() - start
            limit = BINARY_LIMIT if name in BINARY else LIMIT
            same = "plain JSON with tokens" if name in TOKENS else "plain JSON"
            ratio = seconds / (with_tokens if name in TOKENS else plain)
            found.append(Measure(f"export and import: {name}", ratio, limit, f"{same} ({SIZE})"))
    return found


def _reports() -> list[ReportExport]:
    """Reports of ordinary length, each with its own text, spans on words all over it."""
    texts = [report.document.text for report in sample_reports()]
    categories = default_scheme().ids
    return [
        _report(number, f"Report {number}\n\n{texts[number % len(texts)]}", categories)
        for number in range(REPORTS)
    ]


def _report(number: int, text: str, categories: tuple[str, ...]) -> ReportExport:
    step = len(text) // SPANS
    found = []
    for place in range(SPANS):
        start = place * step
        while text[start].isspace():
            start += 1
        end = start + min(max(step - 2, 3), 15)
        while end > start + 1 and text[end - 1].isspace():
            end -= 1
        category = categories[place % len(categories)]
        found.append(
            ExportedAnnotation(
                Finding(
                    category, text[start:end], start, end, polarity="negated" if place % 9 == 0 else "present"
                ),
                "human",
                "Anna",
            )
        )
    return ReportExport(Document(f"Report {number}", text, ()), f"r{number}", tuple(found), categories)


def _data(reports: list[ReportExport]) -> list[dict[str, object]]:
    return [
        {
            "id": report.key,
            "text": report.document.text,
            "spans": [asdict(one.finding) for one in report.annotations],
        }
        for report in reports
    ]


def _tokens(text: str) -> list[dict[str, object]]:
    return [
        {"text": text[start:end], "start": start, "end": end, "id": number, "ws": ws}
        for number, (start, end, ws) in enumerate(tokens_of(text, ()))
    ]


def _plain(path: Path, data: list[dict[str, object]]) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    json.loads(path.read_text(encoding="utf-8"))


def _there_and_back(out: Path, name: str, reports: list[ReportExport]) -> None:
    write(out, name, reports)
    number = sum(isinstance(one, Imported) for one in read(out, name))
    assert number == len(reports), (name, number)
