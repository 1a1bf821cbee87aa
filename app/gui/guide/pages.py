"""The pages of the guide: Markdown files that come with the program, with the keys that commands have now."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from extractors.assets import asset

FIRST = "index"
# In this order they are listed; what is not named here is no page.
PAGES = (
    FIRST,
    "first-hour",
    "import",
    "annotate",
    "figures",
    "find",
    "extract",
    "review",
    "agreement",
    "reconcile",
    "export",
    "labels",
    "two-people",
    "phenotypes",
    "blinded",
    "study",
    "privacy",
    "project",
    "keys",
)
# What stands for a list that is made when the page is shown.
LISTS = ("formats.read", "formats.write", "all.keys")
_COMMAND = re.compile(r"\{\{([\w.-]+)\}\}")
_MARKS = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*`#|>]|^\s*[-:]{3,}.*$", re.MULTILINE)
_AROUND = 60


@dataclass(frozen=True, slots=True)
class Found:
    """A page in which all words stand, how often, and what stands around the first of them."""

    page: str
    number: int
    excerpt: str


@cache
def source(page: str) -> str:
    """The Markdown of a page as it was written; raises AssetError for one that there is not."""
    return asset("resources", "guide", f"{page}.md").read_text("utf-8")


def commands_in(page: str) -> list[str]:
    """The ids of the commands whose keys the page tells."""
    return [name for name in _COMMAND.findall(source(page)) if name not in LISTS]


def title(page: str) -> str:
    """The first heading of a page."""
    return source(page).partition("\n")[0].lstrip("# ")


def text(page: str, key: Callable[[str], str]) -> str:
    """The Markdown of a page; `key` gives the key of a command (id), "" where it has none."""
    made: dict[str, Callable[[], str]] = {
        "formats.read": _readable,
        "formats.write": _writable,
        "all.keys": lambda: _all_keys(key),
    }

    def told(name: str) -> str:
        return made[name]() if name in made else f"`{key(name) or 'no key'}`"

    return _COMMAND.sub(lambda found: told(found[1]), source(page))


def search(words: str, key: Callable[[str], str]) -> Sequence[Found]:
    """The pages that have all these words, those that have them most often or in their title first."""
    wanted = words.casefold().split()
    found = []
    for page in PAGES if wanted else ():
        plain = _MARKS.sub(lambda mark: mark[1] or "", text(page, key))
        folded = plain.casefold()
        if not all(word in folded for word in wanted):
            continue
        named = sum(word in title(page).casefold() for word in wanted)
        number = sum(folded.count(word) for word in wanted)
        found.append((named, Found(page, number, _around(plain, folded.find(wanted[0])))))
    found.sort(key=lambda one: (-one[0], -one[1].number))
    return [one for _, one in found]


def _readable() -> str:
    from app.formats import read_formats

    lines = [f"- {one.label}{', with annotations' if one.carries else ''}" for one in read_formats()]
    return "\n".join(lines)


def _writable() -> str:
    from app.formats import write_formats

    return "\n".join(f"- {one.label}" for one in write_formats())


def _all_keys(key: Callable[[str], str]) -> str:
    from app.gui.shell.acts.commands import COMMANDS, MENU_ORDER

    parts = []
    for menu in MENU_ORDER:
        own = [one for one in COMMANDS if one.menu == menu and key(one.id)]
        rows = [f"| {one.text.replace('&', '').rstrip('…')} | {key(one.id)} |" for one in own]
        if rows:
            parts.append("\n".join([f"## {menu}", "", "| To | Press |", "|---|---|", *rows]))
    return "\n\n".join(parts)


def _around(plain: str, place: int) -> str:
    start, end = max(0, place - _AROUND // 2), place + _AROUND
    words = " ".join(plain[start:end].split())
    return f"{'…' if start else ''}{words}…"
