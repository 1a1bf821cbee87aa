"""The reports of a project: frozen at import, found by key, UUID or identifier."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from app.store.act import Act
from app.store.faults import damaged, sound
from app.store.values import Cell, canonical, new_uuid, sha256, string_map, strings, uuid_of
from extractors.model.document import Document, Section
from extractors.model.errors import ProjectError, UnknownNameError

if TYPE_CHECKING:
    from app.store.project import Project

_PMC = re.compile(r"(?:PMC)?(\d+)", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NAMED_AT_MOST = 10
# What people and programs write where there is no identifier, beside zeros and dashes.
_PLACEHOLDERS = frozenset({"n/a", "na", "none", "null", "nan", "nil", "unknown", "tbd"})

_SUMMARIES = (
    "SELECT d.*, (SELECT count(*) FROM section s WHERE s.document = d.uuid) AS sections FROM document d"
)


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A report in the project. `key` is its short name, unique here; hashes are hexadecimal SHA-256."""

    uuid: str
    key: str
    document: Document
    source: str
    source_sha256: str
    text_sha256: str
    added_at: str


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """What a list shows of a report; `characters` is the length of its text in code points."""

    uuid: str
    key: str
    title: str
    source: str
    added_at: str
    characters: int
    sections: int
    identifiers: Mapping[str, str]
    metadata: Mapping[str, str]


def add_document(
    act: Act, document: Document, source: str, source_sha256: str, name: str = ""
) -> StoredDocument:
    """Freeze a report into the project; whether it is there already is for `find_same` to say.

    Where it has no number of a register, its key is the `name` that a file gives it, or the file's own.

    Raises ProjectError where the sections do not tile the text, or where text or title hold half a character.
    """
    _require_tiling(document)
    identifiers = _lookup(document)
    stored = StoredDocument(
        uuid=act.fresh("document", uuid_of("document", document.text)),
        key=_free_key(act.project, natural_key(document, source, name)),
        document=document,
        source=source,
        source_sha256=source_sha256,
        text_sha256=act.keep_text(document.text),
        added_at=act.at,
    )
    act.insert(
        "document",
        {
            "uuid": stored.uuid,
            "position": act.next_position("document"),
            "key": stored.key,
            "title": document.title,
            "text_sha256": stored.text_sha256,
            "characters": len(document.text),
            **{kind: identifiers.get(kind) for kind in ("pmcid", "pmid", "doi")},
            "identifiers": canonical(dict(document.identifiers)),
            "metadata": canonical(dict(document.metadata)),
            "source": source,
            "source_sha256": source_sha256,
            "added_at": stored.added_at,
        },
    )
    act.insert_all("section", [_section_row(stored.uuid, n, s) for n, s in enumerate(document.sections)])
    return stored


def find_same(project: Project, document: Document) -> StoredDocument | None:
    """The report that shares a PMC, PubMed or DOI identifier or the very text with `document`, if any.

    Placeholders ("0", "n/a") are no identifiers. Whether the text is the same, too, is for `same_text` to
    say. Raises DamagedProjectError where that report is not what was imported.
    """
    wanted: dict[str, str] = {**_lookup(document), "text_sha256": sha256(document.text)}
    condition = " OR ".join(f"{column} = ?" for column in wanted)
    return next(iter(_load(project, condition, list(wanted.values()))), None)


def same_text(stored: StoredDocument, document: Document) -> bool:
    """Whether a report has the very text that is stored; if not, it is another version or another report."""
    return stored.text_sha256 == sha256(document.text)


def documents(project: Project) -> list[StoredDocument]:
    """All reports with their texts and sections, in import order.

    Raises DamagedProjectError where one is not what was imported.
    """
    return _load(project, "1", [])


def document(project: Project, key: str) -> StoredDocument:
    """The report of that key, UUID or PMC number ("PMC123" and "123" are the same).

    Raises UnknownNameError naming some of those there are, DamagedProjectError where it is not what was
    imported.
    """
    for condition, parameters in _named(key):
        if found := _load(project, condition, parameters):
            return found[0]
    raise _unknown(project, key)


def document_summaries(project: Project) -> list[DocumentSummary]:
    """All reports in import order without their texts.

    Raises DamagedProjectError where a record cannot be read.
    """
    return [_summary(project, row) for row in project.query(f"{_SUMMARIES} ORDER BY d.position")]


def document_summary(project: Project, key: str) -> DocumentSummary:
    """The report of that key, UUID or PMC number without its text, as `document` finds it.

    Raises UnknownNameError naming some of those there are, DamagedProjectError where its record cannot be
    read.
    """
    for condition, parameters in _named(key):
        if rows := project.query(f"{_SUMMARIES} WHERE {condition}", parameters):
            return _summary(project, rows[0])
    raise _unknown(project, key)


def _named(key: str) -> Iterator[tuple[str, list[str]]]:
    """What a report of that name meets, as SQL on the table `document`, the first first."""
    yield "key = ? OR uuid = ?", [key, key]
    if pmc := _PMC.fullmatch(key):
        yield "pmcid = ?", [pmc[1]]


def last_worked_on(project: Project, annotator: str) -> str | None:
    """The key of the report in which this annotator's (UUID) spans or review changed last, if it is there.

    Raises what `Project.query` raises.
    """
    rows = project.query(
        "SELECT d.key FROM (SELECT seq, table_name, CASE WHEN json_valid(coalesce(after, before)) "
        "THEN coalesce(after, before) END AS record FROM history) h "
        "JOIN document d ON d.uuid = json_extract(h.record, '$.document') "
        "WHERE h.table_name IN ('annotation', 'review') AND json_extract(h.record, '$.annotator') = ? "
        "ORDER BY h.seq DESC LIMIT 1",
        [annotator],
    )
    return rows[0]["key"] if rows else None


def set_section_categories(act: Act, document: str, position: int, categories: Iterable[str]) -> Section:
    """Set which categories the section at that position (from 0) of a report (UUID) speaks of.

    Raises UnknownNameError for a category that the scheme lacks or a section that is not there,
    DamagedProjectError where its record cannot be read.
    """
    wanted = {act.project.scheme.category(category).id for category in categories}
    ordered = tuple(category for category in act.project.scheme.ids if category in wanted)
    rows = act.project.query(
        "SELECT * FROM section WHERE document = ? AND position = ?", [document, position]
    )
    if not rows:
        raise UnknownNameError(f"There is no section {position} in document {document}.")
    with sound(act.project.path, f"a section of document {document}"):
        section = section_of(rows[0])
    if set(section.categories) == wanted:
        return section
    act.update("section", rows[0]["uuid"], {"categories": canonical(ordered)})
    return replace(section, categories=ordered)


def texts(project: Project, document: str | None = None) -> dict[str, str]:
    """The text of each report (or of the one) by document UUID.

    Raises DamagedProjectError where a text is not what was imported.
    """
    return {uuid: text for uuid, (_, text) in keyed_texts(project, document).items()}


def keyed_texts(project: Project, document: str | None = None) -> dict[str, tuple[str, str]]:
    """As `texts`, each with the report's key, in import order."""
    condition = "1" if document is None else "d.uuid = ?"
    rows = project.query(
        "SELECT d.uuid, d.key, d.text_sha256, t.text FROM document d JOIN text t ON t.sha256 = d.text_sha256 "
        f"WHERE {condition} ORDER BY d.position",
        [] if document is None else [document],
    )
    return {row["uuid"]: (row["key"], _checked_text(project, row)) for row in rows}


def tiling_fault(sections: Iterable[Section], characters: int) -> str:
    """What is wrong with the way sections cover a text of that length, "" if nothing is."""
    position = 0
    for section in sections:
        if section.start != position or section.end < section.start:
            return f"section {section.heading!r} starts at {section.start} instead of {position}"
        position = section.end
    if position != characters:
        return f"the sections end at {position} of {characters} characters"
    return ""


def section_of(row: Mapping[str, Any]) -> Section:
    """A section from its row; raises ValueError where a cell is not as the program writes it."""
    return Section(
        heading=row["heading"],
        path=strings(row["path"]),
        start=row["span_start"],
        end=row["span_end"],
        categories=strings(row["categories"]),
        role=row["role"],
        reason=row["reason"],
    )


def _load(project: Project, condition: str, parameters: list[str]) -> list[StoredDocument]:
    """Documents that meet an SQL condition on the table `document`, in import order, in two queries."""
    with project.snapshot():
        rows = project.query(
            "SELECT document.*, text.text FROM document JOIN text ON sha256 = text_sha256 "
            f"WHERE {condition} ORDER BY position",
            parameters,
        )
        section_rows = project.tuples(
            "SELECT document, heading, path, span_start, span_end, categories, role, reason FROM section "
            f"WHERE document IN (SELECT uuid FROM document WHERE {condition}) ORDER BY document, position",
            parameters,
        )
    key_of = {row["uuid"]: row["key"] for row in rows}
    sections: dict[str, tuple[Section, ...]] = {}
    for document, cells in groupby(section_rows, itemgetter(0)):
        with sound(project.path, f"a section of document {key_of[document]}"):
            sections[document] = tuple(
                Section(heading, strings(path), start, end, strings(categories), role, reason)
                for _, heading, path, start, end, categories, role, reason in cells
            )
    return [_stored(project, row, sections.get(row["uuid"], ())) for row in rows]


def _unknown(project: Project, key: str) -> UnknownNameError:
    if _UUID.fullmatch(key):
        # Nobody types one: the report was there when the act began.
        return UnknownNameError("The report is no longer in the project.")
    ((number,),) = project.tuples("SELECT count(*) FROM document")
    some = project.tuples("SELECT key FROM document ORDER BY position LIMIT ?", [_NAMED_AT_MOST])
    keys = [key for (key,) in some]
    more = f" and {number - _NAMED_AT_MOST} more" if number > _NAMED_AT_MOST else ""
    there_are = f"there are {', '.join(keys)}{more}" if keys else "the project has none yet"
    return UnknownNameError(f"There is no document {key!r}; {there_are}.")


def _summary(project: Project, row: Mapping[str, Any]) -> DocumentSummary:
    with sound(project.path, f"the record of document {row['key']}"):
        cells = {name: row[name] for name in DocumentSummary.__dataclass_fields__}
        maps = {name: string_map(row[name]) for name in ("identifiers", "metadata")}
        return DocumentSummary(**{**cells, **maps})


def _stored(project: Project, row: Mapping[str, Any], sections: tuple[Section, ...]) -> StoredDocument:
    with sound(project.path, f"the record of document {row['key']}"):
        identifiers, metadata = string_map(row["identifiers"]), string_map(row["metadata"])
    return StoredDocument(
        uuid=row["uuid"],
        key=row["key"],
        document=Document(
            title=row["title"],
            text=_checked_text(project, row),
            sections=sections,
            identifiers=identifiers,
            metadata=metadata,
        ),
        source=row["source"],
        source_sha256=row["source_sha256"],
        text_sha256=row["text_sha256"],
        added_at=row["added_at"],
    )


def _checked_text(project: Project, row: Mapping[str, Any]) -> str:
    text: str = row["text"]
    if sha256(text) != row["text_sha256"]:
        raise damaged(project.path, f"the text of document {row['key']} was changed after import")
    return text


def _section_row(document: str, position: int, section: Section) -> dict[str, Cell]:
    return {
        "uuid": new_uuid(),
        "document": document,
        "position": position,
        "heading": section.heading,
        "path": canonical(section.path),
        "span_start": section.start,
        "span_end": section.end,
        "categories": canonical(section.categories),
        "role": section.role,
        "reason": section.reason,
    }


def _require_tiling(document: Document) -> None:
    fault = tiling_fault(document.sections, len(document.text)) if document.sections else ""
    if fault:
        raise ProjectError(f"{document.title!r} cannot be stored: {fault}; please report this with the file.")


def _lookup(document: Document) -> dict[str, str]:
    """The identifiers by which the same report is known again: PMC as digits, DOI in lower case."""
    given = {kind: document.identifiers.get(kind, "").strip() for kind in ("pmcid", "pmid", "doi")}
    pmc = _PMC.fullmatch(given["pmcid"])
    if pmc:
        given["pmcid"] = pmc[1]
    given["doi"] = given["doi"].lower()
    return {kind: value for kind, value in given.items() if not _placeholder(value)}


def _placeholder(identifier: str) -> bool:
    return identifier.casefold() in _PLACEHOLDERS or not identifier.strip("0-–—./? ")


def natural_key(document: Document, source: str, name: str) -> str:
    """PMC number, other PMC identifier, DOI, PubMed number, name, file name, title: the first there is."""
    known = _lookup(document)
    pmcid = known.get("pmcid", "")
    if pmcid:
        return f"PMC{pmcid}" if pmcid.isdigit() else pmcid
    for kind in ("doi", "pmid"):
        if kind in known:
            return document.identifiers[kind].strip()
    return _slug(name) or _slug(PurePath(source).stem) or _slug(document.title) or "document"


def _slug(name: str) -> str:
    """Letters, digits, dots and underscores of a name, the rest as single hyphens, at most 60 characters."""
    return re.sub(r"[^\w.]+", "-", name).strip("-.")[:60]


def _free_key(project: Project, key: str) -> str:
    """The key itself, or with a free number behind it, found by halves: ten thousand may have the same."""

    def taken(candidate: str) -> bool:
        return bool(project.tuples("SELECT key FROM document WHERE key = ?", [candidate]))

    if not taken(key):
        return key
    low, high = 1, 2
    while taken(f"{key}-{high}"):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if taken(f"{key}-{middle}") else (low, middle)
    return f"{key}-{high}"
