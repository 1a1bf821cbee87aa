"""The whole history as a file for auditors: who changed what and when, chained, and sealed if wished."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from app.store.chain import START, chained
from app.store.values import canonical
from extractors.model.errors import ProjectError, StorageError, reason_of

if TYPE_CHECKING:
    from app.store.project import Project

_KIND = "casespan audit trail"


def write_trail(project: Project, out: Path, key: bytes = b"") -> int:
    """Write every row of the history, one a line, and return their number.

    A last line has that number, the end of the chain and, with a `key`, an HMAC-SHA256 over the lines before.

    Raises ProjectError where `out` exists, StorageError where it cannot be written.
    """
    head, count = START, 0
    code = hmac.new(key, digestmod=hashlib.sha256)
    try:
        with out.open("x", encoding="utf-8", newline="\n") as file:
            for row in project.db.query("SELECT * FROM history ORDER BY seq"):
                line = canonical(row) + "\n"
                file.write(line)
                code.update(line.encode())
                head, count = row["hash"], count + 1
            last = {"kind": _KIND, "head": head, "rows": count, "hmac": code.hexdigest() if key else ""}
            file.write(canonical(last) + "\n")
    except FileExistsError:
        raise ProjectError(f"{out} exists already; choose another name.") from None
    except OSError as error:
        raise StorageError(f"{out} could not be written: {reason_of(error)}.", error) from error
    return count


def trail_faults(path: Path, key: bytes = b"") -> Iterator[tuple[str, str]]:
    """Where a written history is not as it was written: (where, what).

    Raises ProjectError where the file is none.
    """
    head, count, ended = START, 0, False
    code = hmac.new(key, digestmod=hashlib.sha256)
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                row = json.loads(line)
                if ended:
                    yield f"line {number}", "it stands behind the end"
                elif row.get("kind") == _KIND:
                    ended = True
                    if (row["head"], row["rows"]) != (head, count):
                        yield f"line {number}", "rows before it are missing or were added"
                    if key and not hmac.compare_digest(row["hmac"], code.hexdigest()):
                        yield f"line {number}", "the seal is not by this key, or over other lines"
                else:
                    stored = row.pop("hash")
                    if stored != chained(head, row):
                        yield f"line {number}", "it, or the one before it, was altered, moved or removed"
                    head, count = stored, count + 1
                    code.update(line.encode())
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        words = f"{path} is no audit trail of Casespan, or cannot be read ({reason_of(error)})."
        raise ProjectError(words) from error
    if not ended:
        yield "end of the file", "the last lines are missing"
