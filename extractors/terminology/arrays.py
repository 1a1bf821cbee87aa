"""Arrays and lists of texts in one file: the same content gives the same bytes, each is read on its own."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from extractors.model.errors import TerminologyError, reason_of

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

Array: TypeAlias = "NDArray[Any]"
_ABOUT = "about"


def texts(lines: Iterable[str]) -> Array:
    """Texts as one array; line ends in them become blanks."""
    import numpy as np

    listed = list(lines)
    joined = "\n".join(listed)
    if joined.count("\n") >= max(1, len(listed)):
        joined = "\n".join([text.replace("\n", " ") for text in listed])
    return np.frombuffer(joined.encode("utf-8"), np.uint8)


def flat(key: str, lists: Sequence[Sequence[int]], kind: DTypeLike) -> dict[str, Array]:
    """Lists of numbers behind each other as `key`, and where each begins as `key`_starts."""
    import numpy as np

    starts = np.cumsum([0, *map(len, lists)], dtype=np.int32)
    return {f"{key}_starts": starts, key: np.array(list(chain.from_iterable(lists)), kind)}


def write_arrays(
    path: Path, about: Mapping[str, object], arrays: Mapping[str, Array], level: int = 9
) -> None:
    """Write arrays by name, whole or not at all, and `about`, which has the "format" they are in; the folder
    is made where it is not there; `level` (0 to 9) is zip's."""
    import numpy as np

    packing = zipfile.ZIP_DEFLATED if level else zipfile.ZIP_STORED
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}.part")
    with zipfile.ZipFile(unfinished, "w") as archive:
        for key, array in {_ABOUT: texts([json.dumps(about)]), **arrays}.items():
            content = BytesIO()
            np.save(content, array, allow_pickle=False)
            # Dated alike, so that the same arrays are the same bytes.
            entry = zipfile.ZipInfo(f"{key}.npy")
            archive.writestr(entry, content.getbuffer(), packing, level)
    unfinished.replace(path)


class ArrayFile:
    """A file of arrays, read as a whole, unpacked part by part.

    Raises TerminologyError where it is absent, damaged or of another format than `format`.
    """

    about: dict[str, Any]

    def __init__(self, path: Path, format: int) -> None:
        self.path = path
        try:
            self._archive = zipfile.ZipFile(BytesIO(path.read_bytes()))
            self.about = json.loads(self.texts(_ABOUT)[0])
        except (OSError, zipfile.BadZipFile) as error:
            raise TerminologyError(f"{path.name} cannot be read: {reason_of(error)}.") from None
        if self.about["format"] != format:
            raise TerminologyError(f"{path.name} was made for another version of Casespan; import it again.")

    def array(self, key: str) -> Array:
        """One of the arrays."""
        import numpy as np

        try:
            array: Array = np.load(BytesIO(self._archive.read(f"{key}.npy")), allow_pickle=False)
        except (KeyError, ValueError, zipfile.BadZipFile) as error:
            raise TerminologyError(f"{self.path.name} is damaged ({error}).") from None
        return array

    def texts(self, key: str) -> list[str]:
        """One of the lists of texts."""
        return self.array(key).tobytes().decode("utf-8").split("\n")
