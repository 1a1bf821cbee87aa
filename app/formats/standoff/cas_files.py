"""UIMA's CAS as a file or a zip has it: opened with its type system, and no further than is safe."""

from __future__ import annotations

import base64
import io
import json
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lxml import etree
from lxml.etree import _Element as Element

from app.formats.pictures.packages import MAX_MEMBER
from app.formats.standoff.places import counted_in
from app.formats.xml_input import parse_xml
from app.text import Offsets
from extractors.model.errors import FormatError

if TYPE_CHECKING:
    from cassis import Cas, TypeSystem

STRING, ANNOTATION, TOP = "uima.cas.String", "uima.tcas.Annotation", "uima.cas.TOP"
TYPES = "TypeSystem.xml"
_ID = "{http://www.omg.org/XMI}id"
_STRINGS = "uima.cas.StringArray"
_SOFA, _REPORT = "{http:///uima/cas.ecore}Sofa", "{http:///casespan.ecore}Report"
_SPANNING = frozenset({"begin", "end"})
_PLACE = _SPANNING | {_ID, "sofa"}
_OTHER_ENTRIES = ("{http://www.omg.org/XMI}XMI", "{http:///uima/cas.ecore}")
_TYPES_UNKNOWN = "Its type system is not with it; the types were told from the file itself."
_DAMAGED = "The CAS does not fit its type system, or is damaged ({})."


def opened_xmi(data: bytes, types: bytes | None, notes: list[str]) -> Cas:
    """The CAS of an XMI file; types that `types` lacks are told from what has them. Raises FormatError."""
    import cassis

    root = _harmless(data)
    if not str(root.tag).endswith("}XMI"):
        raise FormatError("This is no XMI of UIMA.")
    with quiet():
        try:
            if types is not None:
                _harmless(types)
            own = any(one.tag == _REPORT for one in root)
            sofas = {one.get(_ID): one.get("sofaString") for one in root if one.tag == _SOFA}
            placed = [(one.get("sofa"), one.attrib) for one in root if _SPANNING <= {*one.attrib}]
            if not own and _recounted(sofas, placed, notes):
                data = etree.tostring(root)
            system = cassis.load_typesystem(io.BytesIO(types)) if types is not None else cassis.TypeSystem()
            if _complete(system, root) and types is None:
                notes.append(_TYPES_UNKNOWN)
            return cassis.load_cas_from_xmi(io.BytesIO(data), typesystem=system)
        except FormatError:
            raise
        except Exception as error:  # whatever a library that trusts its files meets in one
            raise FormatError(_DAMAGED.format(type(error).__name__)) from None


def opened_json(text: str, notes: list[str]) -> Cas:
    """The CAS of a JSON file, which has its type system within. Raises FormatError."""
    import cassis

    with quiet():
        try:
            whole = json.loads(text)
            given = whole["%FEATURE_STRUCTURES"]
            listed = [*enumerate(given)] if isinstance(given, list) else [*given.items()]
            own = any(one["%TYPE"] == "casespan.Report" for _, one in listed)
            sofas = {
                int(one.get("%ID", key)): one.get("sofaString") for key, one in listed if "sofaString" in one
            }
            placed = [(one.get("@sofa"), one) for _, one in listed if _SPANNING <= one.keys()]
            if not own and _recounted(sofas, placed, notes):
                text = json.dumps(whole)
            return cassis.load_cas_from_json(text)
        except Exception as error:
            raise FormatError(_DAMAGED.format(type(error).__name__)) from None


def _recounted(
    sofas: Mapping[Any, str | None], placed: Sequence[tuple[object, Any]], notes: list[str]
) -> bool:
    """Count in UTF-16 units what is placed in a sofa's text in others, where words show it; says whether."""
    changed = False
    for number, given in sofas.items():
        here = [(one, int(one["begin"]), int(one["end"])) for sofa, one in placed if sofa == number]
        # What is said of the whole text shows nothing.
        stated = [(a, b, None) for _, a, b in here if a < b and (a or b < len(given or ""))]
        text = counted_in(given or "", stated, "UTF-16 units", notes)
        if text.unit == "UTF-16 units":
            continue
        changed, units = True, Offsets(given or "")
        for one, *edges in here:
            for name, edge in zip(("begin", "end"), map(text.code_point, edges), strict=True):
                one[name] = type(one[name])(units.to_utf16(edge) if edge >= 0 else units.units + 1)
    return changed


@contextmanager
def quiet() -> Iterator[None]:
    """The library warns of names and offsets that it can do nothing about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def members(data: bytes) -> Iterator[tuple[str, bytes, bytes | None]]:
    """Name and bytes of each XMI in a zip, with the type system in it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = [one for one in archive.infolist() if not one.is_dir()]
            if any(one.file_size > MAX_MEMBER for one in infos):
                raise FormatError(f"A file in the zip is larger than {MAX_MEMBER // 1_000_000} MB.")
            types = next((one for one in infos if one.filename.rpartition("/")[2] == TYPES), None)
            system = archive.read(types) if types else None
            for one in infos:
                if one.filename.lower().endswith(".xmi"):
                    yield one.filename, archive.read(one), system
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        raise FormatError("The zip is damaged, locked, or only a part of one.") from None


def is_zip_of_xmi(data: bytes) -> bool:
    """Whether it is a zip that names an XMI."""
    if not data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return any(name.lower().endswith(".xmi") for name in archive.namelist())
    except zipfile.BadZipFile:
        return False


def packed(cas: Cas) -> str:
    """A CAS with its types as a short text."""
    with quiet():
        return base64.b64encode(zlib.compress(str(cas.to_json()).encode("utf-8"), 9)).decode()


def unpacked(text: str) -> Cas:
    """The CAS that `packed` made the text of."""
    import cassis

    with quiet():
        return cassis.load_cas_from_json(zlib.decompress(base64.b64decode(text)).decode("utf-8"))


def with_features(cas: Cas, wanted: Mapping[str, frozenset[str]]) -> Cas:
    """The CAS whose types have these features as texts, besides their own."""
    import cassis

    with quiet():
        data: dict[str, Any] = json.loads(str(cas.to_json()))
    for name, features in wanted.items():
        own = cas.typesystem.get_type(name)
        for feature in features:
            if own.get_feature(feature) is None:
                data["%TYPES"][name][feature] = {"%NAME": feature, "%RANGE": STRING}
    with quiet():
        return cassis.load_cas_from_json(json.dumps(data))


def _harmless(data: bytes) -> Element:
    """The root of XML without a document type: no XMI has one, and no entity is replaced."""
    root = parse_xml(data)
    about: Any = root.getroottree().docinfo  # the stubs lack its attributes
    if about.doctype:
        raise FormatError("The XMI has a document type, which may name entities and files; it is refused.")
    return root


def _complete(system: TypeSystem, root: Element) -> bool:
    """Give the type system what it lacks of the file's types and features; says whether it lacked any."""
    lacked = False
    for one in root:
        tag = str(one.tag)
        if tag.startswith(_OTHER_ENTRIES):
            continue
        name = tag[9:].replace("/", ".").replace("ecore}", "").removeprefix("uima.noNamespace.")
        if not system.contains_type(name, True):
            system.create_type(name, ANNOTATION if "begin" in one.attrib else TOP)
            lacked = True
        kind = system.get_type(name)
        for feature in {str(key) for key in one.attrib} - _PLACE:
            if kind.get_feature(feature) is None and kind.get_feature(f"{feature}_") is None:
                system.create_feature(kind, feature, STRING)
                lacked = True
        for below in one:
            if kind.get_feature(str(below.tag)) is None:
                system.create_feature(kind, str(below.tag), _STRINGS)
                lacked = True
    return lacked
