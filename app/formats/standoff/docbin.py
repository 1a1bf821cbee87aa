"""spaCy's DocBin: tokenised documents with spans, overlapping ones too, in one binary file."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.formats.documents.text import text_document
from app.formats.format import Format
from app.formats.losses import Lacking
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, ReportExport, Span
from app.formats.standoff.places import (
    GivenText,
    Labelled,
    coded,
    joined,
    listed_details,
    looked_at_in,
    placed,
    span_details,
    tokenizer,
    tokens_of,
)
from app.text import counted
from extractors.model.errors import FormatError
from extractors.model.finding import POLARITIES

if TYPE_CHECKING:
    from spacy.tokens import Doc, DocBin
    from spacy.tokens import Span as Stretch

_GROUP = "sc"
_OWN = "casespan"
_MOST = 1_000_000_000
_PIECE = 1 << 20
_NOT_READ = "This DocBin cannot be read by spaCy {}: it is damaged, or of another version of spaCy."
_LAYERS = ("TAG", "POS", "LEMMA", "DEP", "MORPH")


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The report of each document; spans of any group, or where there is none, its entities."""
    from spacy.about import __version__
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    _require_bearable(payload.data)
    try:
        box = DocBin(store_user_data=True).from_bytes(payload.data)
        number = len(box)
    except Exception:  # whatever another version has in such a place
        raise FormatError(_NOT_READ.format(__version__)) from None

    def reports() -> Iterator[Imported | LeftOut]:
        documents = box.get_docs(Vocab())
        for place in range(1, number + 1):
            source = f"{payload.source}#{place}"
            try:
                yield _report(next(documents), payload, source, digest, categories)
            except FormatError as error:
                yield LeftOut(source, payload.name, f"Document {place}: {error}", failed=True)
            except Exception:
                # What gives the documents out has ended with this one.
                reason = f"Document {place} and those behind it: {_NOT_READ.format(__version__)}"
                yield LeftOut(source, payload.name, reason, failed=True)
                return

    return joined(reports())


def _require_bearable(data: bytes) -> None:
    """Raise FormatError for what is no compressed file, or would take all memory."""
    opened, size, rest = zlib.decompressobj(), 0, data
    try:
        while rest and size <= _MOST:
            size += len(opened.decompress(rest, _PIECE))
            rest = opened.unconsumed_tail
    except zlib.error:
        raise FormatError("This DocBin is damaged, or only a part of one.") from None
    if size > _MOST:
        raise FormatError(f"This DocBin holds more than {_MOST // 1_000_000_000} GB; divide it.")
    if not opened.eof:
        raise FormatError("This DocBin is only a part of one; copy the whole file.")


def _report(document: Doc, payload: Payload, source: str, digest: str, categories: Sequence[str]) -> Imported:
    text = GivenText(document.text)
    if not text.text.strip():
        raise FormatError("it has no text.")
    about = document.user_data.get(_OWN)
    about = about if isinstance(about, dict) else {}
    values: dict[tuple[object, ...], list[Mapping[str, Any]]] = {}
    for one in about.get("spans", ()):
        if isinstance(one, dict):
            values.setdefault((one.get("start"), one.get("end"), one.get("label")), []).append(one)
    stretches = [(name, one) for name, group in document.spans.items() for one in group]
    notes = []
    if not stretches and document.ents:
        stretches = [("", one) for one in document.ents]
        notes.append("Its spans are the document's entities, which do not overlap.")
    spans = []
    for name, stretch in stretches:
        more = values.get((stretch.start_char, stretch.end_char, stretch.label_))
        spans.append(_span(stretch, name, more.pop(0) if more else {}, text))
    layers = [name.lower() for name in _LAYERS if document.has_annotation(name)]
    if layers:
        notes.append(f"What it says of tokens ({', '.join(layers)}) is not kept.")
    rest = _rest(document, notes)
    key, title = str(about.get("key") or ""), str(about.get("title") or "")
    return Imported(
        text_document(text.text, key or payload.name, categories, title),
        source,
        digest,
        looked_at_in(about.get("looked_at"), categories),
        tuple(notes),
        spans=tuple(spans),
        rest=rest,
        key=key,
    )


def _rest(document: Doc, notes: list[str]) -> dict[str, Any]:
    """The document's categories and user data, as far as they are plain."""
    others = {key: value for key, value in document.user_data.items() if key != _OWN}
    plain = {key: value for key, value in others.items() if isinstance(key, str) and _is_plain(value)}
    if len(plain) < len(others):
        notes.append(f"{counted(len(others) - len(plain), 'entry', 'entries')} of its user data not kept.")
    rest = {"cats": dict(document.cats), "user_data": plain}
    return {FORMAT.id: {key: value for key, value in rest.items() if value}} if any(rest.values()) else {}


def _is_plain(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(one) for key, one in value.items())
    return value is None or isinstance(value, str | int | float | bool)


def _span(stretch: Stretch, group: str, details: Mapping[str, Any], text: GivenText) -> Span:
    place = text.place(stretch.start_char, stretch.end_char)
    polarity = next((one for one in POLARITIES if one == details.get("polarity")), None)
    parts = [text.place(*one) for one in details.get("fragments", ()) if len(one) == 2]
    own = {"group": group} if group not in ("", _GROUP) else {}
    own |= {key: value for key, value in (("id", stretch.id_), ("kb_id", stretch.kb_id_)) if value}
    concepts = tuple(one for one in map(coded, map(str, details.get("concepts", ()))) if one)
    if concepts:
        own.pop("kb_id", None)
    return Span(
        stretch.label_ or "span",
        text.words(place),
        place,
        tuple(one for one in parts if one) if None not in parts else (),
        polarity,
        {FORMAT.id: own} if own else {},
        str(details.get("field") or ""),
        str(details.get("note") or ""),
        concepts,
    )


def _write(reports: Sequence[ReportExport]) -> Iterator[bytes]:
    """Spans under doc.spans["sc"], or the group they came in; what else is said of them as user data."""
    from spacy.tokens import DocBin

    box = DocBin(attrs=(), store_user_data=True)
    for report in reports:
        _add(_document(report), box)
        yield b""
    yield box.to_bytes()


def _add(document: Doc, box: DocBin) -> None:
    """As `DocBin.add` does it, but for asking every token for tags and lemmas that none of them has."""
    import srsly
    from spacy.attrs import ORTH, SPACY

    box.tokens.append(document.to_array([ORTH]).reshape(-1, 1))
    box.spaces.append(document.to_array([SPACY]).reshape(-1, 1).astype(bool))
    box.flags.append({"has_unknown_spaces": False})
    box.strings |= {document.vocab.strings[number] for number in set(box.tokens[-1][:, 0].tolist())}
    box.strings |= {
        text
        for group in document.spans.values()
        for one in group
        for text in (one.label_, one.kb_id_, one.id_)
        if text
    }
    box.cats.append(document.cats)
    box.user_data.append(srsly.msgpack_dumps(document.user_data))
    box.span_groups.append(document.spans.to_bytes())


def _document(report: ReportExport) -> Doc:
    from spacy.tokens import Doc
    from spacy.tokens import Span as Stretch

    text, found = report.document.text, placed(report)
    tokens = tokens_of(text, [one.place for one in found])
    words, blanks = [text[a:b] for a, b, _ in tokens], [ws for _, _, ws in tokens]
    document = Doc(tokenizer().vocab, words=words, spaces=blanks)
    starts = {start: number for number, (start, _, _) in enumerate(tokens)}
    ends = {end: number for number, (_, end, _) in enumerate(tokens, start=1)}
    groups: dict[str, list[tuple[Labelled, Stretch]]] = {_GROUP: []}
    for one in found:
        own = one.span.own.get(FORMAT.id, {}) if one.span else {}
        code = one.concepts[0].code if one.concepts else own.get("kb_id", "")
        first, behind = starts[one.place[0]], ends[one.place[1]]
        stretch = Stretch(document, first, behind, one.label, kb_id=code, span_id=own.get("id", ""))
        groups.setdefault(own.get("group", _GROUP), []).append((one, stretch))
    for name, group in groups.items():
        document.spans[name] = [stretch for _, stretch in group]
    came = report.rest.get(FORMAT.id, {})
    document.cats = dict(came.get("cats", {}))
    parts = [_details(one) for group in groups.values() for one, _ in group]
    document.user_data.update(came.get("user_data", {}))
    document.user_data[_OWN] = {
        "key": report.key,
        "title": report.document.title,
        "annotator": report.annotator,
        "looked_at": list(report.looked_at),
        "spans": parts,
    }
    return document


def _details(one: Labelled) -> dict[str, Any]:
    (start, end), details = one.place, span_details(one)
    return {"start": start, "end": end, "label": one.label, **details, **listed_details(one)}


def _detect(data: bytes) -> int:
    """Compressed, and when opened, a table of messages that begins with those of a DocBin."""
    if data[:1] != b"\x78":
        return 0
    try:
        start = zlib.decompressobj().decompress(data, 256)
    except zlib.error:
        return 0
    return 3 * (b"attrs" in start and (b"tokens" in start or b"version" in start))


FORMAT = Format(
    id="spacy",
    label="spaCy DocBin",
    made_by="documents of spaCy and Prodigy",
    about='Tokenised documents with their spans under doc.spans["sc"], to train and to look at with spaCy.',
    suffixes=(".spacy",),
    detect=_detect,
    read=_read,
    write=_write,
    losses=Lacking("spaCy's DocBin", ("about", "origin", "unplaced", "own words"), keeps="spacy"),
    carries=True,
)
