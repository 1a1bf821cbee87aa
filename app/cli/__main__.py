"""`python -m app.cli`: the same as the `casespan` command."""

from __future__ import annotations

import sys

from app.cli import main

if __name__ == "__main__":
    sys.exit(main())
