"""Benchmarks that ask models, built-in methods and people, and score the answers: one folder each."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from app.messages import no_such
from extractors.model.errors import UnknownNameError

if TYPE_CHECKING:
    from app.studies.study import Study

# A line here registers a study: its id, and where its declaration stands; imported only when it is asked for.
STUDIES: dict[str, str] = {
    "ebmqa": "app.studies.ebmqa.study:STUDY",
    "icd11": "app.studies.icd11.study:STUDY",
    "mmrarebench": "app.studies.mmrarebench.study:STUDY",
    "rarebench": "app.studies.rarebench.study:STUDY",
}


def study_named(name: str) -> Study:
    """The study of that id; raises UnknownNameError."""
    if name not in STUDIES:
        raise UnknownNameError(no_such("study", name, STUDIES))
    module, _, attribute = STUDIES[name].partition(":")
    found: Study = getattr(import_module(module), attribute)
    return found


def studies() -> list[Study]:
    """Every study, in order."""
    return [study_named(name) for name in STUDIES]
