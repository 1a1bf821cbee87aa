"""The prompt templates as files that can be read, corrected and hashed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from extractors.assets import asset
from extractors.model.errors import AssetError

if TYPE_CHECKING:
    from jinja2 import Environment

_VERSION_FILE = "version.txt"


class Templates:
    """All of a folder of resources: `sources` by file name, and the `version` kept beside them.

    Raises AssetError where a file is missing, cannot be read or is no template.
    """

    version: str
    sources: Mapping[str, str]

    def __init__(self, *folders: str) -> None:
        """Those for reports, or those of the `folders` below `resources`."""
        folder = asset("resources", *(folders or ("prompts",)))
        try:
            self.version = (folder / _VERSION_FILE).read_text(encoding="utf-8").strip()
            self.sources = {
                path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.j2"))
            }
        except (OSError, UnicodeDecodeError) as error:
            raise _broken(str(error)) from None
        self.environment = _environment(tuple(self.sources.items()))

    def render(self, name: str, **values: object) -> str:
        """The text of template `name` (without ".j2"), plain, without a newline at its end."""
        from jinja2 import TemplateError

        try:
            return self.environment.get_template(f"{name}.j2").render(values)
        except TemplateError as error:
            raise _broken(f"{name}.j2: {error}") from None


# The same templates are compiled once; a window asks for them run after run.
@lru_cache(maxsize=16)
def _environment(sources: tuple[tuple[str, str], ...]) -> Environment:
    from jinja2 import DictLoader, Environment, StrictUndefined

    environment = Environment(
        loader=DictLoader(dict(sources)),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["plain"] = _plain
    return environment


def _plain(markdown: str) -> str:
    """A guideline's line without the marks of code, which cost tokens and say nothing to a model."""
    return markdown.replace("`", "")


def _broken(what: str) -> AssetError:
    return AssetError(f"The prompt templates are damaged ({what}); please install Casespan again.")
