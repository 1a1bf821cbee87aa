"""What a command of the window is: data, without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Command:
    """`keys` are portable key sequences, the first one is shown; they act `where` the focus is: "window" is
    anywhere, "reader" the report's text in every mode, "text" that in which spans are made, else a mode's id.
    `about` says what it does where the words are not enough; `menu` is "" for none."""

    id: str
    text: str
    keys: tuple[str, ...]
    menu: str
    where: str = "window"
    about: str = ""
    checkable: bool = False
    needs: Literal["nothing", "project", "report"] = "report"
