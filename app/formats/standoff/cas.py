"""UIMA's CAS, as INCEpTION and DKPro have it: a folder of XMI files with their type system."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.formats.documents.text import text_document
from app.formats.format import Format, first_characters
from app.formats.losses import Lack, Lacking
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, ReportExport, Span
from app.formats.standoff.cas_files import (
    ANNOTATION,
    STRING,
    TOP,
    TYPES,
    is_zip_of_xmi,
    members,
    opened_xmi,
    packed,
    quiet,
    unpacked,
    with_features,
)
from app.formats.standoff.places import (
    GivenText,
    Labelled,
    code_line,
    coded,
    coded_as,
    looked_at_in,
    outside_notes,
    placed,
    same_codes,
    span_details,
)
from app.formats.writing import file_names
from app.text import counted, xml_text
from extractors.model.errors import FormatError
from extractors.model.finding import POLARITIES

if TYPE_CHECKING:
    from cassis import Cas, TypeSystem
    from cassis.typesystem import FeatureStructure

# What came along, in either of its shapes.
OWN = "cas"
LACKS: tuple[Lack, ...] = ("about", "origin", "unplaced", "own words")
_SPAN, _REPORT = "custom.Span", "casespan.Report"
_SAID = ("polarity", "field", "note", "concepts", "fragments")
_ABOUT = ("key", "title", "annotator", "looked_at")
# The feature that says what a span is, by the names that layers have for it.
_LABELS = ("label", "value", "category", "entityType", "kind", "class")
_PLAIN = frozenset({*_SAID, "label", "identifier"})
# Tokens, sentences, their parts of speech and the like.
_OF_WORDS = (
    "uima.", "de.tudarmstadt.ukp.dkpro.core.api.segmentation.", "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.",
    "de.tudarmstadt.ukp.dkpro.core.api.syntax.", "de.tudarmstadt.ukp.dkpro.core.api.metadata.",
    "de.tudarmstadt.ukp.dkpro.core.api.structure.", "de.tudarmstadt.ukp.dkpro.core.api.coref.",
    "de.tudarmstadt.ukp.dkpro.core.api.transform.", "de.tudarmstadt.ukp.clarin.", "org.dkpro.core.api.xml.",
    "org.apache.ctakes.typesystem.type.syntax.", "org.apache.ctakes.typesystem.type.textspan.", "casespan.",
)  # fmt: skip
_ENDS_OF_RELATIONS = frozenset({"Governor", "Dependent", "governor", "dependent", "source", "target"})
_METADATA = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"


def report_of(
    cas: Cas, payload: Payload, source: str, digest: str, categories: Sequence[str], notes: list[str]
) -> Imported:
    """The report that a CAS is: spans of its layers, all the rest kept as it is."""
    given = cas.sofa_string
    if not given or not given.strip():
        raise FormatError("The CAS has no text.")
    text = GivenText(given)
    spans, foreign = [], len(cas.views) > 1
    for one in cas.select_all_fs():
        if _is_span(cas.typesystem, one):
            spans.append(_span(one, text))
            foreign = foreign or one.type.name != _SPAN or not _features(one).keys() <= _PLAIN
        else:
            foreign = foreign or one.type.name not in (_REPORT, "uima.tcas.DocumentAnnotation")
    notes += outside_notes(spans)
    about = _about(cas)
    rest = {}
    if foreign:
        _fold(cas, text)
        rest = {OWN: {"cas": packed(cas)}}
    key, title = about.get("key", ""), about.get("title", "")
    return Imported(
        text_document(text.text, key or payload.name, categories, title),
        source,
        digest,
        looked_at_in(about.get("looked_at", "").split(), categories),
        tuple(notes),
        spans=tuple(sorted(spans, key=lambda span: span.place or (0, 0))),
        rest=rest,
        key=key,
    )


def _about(cas: Cas) -> dict[str, str]:
    """What a CAS says of its report: as it is written here, or in DKPro's document metadata."""
    for name, keys in ((_REPORT, dict(zip(_ABOUT, _ABOUT, strict=True))), (
        _METADATA, {"documentId": "key", "documentTitle": "title"})):  # fmt: skip
        if cas.typesystem.contains_type(name, True):
            for one in cas.select(name):
                features = _features(one)
                return {ours: str(features[theirs]) for theirs, ours in keys.items() if theirs in features}
    return {}


def _features(one: FeatureStructure) -> dict[str, Any]:
    """Those that it has something for, beside its place; names without what the library puts behind."""
    return {
        feature.name.removesuffix("_") if feature.name in ("self_", "type_") else feature.name: value
        for feature in one.type.all_features
        if feature.name not in ("begin", "end", "sofa") and (value := one[feature.name]) not in (None, "")
    }


def _is_span(types: TypeSystem, one: FeatureStructure) -> bool:
    name = one.type.name
    if not types.is_instance_of(one.type, ANNOTATION) or name.startswith(_OF_WORDS):
        return False
    return one.begin != one.end and not _ENDS_OF_RELATIONS & _features(one).keys()


def _label_feature(one: FeatureStructure) -> str:
    """The feature with its label, "" where its type is all that says what it is."""
    return next((name for name in _LABELS if isinstance(one.get(name) if _has(one, name) else None, str)), "")


def _has(one: FeatureStructure, name: str) -> bool:
    return one.type.get_feature(name) is not None


def _span(one: FeatureStructure, text: GivenText) -> Span:
    features = _features(one)
    feature = _label_feature(one)
    place = text.place(one.begin, one.end)
    texts = {key: value for key, value in features.items() if isinstance(value, str)}
    polarity = next((each for each in POLARITIES if each == features.get("polarity")), None)
    numbers = [part.split("-") for part in texts.get("fragments", "").split()]
    parts = [text.place(*map(int, part)) for part in numbers if len(part) == 2 and "".join(part).isdigit()]
    fragments = tuple(part for part in parts if part)
    concepts = tuple(each for each in map(coded, texts.get("concepts", "").splitlines()) if each)
    plain = one.type.name == _SPAN and features.keys() <= _PLAIN
    return Span(
        texts.get(feature) or str(one.type.name).rpartition(".")[2],
        text.words(place),
        place,
        fragments if place and len(fragments) > 1 else (),
        polarity,
        {} if plain else {OWN: {"id": one.xmiID}},
        texts.get("field", ""),
        texts.get("note", ""),
        concepts or coded_as(texts),
    )


def _fold(cas: Cas, text: GivenText) -> None:
    """The text as it is kept, with the places of all annotations in it."""
    if cas.sofa_string == text.text:
        return

    def kept(offset: int) -> int:
        """Each end by itself: what has no length, or reaches out of the text, is no place in it."""
        before = text.place(0, offset)
        return before[1] if before else offset

    for one in list(cas.select_all_annotations()):
        cas.remove(one)
        one.begin, one.end = kept(one.begin), kept(one.end)
        cas.add(one, keep_id=True)
    cas.sofa_string = text.text


def types_here() -> TypeSystem:
    """The types that are written here: INCEpTION's own for spans, and one for what is said of the report."""
    import cassis

    types = cassis.TypeSystem()
    for name, above, features in (
        (_SPAN, ANNOTATION, ("label", *_SAID, "identifier")),
        (_REPORT, TOP, _ABOUT),
    ):
        kind = types.create_type(name, above)
        for feature in features:
            types.create_feature(kind, feature, STRING)
    return types


def cas_of(report: ReportExport, types: TypeSystem) -> Cas:
    """A report as a CAS: the one that it came in with what has changed, or a new one of `types`."""
    import cassis

    found = placed(report)
    given = report.rest.get(OWN, {}).get("cas")
    with quiet():
        if given:
            cas, kept = _changed(unpacked(given), found)
            cas = _with_types(cas)
        else:
            cas, kept = cassis.Cas(types, sofa_string=report.document.text), set[int]()
        for place, one in enumerate(found):
            if place not in kept:
                kind = cas.typesystem.get_type(_SPAN)
                cas.add(kind(begin=one.place[0], end=one.place[1], **_feature_values(one), label=one.label))
        for one in list(cas.select(_REPORT)):
            cas.remove(one)
        about = (report.key, report.document.title, report.annotator, " ".join(report.looked_at))
        cas.add(cas.typesystem.get_type(_REPORT)(**dict(zip(_ABOUT, about, strict=True))))
    return cas


def _with_types(cas: Cas) -> Cas:
    """The CAS with our types among its own."""
    here, lacked = types_here(), False
    for kind in here.get_types():
        if not cas.typesystem.contains_type(kind.name, True):
            new = cas.typesystem.create_type(kind.name, kind.supertype.name)
            for feature in kind.features:
                cas.typesystem.create_feature(new, feature.name, STRING)
        else:
            own = cas.typesystem.get_type(kind.name)
            lacked = lacked or any(own.get_feature(feature.name) is None for feature in kind.features)
    wanted = {kind.name: frozenset(each.name for each in kind.features) for kind in here.get_types()}
    return with_features(cas, wanted) if lacked else cas


def _feature_values(one: Labelled) -> dict[str, str]:
    features = dict(span_details(one))
    if len(one.parts) > 1:
        features["fragments"] = " ".join(f"{start}-{end}" for start, end in one.parts)
    if one.concepts:
        features["concepts"] = "\n".join(map(code_line, one.concepts))
        features["identifier"] = one.concepts[0].code
    return features


def _changed(cas: Cas, found: Sequence[Labelled]) -> tuple[Cas, set[int]]:
    """The CAS that a report came in without what is gone, and which of `found` stand in it again."""
    ours: dict[int, int] = {}
    for place, one in enumerate(found):
        number = one.span.own.get(OWN, {}).get("id") if one.span else None
        if isinstance(number, int):
            ours.setdefault(number, place)
    there = {one.xmiID: one for one in cas.select_all_annotations() if _is_span(cas.typesystem, one)}
    wanted: dict[str, frozenset[str]] = {}
    for number, place in ours.items():
        if number in there:
            new, one = _news(there[number], found[place]), there[number]
            wanted[one.type.name] = wanted.get(one.type.name, frozenset()) | new.keys()
    if any(
        cas.typesystem.get_type(name).get_feature(each) is None for name in wanted for each in wanted[name]
    ):
        cas = with_features(cas, wanted)
        there = {one.xmiID: one for one in cas.select_all_annotations() if _is_span(cas.typesystem, one)}
    _remove(cas, [one for number, one in there.items() if number not in ours])
    kept = set()
    for number, place in ours.items():
        if number in there:
            one, new = there[number], _news(there[number], found[place])
            cas.remove(one)
            one.begin, one.end = found[place].place
            for name, value in new.items():
                one[name] = value
            cas.add(one, keep_id=True)
            kept.add(place)
    return cas, kept


def _news(one: FeatureStructure, now: Labelled) -> dict[str, str | None]:
    """The features of what came along that are to be others now; None for those that are gone."""
    features: dict[str, str | None] = dict(_feature_values(now))
    before = _span(one, GivenText("x"))
    if same_codes(now.concepts, before.concepts):
        features.pop("identifier", None)
        features.pop("concepts", None)
    label = _label_feature(one)
    if now.label != before.label:
        features[label or "label"] = now.label
    was = _features(one)
    for name in _SAID[:3]:
        if name in was and name not in features and (name != "polarity" or before.polarity):
            features[name] = None
    if not now.concepts and before.concepts:
        features |= {name: None for name in ("concepts", "identifier") if name in was}
    return {name: value for name, value in features.items() if was.get(name) != value}


def _remove(cas: Cas, gone: Sequence[FeatureStructure]) -> int:
    """Take out annotations, and those that speak of them; says how many of the latter."""
    waiting, also = list(gone), -len(gone)
    while waiting:
        ids = {one.xmiID for one in waiting}
        for one in waiting:
            cas.remove(one)
            also += 1
        waiting = [one for one in cas.select_all_fs() if ids & _references(one)]
    return also


def _references(one: FeatureStructure) -> set[int]:
    found = set()
    for value in _features(one).values():
        many = getattr(value, "elements", None)
        for each in many if isinstance(many, list) else [value]:
            number = getattr(each, "xmiID", None)
            found |= {number} if isinstance(number, int) and hasattr(each, "begin") else set()
    return found


def gone(reports: Sequence[ReportExport]) -> Iterator[str]:
    """How many annotations are about others that are there no more."""
    lost = 0
    for report in reports:
        given = report.rest.get(OWN, {}).get("cas")
        if given:
            cas = unpacked(given)
            ids = {one.span.own.get(OWN, {}).get("id") for one in placed(report) if one.span}
            spans = [one for one in cas.select_all_annotations() if _is_span(cas.typesystem, one)]
            lost += _remove(cas, [one for one in spans if one.xmiID not in ids])
    if lost:
        yield f"{counted(lost, 'relation')} that came along not written: what they are about is gone."


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The report of an XMI file with its type system, or of each in a zip."""
    if not payload.data.startswith(b"PK"):
        notes: list[str] = []
        cas = opened_xmi(payload.data, payload.companion, notes)
        yield report_of(cas, payload, payload.source, digest, categories, notes)
        return
    found = False
    for name, data, types in members(payload.data):
        found, source = True, f"{payload.source}!{name}"
        try:
            notes = []
            own = hashlib.sha256(data).hexdigest()
            inside = Payload(source, name.rpartition("/")[2].removesuffix(".xmi"), data)
            yield report_of(opened_xmi(data, types, notes), inside, source, own, categories, notes)
        except FormatError as error:
            yield LeftOut(source, name, str(error), failed=True)
    if not found:
        raise FormatError("The zip holds no .xmi file.")


def _write(reports: Sequence[ReportExport]) -> Iterator[Mapping[str, str]]:
    """An XMI file for each report, and the type system of all of them."""
    import cassis

    ours = types_here()
    known: dict[str, TypeSystem] = {"": ours}
    for report, name in zip(reports, file_names(one.key for one in reports), strict=True):
        cas = cas_of(report, ours)
        _clean(cas)
        if cas.typesystem is not ours:
            known[str(cas.typesystem.to_xml())] = cas.typesystem
        with quiet():
            yield {f"{name}.xmi": str(cas.to_xmi(pretty_print=True))}
    with quiet():
        yield {TYPES: str(cassis.merge_typesystems(*known.values()).to_xml())}


def _clean(cas: Cas) -> None:
    """Make every text in it one that XML can hold."""
    text = cas.sofa_string or ""
    if xml_text(text) != text:
        cas.sofa_string = xml_text(text)
    for one in cas.select_all_fs():
        for name, value in _features(one).items():
            if isinstance(value, str) and _has(one, name) and xml_text(value) != value:
                one[name] = xml_text(value)


def _detect(data: bytes) -> int:
    """XMI of UIMA, or a zip with some."""
    head = first_characters(data)
    return 3 * (
        ("http://www.omg.org/XMI" in head and "XMI" in head.split("http:", 1)[0]) or is_zip_of_xmi(data)
    )


FORMAT = Format(
    id="cas",
    label="UIMA CAS XMI",
    made_by="of INCEpTION and DKPro, with TypeSystem.xml beside or in a zip",
    about="A folder with an XMI file for each report and their type system, for INCEpTION and UIMA.",
    suffixes=(".xmi",),
    companion=TYPES,
    detect=_detect,
    read=_read,
    write_folder=_write,
    losses=Lacking("UIMA CAS XMI", (*LACKS, "controls"), gone, OWN),
    carries=True,
)
