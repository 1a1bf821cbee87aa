"""What a command of the window is: data, without Qt."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Needs: TypeAlias = Literal["nothing", "project", "encryption", "report"]


class Command(NamedTuple):
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
    needs: Needs = "report"


class Menu(NamedTuple):
    """Makes the commands of one menu, whose ids begin with its name; most act and need the same."""

    name: str
    where: str = "window"
    needs: Needs = "report"

    def __call__(
        self,
        name: str,
        text: str,
        keys: tuple[str, ...] = (),
        about: str = "",
        *,
        where: str = "",
        checkable: bool = False,
        needs: Needs | None = None,
    ) -> Command:
        """A command of it; `where` and `needs` where they are not the menu's."""
        known = f"{self.name.lower()}.{name}"
        places = self.name, where or self.where
        return Command(known, text, keys, *places, about, checkable, needs or self.needs)
