"""XML from strangers: what costs a parser endless time or memory is refused at once."""

from __future__ import annotations

import pytest

from app.formats.xml_input import entity_text, parse_xml
from extractors.model.errors import FormatError


@pytest.mark.parametrize("opened", [b"<![CDATA[", b"<!--"])
def test_what_is_opened_again_and_again_and_never_closed_is_refused_at_once(opened: bytes) -> None:
    # A search for the end from each beginning would take minutes to hours here.
    with pytest.raises(FormatError, match="well-formed"):
        parse_xml(b"<article>&nbsp;" + opened * 300_000)


def test_entities_inside_comments_and_literal_text_stay_as_they_are() -> None:
    root = parse_xml(b"<a>&nbsp;<!-- &nbsp; --><![CDATA[&nbsp;]]>&eacute;</a>")
    assert str(root.xpath("string()")) == "\N{NO-BREAK SPACE}&nbsp;é"
    assert parse_xml(b"<a>x<!-- c -->y<?p q?>z</a>").text == "xyz"


def test_an_entity_is_what_the_file_declares_or_else_what_everybody_knows() -> None:
    root = parse_xml(
        b'<!DOCTYPE a SYSTEM "j.dtd" [<!ENTITY x "ex"><!ENTITY nbsp "_">]><a>&x;&nbsp;&eacute;&zz;</a>'
    )
    first, second, third, fourth = root
    assert [entity_text(one) for one in (first, second, third)] == ["ex", "_", "é"]
    with pytest.raises(FormatError, match="&zz; is not defined in the file"):
        entity_text(fourth)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b" \n", "The file is empty."),
        (b"<a>&zz;</a>", "The entity &zz; (line 1) is not defined; replace it by its character."),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "f">]><a>&x;</a>', "The file asks for an external entity (x)"),
        (b'<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;">]><a/>', "The entity z is made of other entities"),
        (b'<!DOCTYPE a [<!ENTITY x "<b/>">]><a/>', "The entity x is made of other entities or of markup"),
        (b'<?xml version="1.0" encoding="utf-8"?><a>\xff</a>', "The XML is not in the encoding that it"),
        (b"<a>" * 300 + b"</a>" * 300, "The XML is nested too deeply or holds too large a piece of text"),
        (b"<a>\n<b></a>", "The file is not well-formed XML (line 2: Opening and ending tag mismatch: b"),
    ],
)  # fmt: skip
def test_what_is_no_harmless_xml_is_refused_in_a_sentence(data: bytes, said: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_xml(data)
    assert str(refused.value).startswith(said)
    assert str(refused.value).endswith(".")
