"""What tests of every kind have in common."""

from __future__ import annotations

import gc

import pytest
from hypothesis import settings

from tests.builders import Kept

# A busy machine is slow; tests measure no time.
settings.register_profile("casespan", deadline=None)
settings.load_profile("casespan")
# What is imported stays: looking for garbage among it took a third of the time of collecting the tests.
gc.disable()


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Builds projects once and hands out copies."""
    return Kept(tmp_path_factory.mktemp("kept"))


def pytest_collection_finish() -> None:
    """All that was imported stays: the collector need not go through it again and again."""
    gc.collect()
    gc.freeze()
    gc.enable()
