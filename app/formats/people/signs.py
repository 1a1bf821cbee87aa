"""Signs that not every page can show, and what a format for people says of them and of itself beforehand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from app.formats.losses import Lacking
from app.formats.record import ReportExport
from app.text import counted

# What XML has no place for; a return would become a line end.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_PICTURES, _DELETE, _DELETE_PICTURE, _UNKNOWN = 0x2400, "\x7f", "␡", "\ufffd"
_NAMED_AT_MOST = 8


def visible(text: str) -> str:
    """Controls as the pictures that Unicode has of them (␀ to ␟)."""
    return _CONTROLS.sub(lambda found: _picture(found[0]), text)


def _picture(sign: str) -> str:
    if sign == _DELETE:
        return _DELETE_PICTURE
    return chr(_PICTURES + ord(sign)) if sign < " " else _UNKNOWN


def losses(name: str, lacking: Callable[[str], Counter[str]] | None = None) -> Lacking:
    """What a format for people says beforehand; `lacking` finds the signs that its font lacks."""

    def more(reports: Sequence[ReportExport]) -> Iterator[str]:
        if reports:
            yield f"{name} is for reading: annotations are not read from it again, nor where they came from."
        controls = sum(len(_CONTROLS.findall(one.document.text)) for one in reports)
        if controls:
            yield f"Written as pictures of them (␀): {counted(controls, 'control character')}."
        if lacking is not None:
            backwards = sum(bool(_RIGHT_TO_LEFT.search(one.document.text)) for one in reports)
            if backwards:
                number = counted(backwards, "report")
                yield f"Scripts from right to left are written from left to right: {number}."
            missing = sum((lacking(one.document.text) for one in reports), Counter[str]())
            if missing:
                shown = " ".join(f"U+{ord(sign):04X}" for sign, _ in missing.most_common(_NAMED_AT_MOST))
                number = counted(missing.total(), "character")
                yield f"Written as □, since the font lacks them: {number} ({shown})."

    return Lacking(name, ("rest",), more)
