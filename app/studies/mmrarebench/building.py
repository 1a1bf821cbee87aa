"""How items are made: by hand, by a writer; checked again, looked at by people."""

from __future__ import annotations

from collections.abc import Generator

from app.studies.mmrarebench import verifying
from app.studies.mmrarebench.audit import evidence_of, faults, lost, warnings
from app.studies.mmrarebench.items import Harvest, by_hand, notes_on
from app.studies.mmrarebench.writing import by_model
from app.studies.study import Building, Built
from extractors.model.errors import CallError
from extractors.model.progress import Progress


def build(request: Building) -> Generator[Progress, None, Built]:
    """As the options say: by hand, by a writer, or of what there is already."""
    chosen = request.settings
    asked = [name for name in ("check", "sheet", "verified", "model") if chosen.get(name)]
    asked += ["from"] if request.paths else []
    if "from" in asked and len(asked) == 1:
        return (yield from by_hand(request))
    if asked == ["check"]:
        return checked(request)
    if asked in (["sheet"], ["verified"]):
        return verifying.sheet(request) if asked == ["sheet"] else verifying.taken(request)
    if asked in (["model"], []):
        return (yield from by_model(request))
    raise CallError("Build from one thing: --model, --from, --check, --sheet or --verified.")


def checked(request: Building) -> Built:
    """The audit once more over all there is; nothing is built."""
    harvest = Harvest()
    there = verifying.standing(request.there, {"built": request.built})
    for item in there:
        if reasons := [*lost(item, request), *faults(item, evidence_of(item, request))]:
            harvest.refuse(item.id, str(item.reference.get("report") or ""), item.task, reasons)
    details = {**request.built, "refused": harvest.refused, "rebuilt": []}
    notes = [*(notes_on(harvest.refused) or ["Every item is sound."]), *warnings(there)]
    return Built((), {}, (), details, notes, wrong=bool(harvest.refused))
