"""How a category's guideline was amended, version by version; each version's text is kept."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from app.store.act import Act
from app.store.faults import damaged
from app.store.values import new_uuid
from extractors.model.errors import UnknownNameError

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


def put_guideline(act: Act, category: str, markdown: str) -> None:
    """Make `markdown` the category's guideline, as amendments on record make it; raises UnknownNameError."""
    act.update("scheme_file", _file(act.project, category)["uuid"], {"text_sha256": act.keep_text(markdown)})


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


@dataclass(frozen=True, slots=True)
class Work:
    """When an annotator (UUID) last worked on a category of a document (UUID)."""

    document: str
    annotator: str
    at: str


def work_on(project: Project, category: str, document: str | None = None) -> list[Work]:
    """Who last worked on a category when, in all documents or one (UUID), by document and annotator's name.

    That is when the last of their quotes was made; where they are done with the document, or have looked at
    the category in vain, when their review of it was changed, if that was later.
    """
    here = "AND document = ?2 " if document is not None else ""
    rows = project.query(
        "SELECT d.uuid AS document, a.uuid AS annotator, max(w.at) AS at FROM ("
        "SELECT document, annotator, created_at AS at FROM annotation "
        f"WHERE category = ?1 {here}"
        "UNION ALL SELECT document, annotator, changed_at FROM review r "
        f"WHERE EXISTS (SELECT 1 FROM json_each(r.looked_at) WHERE value = ?1) {here}AND (state = 'done' "
        "OR NOT EXISTS (SELECT 1 FROM annotation WHERE document = r.document AND annotator = r.annotator "
        "AND category = ?1))) w "
        "JOIN document d ON d.uuid = w.document JOIN annotator a ON a.uuid = w.annotator "
        "GROUP BY d.uuid, a.uuid ORDER BY d.position, a.name",
        [category, document] if document is not None else [category],
    )
    return [Work(**row) for row in rows]


def _file(project: Project, category: str) -> dict[str, str]:
    project.scheme.category(category)
    rows = project.query("SELECT uuid, text_sha256 FROM scheme_file WHERE name = ?", [f"{category}.md"])
    if not rows:
        raise UnknownNameError(f"{category} has no guideline in {project.path}.")
    return rows[0]
