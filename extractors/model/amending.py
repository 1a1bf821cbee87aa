"""A clause or a worked example added to a guideline's Markdown; all else stays as it is written."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal, TypeAlias

from extractors.model.errors import SchemeError
from extractors.model.guideline import SECTIONS, Example, ExampleQuote, Guideline, parse_guideline

ClauseSection: TypeAlias = Literal["Include", "Exclude", "Boundaries"]
CLAUSE_SECTIONS: tuple[ClauseSection, ...] = ("Include", "Exclude", "Boundaries")
_NAME = "the guideline"
_LONGEST = 1000
_EXAMPLES = "Examples"
# As the beginning of a list item these would be another block of Markdown.
_BLOCK = re.compile(r"#|>|```|~~~|[-+*](?:\s|$)|\d+[.)]\s")
_NUMBER = re.compile(r"### (\d+)\. ")


def amended(markdown: str, section: str, clause: str, example: Example | None = None) -> str:
    """The guideline with the clause as the last item of a section, and with the example as its last.

    `section` is one of CLAUSE_SECTIONS; a section that is not there yet is added in its place. Without a
    clause ("") only the example is added. White space of any width in the example becomes one space, as the
    guideline's reader has it. Raises SchemeError, in a sentence, where there is nothing to add, or it is
    there already, or would not be read again as what it is.
    """
    before = parse_guideline(markdown, _NAME)
    lines, after = markdown.split("\n"), before
    if clause or example is None:
        section, clause = _section(section), _checked_clause(clause)
        if _folded(clause) in map(_folded, _clauses(before, section)):
            raise SchemeError(f"“{clause}” stands in {section} already.")
        lines = _with(lines, section, [f"- {clause}"])
        after = _with_clause(after, section, clause)
    if example is not None:
        example = plain_example(example)
        if any(one.text == example.text for one in before.examples):
            raise SchemeError(f"The guideline has an example with this text already: “{example.text}”")
        block = example_markdown(example, _next_number(before, lines)).split("\n")
        lines = _with(lines, _EXAMPLES, ["", *block] if before.examples else block)
        after = replace(after, examples=(*before.examples, example))
    text = "\n".join(lines)
    if parse_guideline(text, _NAME) != after:
        raise SchemeError("The guideline would be read otherwise than it is meant; use simpler words.")
    return text


def plain_example(example: Example) -> Example:
    """The example on one line throughout; raises SchemeError where it is none.

    Its quotes must stand verbatim in its text; where there are none, it must say why.
    """
    text, reason = _one_line(example.text), _one_line(example.reason)
    if not text:
        raise SchemeError("The example has no text.")
    quotes = tuple(replace(one, quote=_one_line(one.quote)) for one in example.quotes)
    for one in quotes:
        if not one.quote:
            raise SchemeError("A quote of the example is empty.")
        if one.quote not in text:
            raise SchemeError(f"“{one.quote}” does not stand verbatim in the text of the example.")
    if not quotes and not reason:
        raise SchemeError("The example names no quote; say why there is nothing to mark in it.")
    title = _one_line(example.title) or ("Worked example" if quotes else "Nothing to mark")
    return Example(title, text, quotes, "" if quotes else reason)


def example_markdown(example: Example, number: int = 1) -> str:
    """The example as it stands in a guideline; raises SchemeError as `plain_example`."""
    example = plain_example(example)
    items = [_item(one) for one in example.quotes] or [f"- nothing: {example.reason}"]
    return "\n".join([f"### {number}. {example.title}", "", f"> {example.text}", "", *items])


def read_example(markdown: str) -> Example:
    """The example that `example_markdown` wrote; raises SchemeError where there is none."""
    examples = parse_guideline(f"# -\n\n## Definition\n\n-.\n\n## Examples\n\n{markdown}\n", _NAME).examples
    return examples[0]


def _section(section: str) -> ClauseSection:
    for known in CLAUSE_SECTIONS:
        if known.casefold() == section.casefold():
            return known
    raise SchemeError(f"A clause cannot be added to {section!r}; choose one of {', '.join(CLAUSE_SECTIONS)}.")


def _checked_clause(clause: str) -> str:
    clause = clause.strip()
    if not clause:
        raise SchemeError("The clause is empty; say what the guideline is to say from now on.")
    # More than the line feed ends a line for those who read the guideline elsewhere.
    if len(clause.splitlines()) > 1 or not clause.isprintable():
        raise SchemeError("The clause must be one line of plain text.")
    if len(clause) > _LONGEST:
        raise SchemeError(f"The clause is longer than {_LONGEST} characters; say it in fewer words.")
    if _BLOCK.match(clause):
        raise SchemeError(f"The clause cannot begin with “{clause[:3].strip()}”; begin it with a word.")
    return clause


def _clauses(guideline: Guideline, section: ClauseSection) -> tuple[str, ...]:
    there = {"Include": guideline.include, "Exclude": guideline.exclude, "Boundaries": guideline.boundaries}
    return there[section]


def _with_clause(guideline: Guideline, section: ClauseSection, clause: str) -> Guideline:
    clauses = (*_clauses(guideline, section), clause)
    if section == "Include":
        return replace(guideline, include=clauses)
    if section == "Exclude":
        return replace(guideline, exclude=clauses)
    return replace(guideline, boundaries=clauses)


def _folded(text: str) -> str:
    return _one_line(text).casefold().rstrip(".")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _item(quote: ExampleQuote) -> str:
    field = f"`{quote.field}`, " if quote.field else ""
    also = f"; also {', '.join(f'`{one}`' for one in quote.also)}" if quote.also else ""
    return f'- "{quote.quote}" - {field}{quote.polarity}{also}'


def _next_number(before: Guideline, lines: list[str]) -> int:
    numbers = [int(match[1]) for line in lines if (match := _NUMBER.match(line))]
    return max([len(before.examples), *numbers]) + 1


def _with(lines: list[str], section: str, new: list[str]) -> list[str]:
    """The lines with new ones at the end of a section, which is added where it is not there."""
    heads = [number for number, line in enumerate(lines) if line.rstrip().startswith("## ")]
    titles = [lines[number].rstrip()[3:].strip() for number in heads]
    if section in titles:
        place = titles.index(section)
        end = heads[place + 1] if place + 1 < len(heads) else len(lines)
        at = _behind_text(lines, end)
        return [*lines[:at], *new, *lines[at:]]
    later = SECTIONS[SECTIONS.index(section) + 1 :]
    following = next((head for head, title in zip(heads, titles, strict=True) if title in later), None)
    if following is not None:
        return [*lines[:following], f"## {section}", "", *new, "", *lines[following:]]
    at = _behind_text(lines, len(lines))
    return [*lines[:at], "", f"## {section}", "", *new, *(lines[at:] or [""])]


def _behind_text(lines: list[str], end: int) -> int:
    """The first of the blank lines before `end`."""
    while end and not lines[end - 1].strip():
        end -= 1
    return end
