"""Two annotators of the sample reports who agree on everything but errors that are planted and known."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.operations.exchange.importing import ImportOptions, import_reports
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations, read_annotations
from app.store.annotate.annotators import annotator, ensure_annotator
from app.store.annotate.reviews import set_review
from app.store.project import Project
from app.store.reports.documents import StoredDocument, documents
from extractors.assets import asset
from extractors.model.finding import Finding, Polarity
from extractors.model.progress import finished

ANA, BEN, TRUTH = "ana", "ben", "truth"
KINDS = ("missing", "boundary", "label", "polarity")

Marked = tuple[str, int, int, Polarity]


@dataclass(frozen=True)
class Error:
    """What one annotator got wrong in a report (key): `true` and `given` are None where there is nothing."""

    report: str
    kind: str
    by: str
    true: Finding | None
    given: Finding | None


@dataclass(frozen=True)
class Simulation:
    """The truth by report key, and every error that was planted."""

    truth: dict[str, set[Marked]]
    errors: tuple[Error, ...]


def mark_of(finding: Finding) -> Marked:
    """What makes two quotes with a place the same."""
    assert finding.start is not None
    assert finding.end is not None
    return finding.category, finding.start, finding.end, finding.polarity


def simulate(project: Project, seed: int, only: Sequence[str] = (), rate: float = 0.5) -> Simulation:
    """Give an empty project the sample reports, or `only` these, and `ANA` and `BEN`, who err in some `rate`
    of the quotes."""
    samples = Path(asset("resources", "demo"))
    reports, gold = [samples / "reports"], samples / "annotations" / "gold.json"
    if only:
        some = [one for one in json.loads(gold.read_text("utf-8")) if f"PMC{one['pmcid']}" in only]
        reports, gold = [samples / "reports" / f"{name}.xml" for name in only], project.path.with_name("gold")
        gold.write_text(json.dumps(some), "utf-8")
    finished(import_reports(project, reports))
    finished(import_reports(project, [gold], ImportOptions("crb", TRUTH)))
    chance = random.Random(seed)
    truth: dict[str, set[Marked]] = {}
    errors: list[Error] = []
    with begin_act(project, "simulate", "tests") as act:
        holders = {name: ensure_annotator(act, name, "person").uuid for name in (ANA, BEN)}
        for report in documents(project):
            true = _true(project, report)
            truth[report.key] = {mark_of(finding) for finding in true}
            planted = list(_errors(report, true, project.scheme.ids, chance, rate))
            errors += planted
            for name, holder in holders.items():
                said = _said(true, [error for error in planted if error.by == name])
                add_annotations(act, report.uuid, holder, said, "human")
                set_review(act, report.uuid, holder, state="done", looked_at=project.scheme.ids)
    return Simulation(truth, tuple(errors))


def _true(project: Project, report: StoredDocument) -> list[Finding]:
    """The samples' gold quotes that have a place, as the text has them, each once."""
    text, holder = report.document.text, annotator(project, TRUTH).uuid
    found: dict[Marked, Finding] = {}
    for annotation in read_annotations(project, report.uuid, holder):
        one = annotation.finding
        if one.start is not None:
            exact = replace(one, quote=text[one.start : one.end], grounding="exact", reason="")
            found.setdefault(mark_of(exact), exact)
    return list(found.values())


def _said(true: list[Finding], errors: list[Error]) -> list[Finding]:
    wrong = {mark_of(error.true): error.given for error in errors if error.true is not None}
    said = [wrong.get(mark_of(finding), finding) for finding in true]
    said += [error.given for error in errors if error.true is None]
    return [one for one in said if one is not None]


def _errors(
    report: StoredDocument,
    true: list[Finding],
    categories: tuple[str, ...],
    chance: random.Random,
    rate: float,
) -> Iterator[Error]:
    """Errors that share no character with each other; what is made up shares none with the truth either."""
    text = report.document.text
    taken: list[tuple[int, int]] = []
    for finding in chance.sample(true, len(true)):
        place = (finding.start or 0, finding.end or 0)
        if _is_free(place, taken) and chance.random() < rate:
            kind, by = chance.choice(KINDS), chance.choice((ANA, BEN))
            said = _wrong(kind, finding, text, categories, chance)
            if said is None or not any(mark_of(said) == mark_of(other) for other in true):
                taken.append(place)
                yield Error(report.key, kind if said else "missing", by, finding, said)
    taken += [(finding.start or 0, finding.end or 0) for finding in true]
    for match in re.finditer(r"\w+ \w+", text):
        if _is_free(match.span(), taken) and chance.random() < rate / 8:
            said = Finding(chance.choice(categories), match.group(), *match.span())
            yield Error(report.key, "missing", chance.choice((ANA, BEN)), None, said)


def _is_free(place: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return not any(start < place[1] and end > place[0] for start, end in taken)


def _wrong(
    kind: str, finding: Finding, text: str, categories: tuple[str, ...], chance: random.Random
) -> Finding | None:
    start, end = finding.start or 0, finding.end or 0
    if kind == "polarity":
        return replace(finding, polarity="negated" if finding.polarity != "negated" else "present")
    if kind == "label":
        other = chance.choice([category for category in categories if category != finding.category])
        return replace(finding, category=other, field="")
    shorter = text[start:end].rpartition(" ")[0]
    if kind == "missing" or not shorter.strip():
        return None
    return replace(finding, quote=shorter, end=start + len(shorter))


def by_report(findings: list[tuple[str, Finding]]) -> dict[str, set[Marked]]:
    """Marks by report key."""
    found: dict[str, set[Marked]] = defaultdict(set)
    for key, finding in findings:
        found[key].add(mark_of(finding))
    return dict(found)
