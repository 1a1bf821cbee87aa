"""Keys of encrypted projects: made of passphrases, held in memory only, forgotten when the user says so.

An encrypted project is a SQLCipher 4 file with its usual settings, which other programs open by the
passphrase, too. Its first 16 bytes are the salt, of which we choose the first 8, so that it is known for what
it is.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import normalize

from app.store.heads import first_bytes
from extractors.model.errors import LockedProjectError, ProjectError

ENCRYPTED = b"CASESPAN"
SALT_BYTES = 16
_KEY_BYTES = 32
# What SQLCipher 4 does by itself: PBKDF2 with SHA-512 for the key, and a hash at the end of each page.
_ROUNDS, _HASH_ROUNDS = 256_000, 2
_PAGE_BYTES, _HASH_BYTES = 4096, 64
# So many pages are looked at before a passphrase is said to be wrong, rather than the first page damaged.
_PAGES_TRIED = 16


@dataclass(frozen=True, slots=True)
class Key:
    """The key of all files with this salt; it stands in no message and no log."""

    salt: bytes
    secret: bytes = field(repr=False)

    @property
    def pragma(self) -> str:
        """As SQLCipher takes it."""
        return f"x'{self.secret.hex()}{self.salt.hex()}'"


_offered: list[str] = []
_known: dict[bytes, Key] = {}


def offer(passphrase: str) -> None:
    """Let projects that are opened from now on be tried with this passphrase, too."""
    if passphrase not in _offered:
        _offered.append(passphrase)


def withdraw(passphrase: str) -> None:
    """Do not keep a passphrase; keys that were made of it stay."""
    if passphrase in _offered:
        _offered.remove(passphrase)


def forget(besides: bytes = b"") -> None:
    """Forget every passphrase, and every key but that of files with one salt."""
    _offered.clear()
    for salt in _known.keys() - {besides}:
        del _known[salt]


def new_key(passphrase: str) -> Key:
    """The key for a file that is encrypted anew; raises ProjectError for a passphrase of nothing."""
    if not passphrase:
        raise ProjectError("An empty passphrase protects nothing; give one of several words.")
    key = _made(passphrase, ENCRYPTED + os.urandom(SALT_BYTES - len(ENCRYPTED)))
    _known[key.salt] = key
    return key


def encrypted(head: bytes) -> bool:
    """Whether a file that begins with these bytes is an encrypted project."""
    return head.startswith(ENCRYPTED)


def key_of(path: Path) -> Key | None:
    """The key of a project file, None for one that is not encrypted.

    Raises LockedProjectError where no passphrase is at hand, or none fits; OSError where it cannot be read.
    """
    salt = first_bytes(path, SALT_BYTES)
    if not encrypted(salt):
        return None
    if (known := _known.get(salt)) is not None:
        return known
    for passphrase in _offered:
        key = _made(passphrase, salt)
        if _fits(path, key):
            _known[salt] = key
            return key
    if _offered:
        raise LockedProjectError(f"{path} does not open with this passphrase.", wrong=True)
    raise LockedProjectError(f"{path} is encrypted; give its passphrase, in a file, by --passphrase-file.")


def _made(passphrase: str, salt: bytes) -> Key:
    # "é" is one character or two, as keyboards have it.
    words = normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    return Key(salt, hashlib.pbkdf2_hmac("sha512", words, salt, _ROUNDS, _KEY_BYTES))


def _fits(path: Path, key: Key) -> bool:
    """Whether any of the first pages was written with this key: the others may be damaged."""
    salt = bytes(byte ^ 0x3A for byte in key.salt)
    signing = hashlib.pbkdf2_hmac("sha512", key.secret, salt, _HASH_ROUNDS, _KEY_BYTES)
    with path.open("rb") as file:
        for number in range(1, _PAGES_TRIED + 1):
            page = file.read(_PAGE_BYTES)
            if len(page) < _PAGE_BYTES:
                return False
            content = page[SALT_BYTES if number == 1 else 0 : -_HASH_BYTES]
            found = hmac.digest(signing, content + number.to_bytes(4, "little"), "sha512")
            if hmac.compare_digest(found, page[-_HASH_BYTES:]):
                return True
    return False
