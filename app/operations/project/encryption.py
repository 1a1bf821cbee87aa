"""Projects that open with a passphrase alone: encrypted, changed, made plain again; keys forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from extractors.model.errors import LockedProjectError, ProjectError

# Said before a project is encrypted, by window and command line alike.
WARNING = (
    "Nobody, and no program, opens the project or its copies without the passphrase: who forgets it has lost "
    "them. What is exported stays plain, and so do copies kept elsewhere, and what the disk keeps of deleted "
    "files."
)


def is_encrypted(path: Path) -> bool:
    """Whether a file is an encrypted project; False where it cannot be read."""
    from app.store.heads import first_bytes
    from app.store.keys import SALT_BYTES, encrypted

    try:
        return encrypted(first_bytes(path, SALT_BYTES))
    except OSError:
        return False


@contextmanager
def passphrases(given: Sequence[str]) -> Iterator[None]:
    """Open encrypted projects with these while the block lasts; then they and all keys are forgotten."""
    if not given:
        yield
        return
    from app.store.keys import forget, offer

    for passphrase in given:
        offer(passphrase)
    try:
        yield
    finally:
        forget()


def kept_passphrase(path: Path) -> tuple[str, ...]:
    """The passphrase that the system's keyring has for an encrypted project, by its whole path; if any."""
    found = kept_secret(str(path.resolve())) if is_encrypted(path) else ""
    return (found,) if found else ()


def kept_secret(name: str) -> str:
    """What the system's keyring has under "casespan" and a name, "" without it or without such a thing."""
    if find_spec("keyring") is None:
        return ""
    keyring: Any = import_module("keyring")
    with suppress(keyring.errors.KeyringError):
        return keyring.get_password("casespan", name) or ""
    return ""


def unlock(path: Path, passphrase: str) -> None:
    """Keep the key of a project and its copies until `lock`.

    Raises LockedProjectError where the passphrase does not open it.
    """
    from app.store.keys import key_of, offer, withdraw

    offer(passphrase)
    try:
        key_of(path)
    finally:
        withdraw(passphrase)


def is_locked(path: Path) -> bool:
    """Whether a file is an encrypted project whose key is not at hand; False where it cannot be read."""
    from app.store.keys import key_of

    try:
        key_of(path)
    except LockedProjectError:
        return True
    except OSError:
        return False
    return False


def lock(besides: Path | None = None) -> None:
    """Forget all keys, but for that of a project which is soon to be opened; one that is open stays open."""
    from app.store.heads import first_bytes
    from app.store.keys import SALT_BYTES, forget

    forget(first_bytes(besides, SALT_BYTES) if besides is not None and is_encrypted(besides) else b"")


def encrypt_project(path: Path, passphrase: str) -> list[Path]:
    """Encrypt a project and the copies beside it with a passphrase, or with another one; the files.

    An encrypted project opens with the passphrase it had until now. Raises ProjectError, LockedProjectError,
    ProjectBusyError where the project is in use, StorageError.
    """
    from app.store.copies.backups import recode
    from app.store.keys import new_key

    return recode(path, new_key(passphrase))


def decrypt_project(path: Path) -> list[Path]:
    """Write a project and the copies beside it so that they open without a passphrase; the files."""
    from app.store.copies.backups import copies_of, recode

    if not any(is_encrypted(file) for file in (path, *copies_of(path))):
        raise ProjectError(f"{path} is not encrypted.")
    return recode(path, None)
