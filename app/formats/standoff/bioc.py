"""BioC: documents in passages, annotations by offset and length in the document; here as XML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lxml import etree

from app.formats.documents.text import text_document
from app.formats.format import Format, first_characters
from app.formats.json_input import numbered
from app.formats.losses import Lack, Lacking
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, ReportExport, Span
from app.formats.standoff.bioc_text import PassageText, Place, holders_of
from app.formats.standoff.places import (
    Labelled,
    code_line,
    coded,
    coded_as,
    joined,
    looked_at_in,
    outside_notes,
    placed,
    same_codes,
    span_details,
)
from app.formats.xml_input import parse_xml
from app.text import counted, xml_text
from extractors.model.coding import Coding
from extractors.model.errors import FormatError
from extractors.model.finding import POLARITIES, Polarity

if TYPE_CHECKING:
    from bioc import BioCAnnotation, BioCCollection, BioCDocument
    from lxml.etree import _Element as Element

# What came along, in either of its shapes.
OWN = "bioc"
LACKS: tuple[Lack, ...] = ("about", "origin", "unplaced", "own words")
_TYPE, _CONCEPTS, _IDENTIFIER = "type", "concepts", "identifier"
_SAID = (_TYPE, "polarity", "field", "note", _CONCEPTS)
_OF_REPORT = ("title", "annotator", "looked_at")
_COLLECTION = re.compile(r"(?:<\?[^>]*\?>|<!--.*?-->|<!DOCTYPE[^>]*>|\s)*<collection[\s>]", re.DOTALL)
_END = "</collection>"
_POLARITIES: Mapping[str, Polarity] = {one: one for one in POLARITIES}


def report_of(
    document: BioCDocument,
    about: Mapping[str, Any],
    payload: Payload,
    source: str,
    digest: str,
    categories: Sequence[str],
) -> Imported:
    """The report that a document is; `about` is what its collection says of itself."""
    notes: list[str] = []
    text = PassageText(document, notes)
    if not text.text.strip():
        raise FormatError("it has no text.")
    holders = holders_of(document)
    spans = tuple(_span(one, text) for holder in holders for one in holder.annotations)
    relations = [
        {"id": one.id, "infons": one.infons, "nodes": [[node.refid, node.role] for node in one.nodes]}
        for holder in holders
        for one in holder.relations
    ]
    notes += outside_notes(spans)
    infons = dict(document.infons)
    title, names = str(infons.get("title") or ""), str(infons.get("looked_at") or "").split()
    plain = len(text.places) == 1 and text.places[0] == Place(0, 0, len(text.text), {})
    rest = {
        "places": [] if plain else [one.as_json() for one in text.places],
        "relations": relations,
        "infons": {name: value for name, value in infons.items() if name not in _OF_REPORT},
        "collection": dict(about),
    }
    key = str(document.id or "")
    return Imported(
        text_document(text.text, key or payload.name, categories, title),
        source,
        digest,
        looked_at_in(names, categories),
        tuple(notes),
        spans=spans,
        rest={OWN: {name: value for name, value in rest.items() if value}} if any(rest.values()) else {},
        key=key,
    )


def _span(given: BioCAnnotation, text: PassageText) -> Span:
    parts = [text.place(one.offset, one.end) for one in given.locations]
    fragments = tuple(sorted(one for one in parts if one)) if len(parts) != 1 else tuple(filter(None, parts))
    place = (fragments[0][0], max([end for _, end in fragments])) if fragments and None not in parts else None
    infons = given.infons
    if None in infons.values():
        infons = {key: value for key, value in infons.items() if value is not None}
    polarity = _POLARITIES.get(str(infons.get("polarity")))
    words = given.text or ""
    if place and words != text.text[place[0] : place[1]]:
        slices = (text.text[place[0] : place[1]], " ".join(text.text[a:b] for a, b in fragments))
        words = slices[0] if not words or words.split() in map(str.split, slices) else words
    own = {key: infons[key] for key in infons if key not in _SAID}
    if _CONCEPTS in infons:
        own.pop(_IDENTIFIER, None)
    return Span(
        str(infons.get(_TYPE) or "annotation"),
        words,
        place,
        fragments if place and len(fragments) > 1 else (),
        polarity,
        {OWN: {"id": given.id, **({"infons": own} if own else {})}},
        str(infons.get("field") or ""),
        str(infons.get("note") or ""),
        _concepts(infons),
    )


def _concepts(infons: Mapping[str, Any]) -> tuple[Coding, ...]:
    """The concepts that its infons name: those that are written here, else its identifiers."""
    if _CONCEPTS in infons:
        return tuple(one for one in map(coded, str(infons[_CONCEPTS]).splitlines()) if one)
    return coded_as(infons)


def document_of(report: ReportExport, clean: Callable[[str], str] = str) -> BioCDocument:
    """A report as a document; `clean` makes every text fit for the file, without a change of length."""
    from bioc import BioCDocument, BioCPassage, BioCSentence

    came, text = report.rest.get(OWN, {}), clean(report.document.text)
    document = BioCDocument()
    document.id = clean(report.key)
    about = {
        "title": report.document.title,
        "annotator": report.annotator,
        "looked_at": " ".join(report.looked_at),
    }
    document.infons = _infons({**came.get("infons", {}), **about}, clean)
    places = [Place.of_json(one) for one in came.get("places", ())] or [Place(0, 0, len(text), {})]
    # All at one distance: where line ends were folded, the file's own offsets no longer fit the text.
    shift = places[0].offset - places[0].start
    holders: list[tuple[Place, Any]] = []
    for place in places:
        passage = BioCPassage()
        passage.offset, passage.infons = place.start + shift, _infons(place.infons, clean)
        passage.text = text[place.start : place.end]
        document.add_passage(passage)
        holders.append((place, passage))
        for below in place.sentences:
            sentence = BioCSentence()
            sentence.offset, sentence.infons = below.start + shift, _infons(below.infons, clean)
            sentence.text = text[below.start : below.end]
            passage.add_sentence(sentence)
            holders.append((below, sentence))
    taken: set[str] = set()
    for number, one in enumerate(placed(report), start=1):
        annotation = _annotation(one, number, text, shift, taken, clean)
        begins, ends = one.place
        within = [each for place, each in holders if place.start <= begins and ends <= place.end]
        (within[-1] if within else document).add_annotation(annotation)
    for relation in _relations(came.get("relations", ()), taken)[0]:
        document.add_relation(relation)
    return document


def _annotation(
    one: Labelled,
    number: int,
    text: str,
    shift: int,
    taken: set[str],
    clean: Callable[[str], str],
) -> BioCAnnotation:
    from bioc import BioCAnnotation, BioCLocation

    own: Mapping[str, Any] = one.span.own.get(OWN, {}) if one.span else {}
    annotation = BioCAnnotation()
    name = str(own.get("id") or f"T{number}")
    while name in taken:
        name = f"{name}.{number}"
    taken.add(name)
    annotation.id = name
    before = own.get("infons", {})
    infons = {**before, _TYPE: one.label, **span_details(one)}
    if one.concepts and not same_codes(_concepts(before), one.concepts):
        infons[_IDENTIFIER] = ",".join(
            code.code if ":" in code.code else f"{code.terminology}:{code.code}" for code in one.concepts
        )
        infons[_CONCEPTS] = "\n".join(map(code_line, one.concepts))
    annotation.infons = _infons(infons, clean)
    for start, end in one.parts:
        annotation.add_location(BioCLocation(start + shift, end - start))
    annotation.text = text[one.parts[0][0] : one.parts[-1][1]]
    return annotation


def _infons(given: Mapping[str, Any], clean: Callable[[str], str]) -> dict[str, Any]:
    return {
        clean(key): clean(value) if isinstance(value, str) else value
        for key, value in given.items()
        if value not in ("", None)
    }


def _relations(given: Sequence[Mapping[str, Any]], taken: set[str]) -> tuple[list[Any], int]:
    """Those whose nodes are all there, and how many others there are."""
    from bioc import BioCNode, BioCRelation

    there, waiting, found = set(taken), list(given), []
    while ready := [one for one in waiting if {node for node, _ in one["nodes"]} <= there]:
        waiting = [one for one in waiting if one not in ready]
        there |= {one["id"] for one in ready}
        for one in ready:
            relation = BioCRelation()
            relation.id, relation.infons = str(one["id"] or ""), dict(one["infons"])
            for node, role in one["nodes"]:
                relation.add_node(BioCNode(str(node), str(role or "")))
            found.append(relation)
    return found, len(waiting)


def gone(reports: Sequence[ReportExport]) -> Iterator[str]:
    """How many relations are about annotations that are there no more."""
    lost = 0
    for report in reports:
        given = report.rest.get(OWN, {}).get("relations", ())
        if given:
            there = {str(one.span.own.get(OWN, {}).get("id")) for one in placed(report) if one.span}
            lost += _relations(given, there)[1]
    if lost:
        yield f"{counted(lost, 'relation')} that came along not written: what they are about is gone."


def collection_of(reports: Sequence[ReportExport]) -> BioCCollection:
    """The collection of the reports, without them."""
    from bioc import BioCCollection

    given = (report.rest.get(OWN, {}).get("collection") for report in reports)
    about: dict[str, Any] = next(filter(None, given), {})
    collection = BioCCollection()
    collection.source = str(about.get("source") or "Casespan")
    collection.date, collection.key = str(about.get("date") or ""), str(about.get("key") or "")
    collection.infons = _infons(about.get("infons", {}), xml_text)
    return collection


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The report of each document; one that is malformed is left out by its number."""
    from bioc import biocxml

    root, fault = _whole(payload.data)
    if root.tag != "collection":
        raise FormatError("This is no BioC: it is no collection of documents.")
    documents = root.findall("document")
    for document in documents:
        root.remove(document)
    about = about_collection(biocxml.loads(etree.tostring(root, encoding="unicode")))

    def report(document: Element, source: str) -> Imported:
        for node in document.iter("node"):
            # BioC's DTD says so, and the library wants it.
            node.set("role", node.get("role", ""))
        whole = f"<collection>{etree.tostring(document, encoding='unicode', with_tail=False)}{_END}"
        try:
            (found,) = biocxml.loads(whole).documents
            return report_of(found, about, payload, source, digest, categories)
        except (TypeError, ValueError, KeyError):
            raise FormatError("a passage or annotation has no offset, length or id.") from None

    return joined(numbered(payload, "Document", documents, report, fault))


def _whole(data: bytes) -> tuple[Element, str]:
    """A collection; of one that breaks off, one of its whole documents, and what is wrong."""
    try:
        return parse_xml(data), ""
    except FormatError as error:
        before, document, _ = data.rpartition(b"</document>")
        if not document:
            raise
        try:
            return parse_xml(before + document + _END.encode()), str(error)
        except FormatError:
            raise error from None


def about_collection(collection: BioCCollection) -> dict[str, Any]:
    """What a collection says of itself, unless it was written here."""
    values = {name: getattr(collection, name) for name in ("source", "date", "key", "infons")}
    return {key: value for key, value in values.items() if value and value != "Casespan"}


def _write(reports: Sequence[ReportExport]) -> Iterator[str]:
    from bioc import biocxml
    from bioc.biocxml.encoder import encode_document

    head, _, tail = biocxml.dumps(collection_of(reports)).rpartition(_END)
    yield head
    for report in reports:
        document = encode_document(document_of(report, xml_text))
        yield str(etree.tostring(document, encoding="unicode", pretty_print=True))
    yield _END + tail


def _detect(data: bytes) -> int:
    """A collection as XML."""
    return 3 * bool(_COLLECTION.match(first_characters(data)))


FORMAT = Format(
    id="bioc",
    label="BioC XML",
    made_by="of PubTator and others",
    about="Documents with passages and annotations by offset, for BioC's programs.",
    suffixes=(".xml",),
    detect=_detect,
    read=_read,
    write=_write,
    losses=Lacking("BioC XML", (*LACKS, "controls"), gone, OWN),
    carries=True,
)
