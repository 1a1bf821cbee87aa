"""The annotation scheme: categories, their fields, codes, keys and colours, read from one TOML file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from extractors.assets import asset
from extractors.model.errors import SchemeError, UnknownNameError
from extractors.model.guideline import parse_guideline

SCHEME_FILE = "scheme.toml"

# How much one quote takes in: several sentences, a sentence or clause, the finding's phrase alone.
Grain: TypeAlias = Literal["passage", "sentence", "phrase"]
GRAINS: tuple[Grain, ...] = get_args(Grain)
_HABITS = {
    "passage": "Quote passages, over sentences.",
    "sentence": "Quote sentences.",
    "phrase": "Quote the finding's phrase alone.",
}
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
# Keys beside the categories in a CaseReportBench record, and the confusion matrix's name for nothing.
_TAKEN = frozenset({"pmcid", "title", "text", "case", "none"})
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_HEADER = re.compile(r"\s*\[\[\s*category\s*\]\]")
_TOML_PLACE = re.compile(r" \(at (?:line (?P<line>\d+), column \d+|end of document)\)$")


@dataclass(frozen=True, slots=True)
class Category:
    """One label. `code` is its two-letter mark, `shortcut` its key, colours are "#rrggbb" by theme.

    `grain` says how large its quotes are, `joins` in a sentence what makes one quote; both are None or empty
    where the scheme leaves it open. `amended` are the clauses that the guideline got since the scheme was
    made, the earliest first.
    """

    id: str
    name: str
    code: str
    shortcut: str
    colour_light: str
    colour_dark: str
    fields: tuple[str, ...]
    guideline: str
    grain: Grain | None = None
    joins: str = ""
    amended: tuple[str, ...] = ()

    @property
    def habit(self) -> str:
        """How large its quotes are, in a sentence or two; "" where the scheme leaves it open."""
        return " ".join(filter(None, (_HABITS.get(self.grain or ""), self.joins)))


@dataclass(frozen=True, slots=True)
class Scheme:
    """A set of categories in the order in which they are shown everywhere."""

    id: str
    name: str
    version: str
    categories: tuple[Category, ...]
    # The category ids, in scheme order; asked for by the thousand.
    ids: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", tuple(category.id for category in self.categories))

    def category(self, category_id: str) -> Category:
        """The category of that id; raises UnknownNameError naming those there are."""
        for category in self.categories:
            if category.id == category_id:
                return category
        raise UnknownNameError(f"There is no category {category_id!r}; choose one of {', '.join(self.ids)}.")


def default_scheme() -> Scheme:
    """The 14 clinical categories that come with the program."""
    return load_scheme(asset("guidelines", "clinical14"))


def load_scheme(folder: Path) -> Scheme:
    """Read `scheme.toml` and one `<category id>.md` guideline per category from `folder`.

    Raises SchemeError, naming file and line, where anything is missing, repeated or of the wrong form.
    """
    source = _text(folder / SCHEME_FILE)
    guidelines = {path.stem: _text(path) for path in sorted(folder.glob("*.md"))}
    scheme = parse_scheme(source, guidelines, str(folder / SCHEME_FILE))
    for category in scheme.categories:
        parse_guideline(category.guideline, str(folder / f"{category.id}.md"))
    return scheme


def parse_scheme(source: str, guidelines: Mapping[str, str], name: str = SCHEME_FILE) -> Scheme:
    """Build a scheme from TOML text and guideline texts by category id; `name` stands in error messages."""
    try:
        return _parsed(source, tuple(guidelines.items()))
    except SchemeError as error:
        raise SchemeError(f"{name}, {error}") from None


@lru_cache(maxsize=4)
def _parsed(source: str, texts: tuple[tuple[str, str], ...]) -> Scheme:
    """The scheme of these texts: a project is opened more often than its scheme changes."""
    guidelines = dict(texts)
    try:
        data = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        raise SchemeError(_toml_message(error, source)) from None
    reader = _Reader(source)
    head = [reader.text(data, key, None) for key in ("id", "name", "version")]
    entries = data.get("category")
    if not isinstance(entries, list) or not entries:
        raise reader.error("there is no [[category]]", None)
    categories = tuple(reader.category(entry, index, guidelines) for index, entry in enumerate(entries))
    for attribute in ("id", "code", "shortcut"):
        reader.require_unique(categories, attribute)
    return Scheme(head[0], head[1], head[2], categories)


def _text(path: Path) -> str:
    """The UTF-8 text of a scheme file, with or without the byte order mark that some editors write."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SchemeError(f"{path}: cannot be read ({reason}).") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SchemeError(f"{path}, line {line}: not UTF-8 text; save the file as UTF-8.") from None


def _toml_message(error: tomllib.TOMLDecodeError, source: str) -> str:
    """The line as in the other messages; what breaks off at the end is reported for the last line."""
    place = _TOML_PLACE.search(str(error))
    line = (place and place["line"]) or source.rstrip().count("\n") + 1
    return f"line {line}: not valid TOML, {_TOML_PLACE.sub('', str(error))}."


@dataclass(frozen=True, slots=True)
class _Reader:
    """Takes checked values out of parsed TOML and finds their lines for messages (tomllib keeps none)."""

    source: str

    def category(self, entry: object, index: int, guidelines: Mapping[str, str]) -> Category:
        if not isinstance(entry, dict):
            raise self.error("a category must be a [[category]] table", None)
        category_id = self.text(entry, "id", index, _ID)
        if category_id.lower() in _TAKEN:
            raise self.error(f'"id" cannot be {category_id!r}: files use it otherwise', index, "id")
        colours = entry.get("colour")
        if not isinstance(colours, dict):
            raise self.error('"colour" must be { light = "#rrggbb", dark = "#rrggbb" }', index, "colour")
        fields = entry.get("fields")
        if not isinstance(fields, list) or not all(
            isinstance(field, str) and field.strip() for field in fields
        ):
            raise self.error('"fields" must be a list of names', index, "fields")
        if len(set(fields)) < len(fields):
            raise self.error('"fields" names one field twice', index, "fields")
        if category_id not in guidelines:
            raise self.error(f"there is no guideline {category_id}.md beside it", index, "id")
        grain = next((known for known in GRAINS if known == entry.get("grain")), None)
        if "grain" in entry and grain is None:
            raise self.error(f'"grain" must be one of {", ".join(GRAINS)}', index, "grain")
        return Category(
            id=category_id,
            name=self.text(entry, "name", index),
            code=self.text(entry, "code", index, re.compile(r"[A-Z]{2}")),
            shortcut=self.text(entry, "shortcut", index, re.compile(r"[0-9a-z]")),
            colour_light=self.text(colours, "light", index, _COLOUR, "colour"),
            colour_dark=self.text(colours, "dark", index, _COLOUR, "colour"),
            fields=tuple(fields),
            guideline=guidelines[category_id],
            grain=grain,
            joins=self.text(entry, "joins", index) if "joins" in entry else "",
        )

    def text(
        self,
        table: Mapping[str, Any],
        key: str,
        index: int | None,
        pattern: re.Pattern[str] | None = None,
        line_key: str = "",
    ) -> str:
        value = table.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.error(f'"{key}" is missing or not a text', index, line_key or key)
        if pattern is not None and not pattern.fullmatch(value):
            raise self.error(f'"{key}" cannot be {value!r}', index, line_key or key)
        return value

    def require_unique(self, categories: tuple[Category, ...], attribute: str) -> None:
        seen: set[str] = set()
        for index, category in enumerate(categories):
            value = getattr(category, attribute)
            if value.lower() in seen:
                raise self.error(f'"{attribute}" {value!r} is used twice', index, attribute)
            seen.add(value.lower())

    def error(self, what: str, index: int | None, key: str = "") -> SchemeError:
        return SchemeError(f"line {self._line(index, key)}: {what}.")

    def _line(self, index: int | None, key: str) -> int:
        """Line of `key` in the category at `index` (in the head of the file for None); else of its header."""
        best = 1
        for number, line in self._block(index):
            if key and re.match(rf"\s*{re.escape(key)}\s*=", line):
                return number
            if _HEADER.match(line):
                best = number
        return best

    def _block(self, index: int | None) -> Iterator[tuple[int, str]]:
        position = -1
        for number, line in enumerate(self.source.split("\n"), start=1):
            position += bool(_HEADER.match(line))
            if position == (-1 if index is None else index):
                yield number, line
