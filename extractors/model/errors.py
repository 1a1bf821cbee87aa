"""The one tree of errors a user can meet; each message is one sentence that says what to do."""

from __future__ import annotations

import errno

# What the system says where a path leads nowhere, or to what is not the user's to write.
_NO_PLACE = frozenset(
    (
        errno.ENOENT,
        errno.ENOTDIR,
        errno.EISDIR,
        errno.EEXIST,
        errno.ENOTEMPTY,
        errno.ENAMETOOLONG,
        errno.ELOOP,
        errno.EACCES,
        errno.EPERM,
        errno.EROFS,
    )
)


class CasespanError(Exception):
    """Something the user can act on. `exit_code`: 1 the work found something wrong, 2 the call was wrong."""

    exit_code = 1


class AssetError(CasespanError):
    """A data file that the program ships is missing: the installation is damaged."""


class SchemeError(CasespanError):
    """An annotation scheme or guideline is broken; the message names file and line."""

    exit_code = 2


class TerminologyError(CasespanError):
    """A terminology's file is damaged or not what it claims to be, or a terminology is not there."""

    exit_code = 2


class FormatError(CasespanError):
    """A file given by the user cannot be read as what it claims to be."""

    exit_code = 2


class NoCaseError(FormatError):
    """Nothing in the files given is a case; the message has the first reason."""

    exit_code = 1


class DamagedCorpusError(FormatError):
    """A part of a corpus is not what was written, or gone."""

    exit_code = 1


class ProjectError(CasespanError):
    """The project file cannot be used as asked."""

    exit_code = 2


class ProjectBusyError(ProjectError):
    """Another program is changing the project."""

    exit_code = 1


class LockedProjectError(ProjectError):
    """The project is encrypted, and no passphrase was given that opens it, or a `wrong` one."""

    def __init__(self, sentence: str, *, wrong: bool = False) -> None:
        super().__init__(sentence)
        self.wrong = wrong


class StorageError(CasespanError):
    """The disk refused a write (full, broken, gone); the project is as it was.

    Where it is the place that was named to which nothing can be written, the call was wrong.
    """

    def __init__(self, sentence: str, error: OSError | None = None) -> None:
        super().__init__(sentence)
        if error is not None:
            self.exit_code = exit_code_of(error)


class UnknownNameError(CasespanError):
    """An annotator, category, document or format that does not exist here."""

    exit_code = 2


class ModelNotFoundError(UnknownNameError):
    """A language model that the server does not have."""


class ServerError(CasespanError):
    """The model server cannot be reached, or does not answer as it should."""


class RemoteRefusedError(CasespanError):
    """Text would leave this machine, and the user has not allowed it in so many words."""

    exit_code = 2


class ContextError(CasespanError):
    """The model's context is too short for the instructions, a reply and any piece of the report."""

    exit_code = 2


class ReplayError(CasespanError):
    """A file of recorded replies cannot be used."""

    exit_code = 2


class CallError(CasespanError):
    """Options of a call contradict each other."""

    exit_code = 2


class InterruptedRunError(CasespanError):
    """The user stopped a run that keeps what it has done."""

    exit_code = 130


def exit_code_of(error: OSError) -> int:
    """2 where the place that was named is what is wrong, 1 where a disk failed."""
    return 2 if error.errno in _NO_PLACE else 1


def reason_of(error: Exception) -> str:
    """What the system or a parser says, in its own words and without a number."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
