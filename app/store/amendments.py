"""How a category's guideline was amended, version by version; each version's text is kept."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from app.store.act import Act
from app.store.faults import damaged
from app.store.values import new_uuid
from extractors.errors import UnknownNameError

if TYPE_CHECKING:
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class Amendment:
    """One change of a category's guideline: `clause` is the line added to a `section`, "" for none.

    `example` is the worked example added (Markdown), "" for none; `decision` the UUID of the decision that
    led to it, "" for none; `author` a name. The texts before and after go by their SHA-256.
    """

    uuid: str
    position: int
    category: str
    section: str
    clause: str
    example: str
    decision: str
    author: str
    before_sha256: str
    after_sha256: str
    amended_at: str


def add_amendment(
    act: Act,
    category: str,
    markdown: str,
    *,
    section: str,
    clause: str,
    example: str = "",
    decision: str = "",
    author: str = "",
) -> Amendment:
    """Make `markdown` the category's guideline from now on, and record what was changed in it and why.

    The project's scheme is the new one once the act is on disk. Raises UnknownNameError for a category that
    the scheme lacks; the caller makes sure that the text is a guideline.
    """
    file = _file(act.project, category)
    digest = act.keep_text(markdown)
    act.update("scheme_file", str(file["uuid"]), {"text_sha256": digest})
    amendment = Amendment(
        uuid=new_uuid(),
        position=act.next_position("amendment"),
        category=category,
        section=section,
        clause=clause,
        example=example,
        decision=decision,
        author=author,
        before_sha256=file["text_sha256"],
        after_sha256=digest,
        amended_at=act.at,
    )
    act.insert("amendment", asdict(amendment))
    return amendment


def amendments(project: Project, category: str | None = None) -> list[Amendment]:
    """All amendments, or those of one category, the earliest first."""
    rows = project.query(
        "SELECT * FROM amendment WHERE category = ifnull(?, category) ORDER BY position", [category]
    )
    return [Amendment(**row) for row in rows]


def guideline_text(project: Project, digest: str) -> str:
    """A version of a guideline by its SHA-256; raises DamagedProjectError where it is not there."""
    rows = project.query("SELECT text FROM text WHERE sha256 = ?", [digest])
    if not rows:
        raise damaged(project.path, f"the guideline {digest[:12]} is missing")
    return str(rows[0]["text"])


def _file(project: Project, category: str) -> dict[str, str]:
    project.scheme.category(category)
    rows = project.query("SELECT uuid, text_sha256 FROM scheme_file WHERE name = ?", [f"{category}.md"])
    if not rows:
        raise UnknownNameError(f"{category} has no guideline in {project.path}.")
    return rows[0]
