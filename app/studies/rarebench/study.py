"""RareBench as a study: its options, the built-in methods, how models are asked, measures and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.studies.rarebench.examples import (
    NEIGHBOURS,
    WITH_EXAMPLES,
    Examples,
    about_examples,
    about_names,
    drafts,
    options,
    prepare,
    shown_of,
)
from app.studies.rarebench.grading import FAMILY, RANKED, T3, T4, grade, learn
from app.studies.rarebench.items import build
from app.studies.rarebench.judging import agreement, rubric
from app.studies.rarebench.measures import MEASURES
from app.studies.rarebench.methods import RANKER
from app.studies.rarebench.tables import TABLES, neighbours_alone
from app.studies.results import Again, Item, Row, Scores
from app.studies.study import Ask, Job, Option, Study
from app.text import counted
from extractors.differential.knowledge import shipped_ranker
from extractors.differential.report import knowledge_as_json
from extractors.tasks.base import Prompt
from extractors.tasks.diagnoses import MOST, VERSION, diagnosis_prompt
from extractors.tasks.forms import Ranking


def ask(job: Job) -> Ask:
    """In our words, with examples before the case where the prompting has them."""
    prompting = job.settings["prompting"]
    steps = prompting in ("zero-shot-cot", "auto-cot")
    examples = Examples(job) if prompting in WITH_EXAMPLES else None

    def prompt(item: Item, _: Again, __: str) -> Prompt:
        shown = examples.shown(item) if examples else ()
        return diagnosis_prompt(shown_of(item), item.input.get("candidates", ()), shown, steps=steps)

    def value(item: Item, _: Again, read: Mapping[str, Any]) -> Any:  # noqa: ANN401 (a JSON value)
        (listed,) = read.values()
        return {"ranking": listed, **examples.record(item)} if examples else listed

    return Ask(prompt, VERSION, reply_tokens=2048 if steps else 512, value=value)


def details(job: Job, rows: Sequence[Row]) -> Mapping[str, Any]:
    """What the ranker knew, how many rows of it went with the cases' own publications, which examples."""
    gone = sum(row.value.get("left_out", 0) for row in rows if isinstance(row.value, dict))
    knowledge = knowledge_as_json(shipped_ranker().diseases)
    return {"knowledge": knowledge, "left_out": gone, **about_examples(job, rows)}


def remarks(scores: Scores) -> Iterator[str]:
    """Families among the hits, what examples told beforehand, and how far judges may be trusted."""
    for name, rows in scores.rows.items():
        ranked = [row for row in rows if row.item.task in RANKED]
        found = [one for row in ranked if (one := row.graded.get("matched"))]
        families = sum(one["by"] == FAMILY for one in found)
        if families:
            yield (
                f"{name}: {families:,} of {counted(len(found), 'match', 'matches')} name the family, not the "
                "type of the disease; without these see hit@1_code."
            )
        alone = {key: score.value for key, score in neighbours_alone(ranked).items()}
        yield from about_names(name, ranked, alone)
    yield from agreement(scores)


STUDY = Study(
    id="rarebench",
    title="RareBench",
    about="Which rare disease a patient has, by findings or report (T4), or which of a list (T3).",
    needs="Cases with diagnoses: JSON Lines, phenopackets, rows of RareBench, Matchmaker Exchange patients.",
    example="--task t4 --from cases.jsonl",
    tasks=(T4, T3),
    build=build,
    measures=MEASURES,
    tables=TABLES,
    options=(
        Option("input", ("build",), "what is shown of a case", choices=("terms", "text"), default="terms"),
        Option(
            "candidates",
            ("build",),
            "T3: diseases to choose from, a code or name a line; then a tab, rare or common",
            kind=Path,
        ),
        Option(
            "own-publication",
            ("run",),
            "whether annotations that cite a case's own publication count for the ranker",
            choices=("leave-out", "keep", "both"),
            default="leave-out",
        ),
        Option("no-prevalence", ("run",), "the ranker does not prefer what is more frequent", flag=True),
        Option(
            "prompting",
            ("items", "run"),
            "how a model is asked",
            choices=("zero-shot", "zero-shot-cot", *WITH_EXAMPLES),
            default="zero-shot",
        ),
        *options(Path),
        Option("judge", ("score",), "count what this judge found where names find nothing", default=""),
    ),
    methods=(RANKER, NEIGHBOURS),
    ask=ask,
    form=lambda item: Ranking(MOST, tuple(item.input.get("candidates", ())), free=True),
    grade=grade,
    learn=learn,
    by=("rarity",),
    rubric=rubric,
    details=details,
    remarks=remarks,
    prepare=prepare,
    drafts=drafts,
)
