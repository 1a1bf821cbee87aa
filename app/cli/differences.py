"""Differences, as the commands of reconciling take and show them."""

from __future__ import annotations

import argparse
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from app.operations.reconcile.queue import Queue
from app.text import shortened
from extractors.model.errors import CallError
from extractors.model.finding import Finding

if TYPE_CHECKING:
    from app.reconcile.types import Difference, SideQuote
    from app.store.reconcile.decisions import Decision


QUOTE_WIDTH = 100
_SAID = tuple(field.name for field in fields(Finding))


def add_below(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--below",
        type=score,
        metavar="TSR",
        help="report-category pairs with a lower token set ratio come as a whole, 0-100 (default: 30)",
    )


def score(text: str) -> float:
    """A number from 0 to 100."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 100")
    return value


def adjudicator(options: argparse.Namespace) -> str:
    """Who decides, by `--by` or as the project's owner; raises CallError where it is nobody."""
    name: str = options.by or options.project.owner
    if not name:
        raise CallError("The project names nobody who decides; name the person with --by.")
    return name


def words(finding: Finding) -> str:
    quote = shortened(" ".join(finding.quote.split()), QUOTE_WIDTH)
    about = ", ".join(filter(None, (finding.category, finding.field, finding.polarity)))
    place = "no place" if finding.start is None else f"{finding.start}-{finding.end}"
    return f"{quote}  [{about}; {place}]"


def difference_json(found: Queue, one: Difference) -> dict[str, Any]:
    decision = found.decisions.get(one.id)
    return {
        "id": one.id,
        "kind": one.kind,
        "categories": list(one.group.categories),
        "state": found.state(one.id),
        "left": [mark_json(mark) for mark in one.left],
        "right": [mark_json(mark) for mark in one.right],
        "decision": None if decision is None else decision_json(decision),
    }


def mark_json(mark: SideQuote) -> dict[str, Any]:
    coded = {"concepts": [asdict(one) for one in mark.concepts]} if mark.concepts else {}
    values = {name: getattr(mark.finding, name) for name in _SAID}
    return {**values, "uuid": mark.uuid, **coded}


def decision_json(decision: Decision) -> dict[str, Any]:
    plain = asdict(decision)
    return {
        **{name: plain[name] for name in ("uuid", "difference", "choice", "reason_code", "note", "clause")},
        **{name: plain[name] for name in ("confidence", "decided_by", "decided_at", "seconds", "findings")},
    }
