"""The shipped guidelines hold together, and a broken one is refused at its line."""

from __future__ import annotations

import pytest

from extractors.assets import asset
from extractors.model.errors import SchemeError
from extractors.model.finding import POLARITIES
from extractors.model.guideline import SECTIONS, Guideline, parse_guideline
from extractors.model.scheme import Category, default_scheme

SMALL = """\
# Nails

## Definition

Findings of the nails,
wherever they grow.

## Fields

- `finger`: nails of the fingers.
- `toe`: nails of the toes,
  the big one included.

## Include

- Colour and shape.

## Exclude

- Hair: `HAIR`.

## Boundaries

- Keep the side.

## Examples

### 1. Two findings

> The nails were brittle, but there was no clubbing
> of the left hand.

- "nails were brittle" - `finger`, present
- "no clubbing of the left hand" - `finger`, negated; also `LUNG`, `HEART`

### A title without a number

> She said "no" - `loudly`.

- nothing: No nail is mentioned.

### 3. A quote with quotation marks and no field

> The so-called "spoon nails" were suspected.

- "so-called "spoon nails" were suspected" - uncertain
"""


def guidelines() -> list[tuple[Category, Guideline]]:
    scheme = default_scheme()
    return [(category, parse_guideline(category.guideline, category.id)) for category in scheme.categories]


SHIPPED = guidelines()
each_shipped = pytest.mark.parametrize(
    ("category", "guideline"), SHIPPED, ids=[category.id for category, _ in SHIPPED]
)


@each_shipped
def test_every_shipped_guideline_has_all_sections_under_its_categorys_name(
    category: Category, guideline: Guideline
) -> None:
    assert guideline.name == category.name
    assert all((guideline.definition, guideline.include, guideline.exclude, guideline.boundaries))
    headings = [line[3:] for line in category.guideline.splitlines() if line.startswith("## ")]
    assert tuple(headings) == SECTIONS


@each_shipped
def test_the_fields_of_guideline_and_scheme_are_the_same(category: Category, guideline: Guideline) -> None:
    assert tuple(name for name, _ in guideline.fields) == category.fields


@each_shipped
def test_every_category_has_examples_of_each_kind(category: Category, guideline: Guideline) -> None:
    quotes = [quote for example in guideline.examples for quote in example.quotes]
    assert len(guideline.examples) >= 5
    assert any(not example.quotes and example.reason for example in guideline.examples)
    assert {quote.polarity for quote in quotes} == set(POLARITIES)
    assert any(quote.also for quote in quotes)


@each_shipped
def test_example_quotes_name_fields_and_categories_of_the_scheme(
    category: Category, guideline: Guideline
) -> None:
    others = set(default_scheme().ids) - {category.id}
    for example in guideline.examples:
        for quote in example.quotes:
            assert quote.field in category.fields
            assert set(quote.also) <= others
            assert len(set(quote.also)) == len(quote.also)


@each_shipped
def test_example_quotes_stand_verbatim_once_in_text_order_and_end_at_word_edges(
    category: Category, guideline: Guideline
) -> None:
    for example in guideline.examples:
        end = 0
        for quote in example.quotes:
            assert example.text.count(quote.quote) == 1
            start = example.text.index(quote.quote)
            assert start >= end, f"{category.id}: {quote.quote}"
            end = start + len(quote.quote)
            before, after = example.text[:start][-1:], example.text[end:][:1]
            assert not before.isalnum()
            assert not after.isalnum()
            assert quote.quote[-1] not in ".,;: "


@each_shipped
def test_example_quotes_carry_no_reference_to_a_figure(category: Category, guideline: Guideline) -> None:
    quotes = [quote.quote for example in guideline.examples for quote in example.quotes]
    assert not [quote for quote in quotes if "(Fig" in quote or "(Table" in quote]


@each_shipped
def test_every_exclusion_says_where_it_goes_instead(category: Category, guideline: Guideline) -> None:
    others = set(default_scheme().ids) - {category.id}
    for item in guideline.exclude:
        places = ["no category", "the organ's category", *(f"`{other}`" for other in others)]
        assert any(place in item for place in places), item


def test_titles_and_texts_of_examples_are_not_repeated() -> None:
    texts = [example.text for _, guideline in SHIPPED for example in guideline.examples]
    assert len(set(texts)) == len(texts)


def test_the_general_rules_ship_with_the_guidelines() -> None:
    text = asset("guidelines", "clinical14", "general.md").read_text(encoding="utf-8")
    assert all(f"**{polarity}**" in text for polarity in POLARITIES)


def test_wrapped_lines_are_joined_as_markdown_reads_them() -> None:
    guideline = parse_guideline(SMALL, "small.md")
    assert guideline.definition == "Findings of the nails, wherever they grow."
    assert guideline.fields[1] == ("toe", "nails of the toes, the big one included.")
    assert guideline.examples[0].text.endswith("no clubbing of the left hand.")


def test_quotes_come_with_field_polarity_and_other_categories() -> None:
    first, second, third = parse_guideline(SMALL, "small.md").examples
    assert [(quote.field, quote.polarity, quote.also) for quote in first.quotes] == [
        ("finger", "present", ()),
        ("finger", "negated", ("LUNG", "HEART")),
    ]
    assert (second.title, second.quotes, second.reason) == (
        "A title without a number",
        (),
        "No nail is mentioned.",
    )
    assert third.quotes[0].quote == 'so-called "spoon nails" were suspected'
    assert (third.quotes[0].field, third.quotes[0].polarity) == ("", "uncertain")


def test_a_definition_is_enough() -> None:
    guideline = parse_guideline("# Nails\n\n## Definition\n\nFindings of the nails.\n", "small.md")
    assert (guideline.fields, guideline.include, guideline.examples) == ((), (), ())


BROKEN = {
    "empty file": (SMALL, "", 1, "must begin"),
    "no title": ("# Nails\n", "\n", 3, "must begin"),
    "text below the title": ("# Nails\n", "# Nails\nAll of them.\n", 2, "there may be nothing"),
    "no definition": (
        "## Definition\n\nFindings of the nails,\nwherever they grow.\n",
        "",
        1,
        '"## Definition"',
    ),
    "empty definition": ("Findings of the nails,\nwherever they grow.\n", "", 3, "is empty"),
    "a list as definition": ("Findings of the nails,", "- Findings", 5, "one paragraph"),
    "unknown section": ("## Exclude", "## Exlude", 18, '"Exlude" is not a section'),
    "repeated section": ("## Exclude", "## Include", 18, "a second time"),
    "prose in a list": ("- Colour and shape.", "Colour and shape.", 16, "expected a list item"),
    "a field without code marks": ("- `finger`:", "- finger:", 10, "expected a field"),
    "prose before the first example": ("### 1. Two findings", "Two findings", 28, '"### "'),
    "an example without a title": ("### 1. Two findings", "### ", 28, '"### "'),
    "an example without text": ("> She said", "She said", 36, "begin with"),
    "a text in the middle": ("is mentioned.\n", "is mentioned.\n\n> Later.\n", 36, "begin with"),
    "an example without quotes": ("- nothing: No nail is mentioned.", "", 36, "names no quote"),
    "nothing beside a quote": (
        '- "nails were brittle" - `finger`, present',
        "- nothing: none.",
        33,
        "expected - ",
    ),
    "unknown polarity": ("`finger`, negated", "`finger`, absent", 34, "expected - "),
    "also without code marks": ("also `LUNG`", "also LUNG", 34, "expected - "),
    "a quote that is not verbatim": (
        '"nails were brittle"',
        '"nails are brittle"',
        33,
        "does not stand verbatim",
    ),
}


@pytest.mark.parametrize(("old", "new", "line", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_guideline_is_refused_with_file_and_line(
    old: str, new: str, line: int, message: str
) -> None:
    assert SMALL.count(old) == 1
    with pytest.raises(SchemeError) as caught:
        parse_guideline(SMALL.replace(old, new), "small.md")
    assert str(caught.value).startswith(f"small.md, line {line}: ")
    assert message in str(caught.value)
