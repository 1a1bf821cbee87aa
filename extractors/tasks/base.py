"""What every question to a model has in common: items, prompts, forms of replies, tasks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

from extractors.model.document import Document

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says. `complete` where it says all that was asked, `problems` are sentences on the rest.

    `value` is the task's own; JSON where it is kept as it is.
    """

    complete: bool
    problems: tuple[str, ...] = ()
    value: Any = None


class Form(Protocol):
    """What a reply must look like."""

    def schema(self) -> dict[str, Any]:
        """The form as JSON schema, the order of its keys included."""

    def read(self, text: str) -> Reading:
        """Read a reply, whatever it is; never raises."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as it is sent: `width` and `height` in pixels, `sha256` of the bytes that it is made of.

    `told` is what a record says of it (JSON: what was done to it); `read` makes the bytes, PNG or JPEG.
    """

    sha256: str
    width: int
    height: int
    told: Mapping[str, Any]
    read: Callable[[], bytes] = field(compare=False, repr=False)

    def as_json(self) -> dict[str, Any]:
        """What a record holds, by which prompts are told apart."""
        return {"sha256": self.sha256, "width": self.width, "height": self.height, **self.told}

    def with_bytes(self) -> Shown:
        """The same, read."""
        data = self.read()
        return replace(self, read=lambda: data)


# Stands in the user's turn wherever a picture belongs, so that each comes behind its own name.
PICTURE_MARK = "[img]"


@dataclass(frozen=True, slots=True)
class Prompt:
    """What one call says: the system's rules, then the user's turn (what it is about first, the task last).

    `shown` is how many characters of the user's turn show what it is about; many prompts share these.
    Each of the `pictures` stands in the place of a PICTURE_MARK of the user's turn, in their order.
    """

    system: str
    user: str
    form: Form
    shown: int = 0
    pictures: tuple[Shown, ...] = ()

    def __post_init__(self) -> None:
        if self.user.count(PICTURE_MARK) != len(self.pictures) and self.pictures:
            raise ValueError("As many marks as pictures stand in a prompt.")

    @property
    def block(self) -> str:
        """The piece of the user's turn that shows what it is about."""
        return self.user[: self.shown]

    @property
    def instructions(self) -> str:
        """The piece of the user's turn that says what to do."""
        return self.user[self.shown :]

    @property
    def pieces(self) -> tuple[str, ...]:
        """The user's turn in its two pieces, or in one where it shows nothing."""
        return tuple(filter(None, (self.block, self.instructions)))

    @property
    def sha256(self) -> str:
        """Hexadecimal SHA-256 of texts, schema and pictures, by which a record names the prompt."""
        return prompt_sha256(self.system, self.user, self.form.schema(), self.pictures_json)

    def with_bytes(self) -> Prompt:
        """The same with the bytes of its pictures at hand, for whoever sends them and cannot read them."""
        return replace(self, pictures=tuple(one.with_bytes() for one in self.pictures))

    @property
    def pictures_json(self) -> list[dict[str, Any]]:
        """What a record says of the pictures."""
        return [picture.as_json() for picture in self.pictures]


def object_schema(each: Mapping[str, Any], *, closed: bool = False) -> dict[str, Any]:
    """JSON schema of an object with all of these keys, in this order, and where it is `closed` no others."""
    more = {"additionalProperties": False} if closed else {}
    return {"type": "object", "properties": dict(each), "required": list(each), **more}


def prompt_sha256(
    system: str, user: str, schema: Mapping[str, Any], pictures: Sequence[Mapping[str, Any]] = ()
) -> str:
    """Hexadecimal SHA-256 of what is asked, the order of the schema's keys included."""
    asked = [system, user, schema, *([list(pictures)] if pictures else [])]
    whole = json.dumps(asked, ensure_ascii=False)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Item:
    """One call of a task: the questions that it asks about a report, or about the text of a study's item.

    `spans` are what it shows of the text (start, end in code points), none where there is nothing to show and
    so nothing to ask; part `part` (from 0) of `parts` where the text does not fit into one prompt. `again`
    tells calls apart that ask the same thing several times, "" for one that is asked once.
    """

    subject: Document
    asks: tuple[str, ...]
    spans: tuple[Span, ...]
    part: int = 0
    parts: int = 1
    again: str = ""

    @property
    def question(self) -> str:
        """The one question asked, "" where several are asked at once."""
        return self.asks[0] if len(self.asks) == 1 else ""


class Task(Protocol):
    """Turns a text into prompts, and replies into values; whoever makes the calls knows no more of it.

    One that is `whole` is not asked in parts: what does not fit into the context is not asked.
    """

    @property
    def id(self) -> str:
        """As records and the registry name it."""

    @property
    def version(self) -> str:
        """Changes with the words of its prompts."""

    def variants(self) -> tuple[str, ...]:
        """The ways in which it can be asked, at least one."""

    def items(self, source: Document) -> Iterable[Item]:
        """What is to be asked about a text, in the order in which most of each prompt is shared."""

    def prompt(self, item: Item) -> Prompt:
        """An item in words; those about the same spans begin alike."""

    def form(self, item: Item) -> Form:
        """The form of the reply to an item."""

    def reply_tokens(self, item: Item, shown: int) -> int:
        """How long the reply may be, where `shown` tokens are shown."""
