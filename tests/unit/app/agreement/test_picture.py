"""The SVG picture is one well-formed file that needs nothing else and obeys nobody's text."""

from __future__ import annotations

from lxml import etree

from app.agreement.compare import compare
from app.agreement.output.html import to_svg
from app.agreement.types import Item, ReportPair

SVG = "{http://www.w3.org/2000/svg}"


def drawn(name: str = "ann", title: str = "T", category: str = "Neurology") -> str:
    left = {"A": (Item("fever", 0, 5),), "B": ()}
    reports = [ReportPair(str(n), title, left, left) for n in range(6)]
    agreement = compare(reports, ("A", "B"), name, "ben", "strict")
    return to_svg(agreement, {"A": category, "B": "Skin"}, {"A": "#aa0000", "B": "red;evil"})


def test_the_picture_holds_bars_heat_map_and_reports_and_no_style_sheet() -> None:
    tree = etree.fromstring(drawn().encode())
    words = [text.text or "" for text in tree.iter(f"{SVG}text")]
    assert words.count("Neurology") == 4  # two bar charts, a row and a column of the heat map
    assert "6 reports by F1, lowest first" in words
    assert not list(tree.iter(f"{SVG}style"))
    assert not any("var(" in str(value) for node in tree.iter() for value in node.attrib.values())
    assert {rect.get("fill") for rect in tree.iter(f"{SVG}rect")} >= {"#aa0000", "#ffffff"}
    assert "evil" not in drawn()
    heading = next(text for text in etree.fromstring(drawn("a" * 200).encode()).iter(f"{SVG}text"))
    assert heading.text == f"Agreement of {'a' * 82}…", "what is too long for the picture is cut"


def test_names_and_titles_are_text_whatever_they_hold() -> None:
    hostile = '</text><script>alert(1)</script>&"\x0b'
    picture = drawn(name=hostile, title=hostile, category=hostile)
    tree = etree.fromstring(picture.encode())
    assert not [node for node in tree.iter() if str(node.tag).endswith("script")]
    assert "\x0b" not in picture
