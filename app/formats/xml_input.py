"""XML from strangers: parsed without entities, DTDs or network, refused in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from html.entities import html5
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element
from lxml.etree import _Entity as EntityNode

from extractors.model.errors import FormatError

MAX_BYTES = 100_000_000
MAX_ENTITY = 1000
_OWN_ENTITIES = frozenset({"amp", "lt", "gt", "quot", "apos"})
# What is opened and never closed reaches to the end: to look for its end again and again takes minutes.
_NAMED = re.compile(rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|&([A-Za-z][A-Za-z0-9]*);", re.DOTALL)
_NESTED = re.compile(r"<|[&%]\w+;")
_ENTITY_ERROR = re.compile(r"Entity '(.+?)' not defined")


def parse_xml(data: bytes) -> Element:
    """The root element; comments and processing instructions are gone, their surroundings joined.

    Entity references that a DTD would explain stay nodes of the tree (see `entity_text`). Raises FormatError
    for what is not well-formed, declares entities beyond plain text, or is too large or too deep.
    """
    if len(data) > MAX_BYTES:
        raise FormatError(f"The file is larger than {MAX_BYTES // 1_000_000} MB; split it into smaller ones.")
    if not data.strip():
        raise FormatError("The file is empty.")
    try:
        root = etree.fromstring(data, _parser())
    except etree.XMLSyntaxError as error:
        if not _ENTITY_ERROR.search(error.msg or ""):
            raise _refusal(error) from None
        root = _parse_with_named_entities(data)
    _require_harmless_entities(root)
    return root


def entity_text(node: EntityNode) -> str:
    """The characters that an entity reference stands for; raises FormatError where nobody can tell."""
    name = node.name or ""
    for entity in _declared(node):
        if entity.name == name and entity.content is not None:
            return str(entity.content)
    known = html5.get(f"{name};")
    if known is None:
        raise FormatError(f"The entity &{name}; is not defined in the file; replace it by its character.")
    return known


def _declared(element: Element) -> Iterable[Any]:
    """The entities that the document itself declares."""
    dtd: Any = element.getroottree().docinfo.internalDTD  # the stubs lack its methods
    return () if dtd is None else dtd.iterentities()


@lru_cache(maxsize=1)
def _parser() -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def _parse_with_named_entities(data: bytes) -> Element:
    """Parse once more with the well-known names (&nbsp;) written as character references.

    Without a document type the parser refuses them outright, though everybody knows what they mean.
    """

    def as_reference(match: re.Match[bytes]) -> bytes:
        name = (match[1] or b"").decode("ascii")
        if not name or name in _OWN_ENTITIES or f"{name};" not in html5:
            return match[0]
        return "".join(f"&#{ord(char)};" for char in html5[f"{name};"]).encode("ascii")

    try:
        return etree.fromstring(_NAMED.sub(as_reference, data), _parser())
    except etree.XMLSyntaxError as error:
        raise _refusal(error) from None


def _refusal(error: etree.XMLSyntaxError) -> FormatError:
    """The parser's message as a sentence with what to do."""
    message = error.msg or ""
    line = f"line {error.lineno or 1}"
    unknown = _ENTITY_ERROR.search(message)
    if unknown:
        return FormatError(f"The entity &{unknown[1]}; ({line}) is not defined; replace it by its character.")
    if "amplification" in message or "loop" in message:
        return FormatError(
            "The file's entities blow up when they are replaced; it is refused as an entity bomb."
        )
    if "depth" in message or "HUGE" in message:
        return FormatError(f"The XML is nested too deeply or holds too large a piece of text ({line}).")
    if "encoding" in message or "UTF-8" in message:
        return FormatError(f"The XML is not in the encoding that it declares ({line}); save it as UTF-8.")
    detail = " ".join(message.split(", line ")[0].split()).rstrip(".")
    return FormatError(f"The file is not well-formed XML ({line}: {detail}).")


def _require_harmless_entities(root: Element) -> None:
    """Refuse a document type that declares external entities, or entities made of entities or of markup."""
    for entity in _declared(root):
        if entity.content is None or entity.system_url:
            raise FormatError(
                f"The file asks for an external entity ({entity.name}); external files are not read."
            )
        if len(entity.content) > MAX_ENTITY or _NESTED.search(entity.content):
            raise FormatError(
                f"The entity {entity.name} is made of other entities or of markup; it may be an entity bomb."
            )
