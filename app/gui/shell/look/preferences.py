"""What the program remembers of its user between two starts, in a file of this computer and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

THEMES = ("system", "light", "dark", "high contrast light", "high contrast dark")
SIZES = (80, 250)
_RECENT = 8
_MOST_CARETS = 100
Value = TypeVar("Value")


def _theme(words: str) -> str:
    return words if words in THEMES else THEMES[0]


def _size(words: str) -> int:
    known = words.isascii() and words.isdigit() and len(words) < 5
    return min(max(int(words), SIZES[0]), SIZES[1]) if known else 100


def _is_on(words: str) -> bool:
    return words == "true"


class _Kept(Generic[Value]):
    """A setting that is made of what is written down under its name."""

    def __init__(self, read: Callable[[str], Value]) -> None:
        self._read = read

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, preferences: Preferences, _owner: type) -> Value:
        return self._read(preferences.words(self._name))

    def __set__(self, preferences: Preferences, value: Value) -> None:
        preferences.write(self._name, str(value).lower() if isinstance(value, bool) else str(value))


class Preferences(QObject):
    """Every setting is written down as it is made; what cannot be read is as at the first start."""

    changed = Signal(str)
    # The name under which new projects are made, "" before the first.
    annotator = _Kept(str)
    # One of THEMES.
    theme = _Kept(_theme)
    # Sizes of the report's text, and of everything else, in percent, within SIZES.
    text_size = _Kept(_size)
    interface_size = _Kept(_size)
    # Whether spans are taken as selected, instead of being widened to whole words.
    by_characters = _Kept(_is_on)
    # Whether one click begins a selection and the next one ends it.
    two_clicks = _Kept(_is_on)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = QSettings(
            QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Casespan", "Casespan", self
        )

    @property
    def annotator_or_login(self) -> str:
        """The annotator's name, before there is one the name of the account on this computer."""
        if self.annotator:
            return self.annotator
        # Imported here: the first window needs nobody's name.
        import getpass

        try:
            return getpass.getuser()
        except (KeyError, OSError, ImportError):
            return "annotator"

    @property
    def keys(self) -> dict[str, str]:
        """Keys that the user has changed: portable key sequence by command id, "" for none."""
        return self._group("keys")

    @keys.setter
    def keys(self, keys: dict[str, str]) -> None:
        self._settings.remove("keys")
        for command, key in keys.items():
            self._settings.setValue(f"keys/{command}", key)
        self.changed.emit("keys")

    @property
    def terminologies(self) -> dict[str, str]:
        """The terminology that was last chosen for spans of each category (ID)."""
        return self._group("terminologies")

    def keep_terminologies(self, chosen: dict[str, str]) -> None:
        """Have them asked again at the next start."""
        for category, name in chosen.items():
            self._settings.setValue(f"terminologies/{category}", name)

    @property
    def recent(self) -> list[Path]:
        """Projects opened before, the last one first; some may be gone meanwhile."""
        return [Path(line) for line in self.words("recent").split("\n") if line]

    def remember(self, path: Path) -> None:
        """Put a project at the head of the recent ones."""
        resolved = path.resolve()
        others = [known for known in self.recent if known != resolved]
        self.write("recent", "\n".join(str(one) for one in [resolved, *others][:_RECENT]))

    def forget_recent(self) -> None:
        self.write("recent", "")
        for told in ("place", "carets", "folder", "annotators"):
            self._settings.remove(told)

    def place(self, project: Path) -> list[str]:
        """Where one was in the disagreements of a project, empty where that is not known."""
        return self._lines(f"place/{_name_of(project)}")

    def set_place(self, project: Path, place: list[str]) -> None:
        self._settings.setValue(f"place/{_name_of(project)}", place)

    def carets(self, project: Path) -> dict[str, int]:
        """Where one was in the reports (keys) of a project that were read last, in code points."""
        pairs = [line.split(" ", 1) for line in self._lines(f"carets/{_name_of(project)}")]
        return {key: int(at) for at, key in (one for one in pairs if len(one) == 2) if at.isdecimal()}

    def set_carets(self, project: Path, carets: dict[str, int]) -> None:
        """Write down where one was in the reports of a project, of those left last; the last one last."""
        lines = [f"{at} {key}" for key, at in list(carets.items())[-_MOST_CARETS:]]
        self._settings.setValue(f"carets/{_name_of(project)}", lines)

    def last_annotator(self, project: Path) -> tuple[str, str]:
        """For whom a project was made, and who annotated in it last; both "" where that is not known."""
        told = self._lines(f"annotators/{_name_of(project)}")
        return (told[0], told[1]) if len(told) == 2 else ("", "")

    def set_last_annotator(self, project: Path, owner: str, name: str) -> None:
        """Write down who annotates in a project that was made for the `owner`."""
        self._settings.setValue(f"annotators/{_name_of(project)}", [owner, name])

    def folder(self, purpose: str) -> Path | None:
        """The folder last used for a purpose, None before the first time."""
        known = self.words(f"folder/{purpose}")
        return Path(known) if known else None

    def set_folder(self, purpose: str, folder: Path) -> None:
        self._settings.setValue(f"folder/{purpose}", str(folder))

    def shape(self, name: str) -> QByteArray:
        """The saved shape (geometry, splitter) of that name, empty where there is none."""
        value = self._settings.value(f"shape/{name}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def set_shape(self, name: str, shape: QByteArray) -> None:
        self._settings.setValue(f"shape/{name}", shape)

    def words(self, name: str) -> str:
        value = self._settings.value(name)
        return value if isinstance(value, str) else ""

    def _lines(self, name: str) -> list[str]:
        """A list as it was written; one of a single line comes back as that line."""
        value = self._settings.value(name)
        lines = [value] if isinstance(value, str) and value else value
        return [str(one) for one in lines] if isinstance(lines, list) else []

    def _group(self, name: str) -> dict[str, str]:
        self._settings.beginGroup(name)
        found = {key: str(self._settings.value(key) or "") for key in self._settings.childKeys()}
        self._settings.endGroup()
        return found

    def write(self, name: str, words: str) -> None:
        self._settings.setValue(name, words)
        self.changed.emit(name)


def _name_of(project: Path) -> str:
    """A name for the project's file that says nothing of it, and holds no slash."""
    # Imported here: the first window knows no project.
    from hashlib import blake2s

    return blake2s(str(project.resolve()).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
