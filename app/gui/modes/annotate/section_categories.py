"""The dialog in which it is corrected what a section speaks of."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.gui.dialogs.fields import Ask, SettingsDialog, asked, ticks
from app.gui.dialogs.forms import plain_label
from app.gui.widgets.plain import ElidedLabel, caption, one_line
from extractors.model.document import Section
from extractors.model.scheme import Scheme

_COLUMNS = 64


@dataclass(frozen=True, slots=True)
class SectionCategories:
    """The ids of the categories that a section speaks of."""

    categories: tuple[str, ...] = asked((), Ask(ticks, "", "Categories"))


class SectionCategoriesDialog(SettingsDialog[SectionCategories]):
    """A tick for each category of the scheme."""

    guide = "annotate"
    columns = _COLUMNS

    def __init__(self, scheme: Scheme, section: Section, parent: QWidget | None = None) -> None:
        names = [(caption(f"{one.code}  {one.name}"), one.id, "") for one in scheme.categories]
        super().__init__(
            "Section categories",
            SectionCategories(section.categories),
            "&Set categories",
            parent,
            {"categories": {"choices": names}},
        )
        heading = ElidedLabel("m" * 24)
        font = heading.font()
        font.setBold(True)
        heading.setFont(font)
        heading.say(one_line(section.heading) or "Without a heading")
        self.body.insertWidget(0, heading)
        self.body.insertWidget(1, plain_label("Which categories does this section speak of?"))
        for words, ticked in (("&All", scheme.ids), ("&None", ())):
            button = self.add_button(words, QDialogButtonBox.ButtonRole.ActionRole)
            button.clicked.connect(lambda _=False, ticked=ticked: self.form.put(categories=ticked))

    def categories(self) -> tuple[str, ...]:
        """The ids of the categories that are ticked, in the order of the scheme."""
        return self.form.value.categories
