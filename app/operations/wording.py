"""What a model's run came to, in the sentences that the command line and the window both say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass
