"""Files from outside are taken apart in a process of their own, ended where it takes too much.

Libraries that read PDFs and Word documents are large and written for speed. What a file does to them, a
bomb or a fault, ends with that process, and costs this file alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from app.formats.documents.apart import Apart, BrokenDownError, Limits, TooLargeError, TooLongError
from app.formats.record import Pause
from extractors.model.errors import FormatError

if TYPE_CHECKING:
    from app.formats.pictures.packages import Payload
    from app.formats.record import Imported, LeftOut

MAX_MEMORY = 400_000_000
MAX_SECONDS = 60.0
_GIVEN_UP = "it was given up. Save the report's own pages as a file of their own."


class Outside:
    """One process, begun for the first file and used for those that follow; close it at the end."""

    def __init__(self, seconds: float = MAX_SECONDS, memory: int = MAX_MEMORY) -> None:
        self._limits = Limits(seconds, memory, memory // 2)
        self._apart = Apart(reader, self._limits, "reader of files")

    def read(
        self, name: str, payload: Payload, digest: str, categories: Sequence[str]
    ) -> Iterator[Imported | LeftOut | Pause]:
        """The records of a file of the format `name`; before them a pause now and then.

        Raises FormatError where the format's reader does, where reading takes too much memory or time, and
        where the process breaks down.
        """
        answer = self._apart.ask((name, payload, digest, tuple(categories)))
        try:
            while True:
                try:
                    next(answer)
                except StopIteration as end:
                    yield from end.value
                    return
                yield Pause(payload.source)
        except BrokenDownError:
            raise FormatError("Reading the file broke down; it is damaged, or made to do harm.") from None
        except TooLargeError:
            most = self._limits.memory // 1_000_000
            raise FormatError(f"Reading the file takes more than {most} MB of memory; {_GIVEN_UP}") from None
        except TooLongError:
            seconds = self._limits.seconds
            raise FormatError(f"Reading the file takes over {seconds:.0f} seconds; {_GIVEN_UP}") from None
        finally:
            answer.close()

    def close(self) -> None:
        """End the process, if there is one."""
        self._apart.close()


def reader() -> Callable[[Any], list[Imported | LeftOut]]:
    """What reads files in the other process."""
    from app.formats import format_of

    def read(question: tuple[str, Payload, str, Sequence[str]]) -> list[Imported | LeftOut]:
        name, payload, digest, categories = question
        known = format_of(name).read
        try:
            return [] if known is None else list(known(payload, digest, categories))
        except (FormatError, MemoryError):
            raise
        except Exception as error:  # which may not be one that can be handed over
            raise RuntimeError(type(error).__name__) from None

    return read
