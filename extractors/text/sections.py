"""What a section is about, judged by its headings: categories, and whether it tells the case."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from extractors.assets import asset
from extractors.model.document import Section, SectionRole
from extractors.model.errors import AssetError

_Kind = Literal["category", "case", "background", "excluded", "literature", "treatment"]
_WORD = re.compile(r"[^\W_]+")
_JOINING = re.compile(r"[,;:/&+]")
_WITHIN_A_PART: tuple[_Kind, ...] = ("background", "literature", "case")
_BETWEEN_PARTS: tuple[_Kind, ...] = ("case", "background", "literature")
_KEY_LENGTH = 2


@dataclass(frozen=True, slots=True)
class _Root:
    """One entry of the rules: `text` at a word start (`whole`: up to a word end) says `value`."""

    text: str
    whole: bool
    kind: _Kind
    value: str


@dataclass(frozen=True, slots=True)
class _HeadingMeaning:
    """What one heading says of itself; `opens` where it begins like a case's own heading, `names` where it
    speaks of the case in whatever words."""

    categories: frozenset[str]
    role: _Kind | None
    reason: str
    opens: bool
    names: bool


@dataclass(frozen=True, slots=True, eq=False)
class SectionRules:
    """Heading roots by their first letters, the categories that go with others, and words without meaning.

    `joints` are the words that separate the parts of a heading ("and").
    """

    index: Mapping[str, tuple[_Root, ...]]
    also: Mapping[str, tuple[str, ...]]
    fillers: frozenset[str]
    joints: frozenset[str]


def load_section_rules(path: Path) -> SectionRules:
    """Read heading rules from a TOML file of the form of resources/sections.toml; raises AssetError."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        roots = list(_roots(data))
        also = {name: tuple(entry.get("also", ())) for name, entry in data["categories"].items()}
        joints = frozenset(data["fillers"]["joints"])
        fillers = joints.union(data["fillers"]["words"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AssetError(f"{path.name} cannot be used ({error}); please install Casespan again.") from None
    index: dict[str, list[_Root]] = {}
    for root in roots:
        index.setdefault(root.text[:_KEY_LENGTH], []).append(root)
    return SectionRules({key: tuple(entries) for key, entries in index.items()}, also, fillers, joints)


@lru_cache(maxsize=1)
def default_section_rules() -> SectionRules:
    """The rules that come with the program."""
    return load_section_rules(asset("resources", "sections.toml"))


def classify(
    path: Sequence[str], rules: SectionRules, all_categories: Sequence[str]
) -> tuple[tuple[str, ...], SectionRole, str]:
    """Categories, role and reason of a section with these headings, outermost first.

    Categories come in the order of `all_categories`: those of the innermost heading that speaks of any, else
    all. A heading that is left out takes everything below it along. So does background (introduction,
    discussion), but for headings that open a case ("Case 2"). `reason` says why a section is left out and is
    empty otherwise.
    """
    return _classify(tuple(path), rules, tuple(all_categories))


@lru_cache(maxsize=4096)
def _classify(
    path: tuple[str, ...], rules: SectionRules, all_categories: tuple[str, ...]
) -> tuple[tuple[str, ...], SectionRole, str]:
    parts = [_heading_meaning(heading, rules) for heading in path]
    role, reason = _role(parts)
    return _categories(parts, rules, all_categories), role, reason


def case_start(sections: Sequence[Section]) -> int:
    """Where the case begins in the text of these sections, 0 where none of them tells one.

    What stands before the first heading (a title, authors) is passed over where a later heading names the
    case, and what an abstract tells of it where a later section tells it, too.
    """
    told = [section for section in sections if section.role == "case"]
    first = next(iter(told), None)
    if first is not None and len(first.path) != 1:
        rules = default_section_rules()
        if not first.heading or _in_background(first, rules):
            named = [one for one in told if any(_heading_meaning(h, rules).names for h in one.path)]
            first = min(named, key=lambda one: (_in_background(one, rules), one.start), default=first)
    return first.start if first is not None else 0


def _in_background(section: Section, rules: SectionRules) -> bool:
    return bool(section.path) and _heading_meaning(section.path[0], rules).role == "background"


def says_something(heading: str, rules: SectionRules) -> bool:
    """Whether `heading` holds any root of the rules, and so looks like a section's heading at all."""
    given = _heading_meaning(heading, rules)
    return bool(given.categories or given.role or given.reason)


def opens_a_part(heading: str, rules: SectionRules) -> bool:
    """Whether `heading` begins a part of the whole report, a case or what is none, not something within."""
    given = _heading_meaning(heading, rules)
    return given.opens or given.role == "background"


def _role(meanings: Iterable[_HeadingMeaning]) -> tuple[SectionRole, str]:
    role: SectionRole = "case"
    for one in meanings:
        if one.reason:
            return "excluded", one.reason
        if one.role == "background":
            role = "background"
        elif one.opens:
            role = "case"
    return role, ""


def _categories(
    meanings: Sequence[_HeadingMeaning], rules: SectionRules, all_categories: Sequence[str]
) -> tuple[str, ...]:
    for one in reversed(meanings):
        wanted = set(one.categories)
        for name in one.categories:
            wanted.update(rules.also.get(name, ()))
        found = tuple(name for name in all_categories if name in wanted)
        if found:
            return found
        if one.role == "case":
            break
    return tuple(all_categories)


@lru_cache(maxsize=4096)
def _heading_meaning(heading: str, rules: SectionRules) -> _HeadingMeaning:
    """What `heading` says of itself, without its neighbours."""
    plain = _plain(heading)
    found: list[_Root] = []
    parts: list[set[_Kind]] = [set()]
    only_treatment = True
    opens: bool | None = None
    names = False
    for match in _WORD.finditer(plain):
        word = match[0]
        if word in rules.joints:
            parts.append(set())
        here = [root for root in rules.index.get(word[:_KEY_LENGTH], ()) if _fits(root, plain, match)]
        found += here
        parts[-1].update(root.kind for root in here)
        meaningless = word in rules.fillers or word.isdigit()
        only_treatment &= meaningless or any(root.kind == "treatment" for root in here)
        is_case = any(root.kind == "case" and root.whole for root in here)
        names |= is_case
        if opens is None and not meaningless:
            opens = is_case
    role = _heading_role(parts)
    categories = frozenset(root.value for root in found if root.kind == "category")
    return _HeadingMeaning(
        categories, role, _reason(found, role, only_treatment), bool(opens), names and role == "case"
    )


def _fits(root: _Root, plain: str, match: re.Match[str]) -> bool:
    if not plain.startswith(root.text, match.start()):
        return False
    return not root.whole or match.end() == match.start() + len(root.text)


def _heading_role(parts: Iterable[set[_Kind]]) -> _Kind | None:
    """The case loses to background within a part ("Discussion of the case") and wins between two."""
    roles = {next((kind for kind in _WITHIN_A_PART if kind in part), None) for part in parts}
    return next((kind for kind in _BETWEEN_PARTS if kind in roles), None)


def _reason(found: Iterable[_Root], role: _Kind | None, only_treatment: bool) -> str:
    for root in found:
        left_out = (
            root.kind == "excluded"
            or (root.kind == "literature" and role == "literature")
            or (root.kind == "treatment" and only_treatment)
        )
        if left_out:
            return root.value
    return ""


def _plain(heading: str) -> str:
    """As the rules are written: lower case, no accents, one space between words, joining signs as "and"."""
    text = _JOINING.sub(" and ", heading.casefold())
    if not text.isascii():
        text = "".join(
            char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char)
        )
    return " ".join(_WORD.findall(text)) + " "


def _roots(data: Mapping[str, Any]) -> Iterator[_Root]:
    for name, entry in data["categories"].items():
        yield from _entries(entry, "category", name)
    yield from _entries(data["case"], "case", "")
    yield from _entries(data["background"], "background", "")
    for entry in data["excluded"]:
        kind: _Kind = "treatment" if entry.get("only") else "literature" if entry.get("soft") else "excluded"
        yield from _entries(entry, kind, entry["reason"])


def _entries(entry: Mapping[str, Any], kind: _Kind, value: str) -> Iterator[_Root]:
    for text in entry.get("roots", ()):
        yield _Root(text, False, kind, value)
    for text in entry.get("words", ()):
        yield _Root(text, True, kind, value)
