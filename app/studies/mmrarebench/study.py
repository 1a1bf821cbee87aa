"""MMRareBench as a study: its options, arms, rubrics, measures and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.studies.mmrarebench.asking import ask
from app.studies.mmrarebench.audit import fault
from app.studies.mmrarebench.building import build
from app.studies.mmrarebench.grading import MEASURES, grade
from app.studies.mmrarebench.judging import conflicts, rubric
from app.studies.mmrarebench.nomenclature import orphanet
from app.studies.mmrarebench.tables import TABLES
from app.studies.mmrarebench.tracks import ARMS, SWAPPED, T3, TRACKS, called, writer_of
from app.studies.mmrarebench.verifying import evidence, rejected, standing
from app.studies.results import Row, Scores
from app.studies.study import Job, Study, in_build, seldom_in_build
from app.text import counted
from extractors.tasks.forms import Text


def details(job: Job, rows: Sequence[Row]) -> Mapping[str, Any]:
    """Which arm, how many pictures were shown, and who wrote the items."""
    arm = job.settings["arm"]
    writers = sorted(filter(None, {writer_of(row.item) for row in rows}))
    return {"arm": arm, "writers": writers, "items_rejected": len(rejected(job.settings))}


def caveats(scores: Scores) -> Iterator[str]:
    """Families that should not judge each other, what controls say, what words cannot."""
    yield from conflicts(scores)
    rated = [own for own in scores.runs.values() if any(one.n for one in own.raters.values())]
    if any("exact" in own.scores for own in rated):
        yield (
            "Word for word counts an answer that is one of the disease's names and nothing else; one in "
            "other words, or with more said, may still name the disease exactly to who rates it."
        )
    if gone := max((len(rejected(own)) for own in scores.settings.values()), default=0):
        yield f"People rejected or edited {counted(gone, 'item')}; answers to what stood there count nowhere."
    arms_run = {str(scores.settings[name].get("arm")) for name in scores.runs}
    if scores.runs and not arms_run - {ARMS[0]}:
        yield "No control was run: whether a model looked, --arm none, --arm blank and --arm swapped show."
    for pair in scores.pairs:
        of = {str(scores.settings[name].get("arm")): name for name in (pair.left, pair.right)}
        if (pair.label, pair.value) == ("task", T3) and {ARMS[0], SWAPPED} <= set(of):
            for rater, one in pair.raters.items():
                if one.value is not None and one.interval and one.interval[0] <= 0 <= one.interval[1]:
                    yield (
                        f"{of[ARMS[0]]}: what {rater} gave in T3 survives swapped pictures; it measures no "
                        "looking."
                    )
    for name, rows in scores.rows.items():
        if number := sum(row.value is None for row in rows):
            yield f"{name}: {counted(number, 'answer')} failed or empty; 0 in every measure of T1, unrated."


def lacks() -> Sequence[str]:
    """Orphanet's nomenclature, for codes that items from elsewhere do not bring."""
    if orphanet() is not None:
        return ()
    return (
        "Orphanet's nomenclature, which tells kin of diseases, is not here yet; import it as a terminology.",
    )


STUDY = Study(
    id="mmrarebench",
    title="MMRareBench, cases with pictures",
    about="Diagnosis, treatment, alignment of pictures and examination, asked of models that can see.",
    needs="Items of your own (JSON Lines, with their pictures), or reports of the project with their "
    "pictures and a confirmed diagnosis, and a model that writes.",
    example="--from items.jsonl",
    tasks=TRACKS,
    build=build,
    measures=MEASURES,
    tables=TABLES,
    options=(
        in_build("model", "the vision model that writes items from blinded views", label="Model that writes"),
        seldom_in_build(
            "profile",
            "how views are blinded: every form of the diagnosis, or as published",
            choices=("strict", "paper"),
            default="strict",
            label="Blinding",
            words=("every form of the diagnosis", "as published"),
        ),
        seldom_in_build(
            "cut",
            "where T4 ends in a report, REPORT=OFFSET in code points (may be repeated)",
            several=True,
            label="Where T4 ends",
        ),
        seldom_in_build(
            "check",
            "hold all items against the audit once more",
            flag=True,
            label="Check all items again for words that leak",
        ),
        seldom_in_build(
            "sheet", "write the sample that people are to look at, a CSV", kind=Path, label="Sample to"
        ),
        seldom_in_build("verified", "take such a sheet back with verdicts", kind=Path, label="Verdicts from"),
        seldom_in_build("by", "whose verdicts they are", label="Verdicts by"),
    ),
    arms=ARMS,
    called=called,
    ask=ask,
    form=lambda item: Text(),
    grade=grade,
    rubric=lambda item: rubric(item.task),
    ratings_are_scores=True,
    choose=standing,
    rejected=rejected,
    fault=fault,
    evidence=evidence,
    details=details,
    caveats=caveats,
    lacks=lacks,
    builds_with_model=True,
    by=("task", "group", "modality"),
)
