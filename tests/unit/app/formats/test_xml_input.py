"""XML from strangers: what costs a parser endless time or memory is refused at once."""

from __future__ import annotations

import pytest

from app.formats.xml_input import parse_xml
from extractors.model.errors import FormatError


@pytest.mark.parametrize("opened", [b"<![CDATA[", b"<!--"])
def test_what_is_opened_again_and_again_and_never_closed_is_refused_at_once(opened: bytes) -> None:
    # A search for the end from each beginning would take minutes to hours here.
    with pytest.raises(FormatError, match="well-formed"):
        parse_xml(b"<article>&nbsp;" + opened * 300_000)


def test_entities_inside_comments_and_literal_text_stay_as_they_are() -> None:
    root = parse_xml(b"<a>&nbsp;<!-- &nbsp; --><![CDATA[&nbsp;]]>&eacute;</a>")
    assert str(root.xpath("string()")) == "\N{NO-BREAK SPACE}&nbsp;é"
