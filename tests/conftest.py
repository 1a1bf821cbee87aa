"""What tests of every kind have in common."""

from __future__ import annotations

import pytest

from tests.builders import Kept


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Builds projects once and hands out copies."""
    return Kept(tmp_path_factory.mktemp("kept"))
