"""What models were asked: each prompt once, by its hash, its pieces shared with other prompts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.store.faults import damaged, sound
from app.store.sqlite import Database, insert_rows
from app.store.values import canonical, json_object, strings
from extractors.tasks.base import prompt_sha256

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class StoredPrompt:
    """A prompt as it was sent: the system's turn, the user's, the JSON schema of the reply, and what is told
    of the pictures behind the marks of the user's turn."""

    sha256: str
    system: str
    user: str
    form: Mapping[str, Any]
    pictures: tuple[Mapping[str, Any], ...] = ()


def keep_prompt(
    act: Act,
    system: str,
    user: Sequence[str],
    form: Mapping[str, Any],
    pictures: Sequence[Mapping[str, Any]] = (),
) -> str:
    """Store a prompt, unless it is there, and return its hash; the pieces of `user` are stored once each.

    As the texts, prompts are not part of the history: the calls that it holds name them by their hashes.
    """
    digest = prompt_sha256(system, "".join(user), form, pictures)
    row = {
        "sha256": digest,
        "system_sha256": act.keep_text(system),
        "user_sha256": canonical([act.keep_text(piece) for piece in user]),
        **_cells(form, pictures),
    }
    insert_rows(act.project.db, "prompt", [row], "IGNORE")
    return digest


def _cells(form: Mapping[str, Any], pictures: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """As it was sent: the order of a form's keys is what the model was asked to keep to."""
    return {
        "form": json.dumps(form, ensure_ascii=False),
        "pictures": json.dumps(list(pictures), ensure_ascii=False),
    }


def prompts(project: Project, run: str) -> list[StoredPrompt]:
    """The prompts that a run (UUID) was asked, in the order of its calls, each once.

    Those of calls older than the table of prompts are not known. Raises DamagedProjectError where a prompt is
    not what was sent, and what `Project.query` raises.
    """
    rows = project.query(
        "SELECT p.* FROM prompt p JOIN (SELECT prompt_sha256, min(position) AS first FROM generation "
        "WHERE run = ? GROUP BY prompt_sha256) ON prompt_sha256 = p.sha256 ORDER BY first",
        [run],
    )
    texts = dict(_texts(project.db)) if rows else {}
    with sound(project.path, "a prompt"):
        found = [_prompt(row, texts) for row in rows]
    for prompt in found:
        if _hash_of(prompt) != prompt.sha256:
            raise damaged(project.path, f"the prompt {prompt.sha256[:12]} is not what was sent")
    return found


def prompt_faults(db: Database) -> Iterator[tuple[str, str]]:
    """Prompts that are not what was sent: (where, what)."""
    texts = dict(_texts(db))
    for row in db.query("SELECT * FROM prompt"):
        where = f"prompt {row['sha256'][:12]}"
        try:
            prompt = _prompt(row, texts)
            cells = _cells(prompt.form, prompt.pictures) | {
                "user_sha256": canonical(strings(row["user_sha256"]))
            }
            if _hash_of(prompt) != row["sha256"] or any(row[name] != cell for name, cell in cells.items()):
                yield where, "it is not what was sent"
        except (KeyError, ValueError, TypeError):
            yield where, "a part of it is missing or cannot be read"


def _texts(db: Database) -> Iterator[tuple[str, str]]:
    """The pieces of all prompts, by their hashes."""
    user = "SELECT value FROM prompt, json_each(iif(json_valid(user_sha256), user_sha256, '[]'))"
    pieces = f"SELECT system_sha256 FROM prompt UNION {user}"
    for row in db.query(f"SELECT sha256, text FROM text WHERE sha256 IN ({pieces})"):
        yield row["sha256"], row["text"]


def _prompt(row: Mapping[str, Any], texts: Mapping[str, str]) -> StoredPrompt:
    user = "".join(texts[piece] for piece in strings(row["user_sha256"]))
    pictures = tuple(json.loads(row["pictures"]))
    form = json_object(row["form"])
    return StoredPrompt(row["sha256"], texts[row["system_sha256"]], user, form, pictures)


def _hash_of(prompt: StoredPrompt) -> str:
    return prompt_sha256(prompt.system, prompt.user, prompt.form, prompt.pictures)
