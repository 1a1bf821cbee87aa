"""What must be said of a run before it is made, and whether data under a licence may leave this machine."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from app.operations.extract.calling.ledger import find_run
from app.store.study.items import guards
from extractors.llm.types import KEEP_ALIVE
from extractors.model.errors import RemoteRefusedError

if TYPE_CHECKING:
    from app.operations.extract.options import RunOptions
    from app.store.project import Project
    from extractors.llm.types import Capabilities, ModelCard
    from extractors.model.document import Document
    from extractors.tasks.quotes import QuotesTask

_OLD_SERVER = (
    "This server is older than 0.12.6 and cuts long prompts in silence; what it counts is checked, but a "
    "newer one refuses them openly."
)


def about_model(card: ModelCard, options: RunOptions, *, recorded: bool) -> list[str]:
    """What the model or its server cannot do of what is wanted."""
    notes = [_OLD_SERVER] if _cuts_silently(card.server) else []
    if options.think and not recorded and "thinking" not in card.capabilities:
        notes.append(f"{card.name} cannot think: --think changes nothing of its replies.")
    return notes


def about_server(can: Capabilities, options: RunOptions) -> list[str]:
    """What the server cannot do of what is wanted; known once the model is loaded."""
    notes = []
    if (options.machine() or options.keep_alive != KEEP_ALIVE) and not can.sets_context:
        notes.append(
            "Graphics card, processor cores and how long models stay in memory are the server's own matter: "
            "what was asked is not sent to it."
        )
    if 0 < can.parallel < options.parallel:
        notes.append(f"The server works on {can.parallel} calls at once; more than that are not sent to it.")
    if not can.schema:
        notes.append(
            "The server holds replies to no schema: they are read as far as they have the form asked for."
        )
    return notes


def about_amended(project: Project, identity: Mapping[str, Any], guidelines: Mapping[str, Any]) -> list[str]:
    """That there is a run with these settings which read other guidelines, if so."""
    same = {key: value for key, value in identity.items() if key != "prompts_sha256"}
    before = find_run(project, same)
    read = before.settings.get("guidelines") if before else None
    if before is None or not isinstance(read, dict):
        return []
    changed = [category for category in project.scheme.ids if read.get(category) != guidelines[category]]
    names = ", ".join(changed)
    words = f"The guideline of {names} was amended since {before.name} began; this is another run."
    return [words] if changed else []


def about_recorded(recorded: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Which categories to ask for, where a recording has replies for some of those wanted."""
    if not recorded or set(wanted) <= set(recorded):
        return []
    names = ", ".join(recorded)
    return [
        f"The recording has replies for {names} and no other category: ask for these alone, by --category."
    ]


def about_equal_strategies(documents: Sequence[Document], task: QuotesTask) -> list[str]:
    """On how many reports "fcsp" shows nothing else than "ucp" does."""
    alike = sum(task.shows_all(document) for document in documents)
    of_all = f"{alike} of {len(documents)} report{'s' * (len(documents) != 1)}"
    words = f"On {of_all} fcsp shows every category the same text as ucp: no heading tells them apart."
    return [words] if alike else []


def _cuts_silently(server: str) -> bool:
    """Whether a server of that version has no way to be told not to cut prompts; unknown versions may."""
    numbers = re.match(r"(\d+)\.(\d+)\.(\d+)", server)
    return numbers is not None and (0, 0, 0) < tuple(map(int, numbers.groups())) < (0, 12, 6)


def require_permission(project: Project, remote: str, permitted: Sequence[str], licence: str = "") -> None:
    """Raise RemoteRefusedError where a model on another machine would be sent data that a licence guards.

    `remote` is that machine, "" for this one, `permitted` the hosts for which there is a permission,
    `licence` one that guards what is to be sent though the project does not hold it yet.
    """
    held = sorted({*guards(project), *filter(None, [licence])}) if remote else []
    if held and _host(remote) not in map(_host, permitted):
        raise RemoteRefusedError(
            f"{project.path} holds data under {', '.join(held)}, and {remote} is another machine; if the "
            f"licence allows it, say so: --allow-remote --i-have-permission-for {_host(remote)}."
        )


def _host(place: str) -> str:
    """The name of the machine in an address, or the words themselves where it is none."""
    try:
        return urlsplit(place if "//" in place else f"//{place}").hostname or place
    except ValueError:
        return place
