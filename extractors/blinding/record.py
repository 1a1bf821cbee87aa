"""The record of what was taken out of a view and what is left, as it is printed, kept and exported."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from extractors.blinding.view import View


def audit_record(view: View, program: str) -> dict[str, Any]:
    """A view's audit as JSON; `program` is what made it, with its version."""
    audit = view.audit
    return {
        **asdict(audit),
        "program": program,
        "cut": view.cut,
        "hints": [{**asdict(one), "n": len(one.places)} for one in audit.hints],
        "removed": [{"what": what, "characters": number} for what, number in audit.removed],
    }
