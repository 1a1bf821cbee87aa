"""What a model's name tells: family, open or closed, medical, size."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache

from extractors.assets import asset
from extractors.model.errors import AssetError

_SIZE = re.compile(r"(?<![a-z\d.])(\d+(?:\.\d+)?)\s?b(?![a-z\d])", re.IGNORECASE)
_LARGE, _SMALL = 30.0, 10.0


@dataclass(frozen=True, slots=True)
class Tags:
    """`kind` is "open" or "closed", "" where unknown; `size` in billions of parameters, None where the name
    does not say."""

    family: str = ""
    kind: str = ""
    medical: bool = False
    size: float | None = None

    def groups(self) -> list[tuple[str, str]]:
        """The groups that a model is in, each with its kind of group."""
        found = [("weights", self.kind)] if self.kind else []
        found.append(("made for", "medicine" if self.medical else "everything"))
        if self.size is not None:
            under = "under 10 B" if self.size < _SMALL else "10 to 30 B"
            found.append(("size", under if self.size < _LARGE else "30 B and more"))
        return found


@lru_cache(maxsize=256)
def tags_of(model: str) -> Tags:
    """What is known of a model by its name."""
    name = model.rpartition("/")[2].casefold()
    size = _SIZE.search(name)
    parameters = float(size[1]) if size else None
    for words, tags in _known():
        if any(re.search(rf"(?<![a-z]){re.escape(word)}", name) for word in words):
            return Tags(tags.family, tags.kind, tags.medical, parameters)
    return Tags(size=parameters)


def family_of(model: str) -> str:
    """The family of a model, by its name; of one that is not known the words that it begins with."""
    found = tags_of(model).family
    if found or not model:
        return found
    begins = re.match(r"[a-z]+(?:-[a-z]+)*", model.rpartition("/")[2].casefold())
    return begins[0] if begins else ""


@lru_cache(maxsize=1)
def _known() -> tuple[tuple[tuple[str, ...], Tags], ...]:
    path = asset("resources", "studies", "mmrarebench", "models.toml")
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["model"]
        return tuple(
            (tuple(one["words"]), Tags(one["family"], one["kind"], bool(one.get("medical"))))
            for one in entries
        )
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise AssetError(f"{path} cannot be read ({error}); please install Casespan again.") from None
