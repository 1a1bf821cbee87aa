"""F4's terminologies: the one last chosen for a category is asked again."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.gui.session.terms import Looked, Terms
from extractors.terminology.library import FOLDER, import_terminology
from tests.icd11 import write_tables


def test_the_terminology_chosen_for_a_category_is_asked_there_again(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    import_terminology("ICD11", write_tables(tmp_path))
    terms = Terms()
    found: list[Looked] = []
    kept: list[dict[str, str]] = []
    terms.chosen.connect(kept.append)

    def asked() -> tuple[str, str]:
        found.clear()
        terms.find("plume rot", 3, found.append)
        qtbot.waitUntil(lambda: bool(found))
        return terms.name, found[0].entries[0].code if found[0].entries else ""

    terms.turn_to("Neuro")
    assert asked()[0] == "HPO"
    terms.use_next()
    assert asked() == ("ICD11", "QA00")
    terms.turn_to("CVS")
    assert asked()[0] == "HPO"
    terms.turn_to("Neuro")
    assert asked() == ("ICD11", "QA00")
    assert kept[-1] == {"Neuro": "ICD11"}
    terms.deleteLater()
    terms = Terms(chosen=kept[-1] | {"CVS": "no longer here"})
    terms.turn_to("CVS")
    assert asked()[0] == "HPO"
    terms.turn_to("Neuro")
    assert asked() == ("ICD11", "QA00")
    terms.deleteLater()
    # Next time, too, where it is the first that is asked.
    terms = Terms(chosen=kept[-1])
    terms.turn_to("Neuro")
    assert asked() == ("ICD11", "QA00")
    terms.deleteLater()
