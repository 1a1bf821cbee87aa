"""MIMIC-SR-ICD11 as a study: its options, arms, built-in methods, measures, tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.studies.icd11 import tables
from app.studies.icd11.asking import (
    ARMS,
    PersonsNames,
    allowed,
    ask,
    at_random,
    beside,
    drafts,
    item_words,
    lexical,
    short,
)
from app.studies.icd11.building import GUARD, MARK, TASK, build
from app.studies.icd11.scores import MEASURES, grade, groups, lifted_scores, sds
from app.studies.icd11.tables import FIGURES
from app.studies.icd11.views import COUNT, LISTS, ORDERS, REPEATS, TOP, choose, of_run, samples
from app.studies.results import Item, Row, Scores, Settings
from app.studies.study import (
    Job,
    Method,
    Option,
    Study,
    Table,
    in_build,
    in_run,
    seldom_in_build,
    seldom_in_run,
)
from extractors.tasks.coding import MOST
from extractors.terminology.icd11.classes import open_icd11
from extractors.terminology.icd11.tables import CITATION


def listed(items: Sequence[Item], settings: Settings) -> Mapping[str, Mapping[str, Any]]:
    """In which samples of a run each item is."""
    if not items or not of_run(settings):
        return {}
    drawn = samples(items, settings)
    return {name: {"samples": numbers} for name, numbers in drawn.items()}


def finish(values: dict[str, Any], scores: Scores) -> dict[str, Any]:
    """SDs over samples, groups by prevalence, and what lifting both sides up the hierarchy gives."""
    for name, rows in scores.rows.items():
        values["runs"][name] |= {"sd": sds(rows), "groups": groups(rows), "lifted": lifted_scores(rows)}
    return values


def caveats(scores: Scores) -> Iterable[str]:
    """Whose data these are, what the profile means, what figure 4 shows."""
    yield f"These numbers are {MARK}."
    releases = {(one.get("built") or {}).get("release") for one in scores.settings.values()}
    yield from (f"Titles: {CITATION.format(release=one)}" for one in sorted(filter(None, releases)))
    if scores.profile == "strict":
        yield "Names on no list count as wrong; classes neither true nor named are left out of macro F1."
    else:
        yield "As published: names on no list are dropped; classes neither true nor named count as 0."
    yield tables.MTES_NOTE


def lacks() -> Sequence[str]:
    """ICD-11's tables, where they were not imported."""
    try:
        open_icd11()
    except Exception as error:
        return [str(error)]
    return []


def details(job: Job, rows: Sequence[Row]) -> Mapping[str, Any]:
    """What no list of a ranking depends on is said here: how many names were on no list."""
    outside = sum(len(row.value["outside"]) for row in rows if isinstance(row.value, dict))
    return {"outside": outside, "answers": len(rows)}


def weight(text: str) -> float:
    """A number from 0 to 10."""
    value = float(text)
    if not 0 <= value <= 10:
        raise ValueError
    return value


STUDY = Study(
    id="icd11",
    title="MIMIC-SR-ICD11",
    about="Which diseases of ICD-11, of the common ones, a patient's own words speak of.",
    needs="Your own copy of MIMIC-IV with its notes, and ICD-11's tables; without MIMIC, "
    "invented admissions in its shape (casespan icd11 fixture).",
    example="--mimic mimic-iv --reports-from reports.csv",
    tasks=(TASK,),
    build=build,
    measures=MEASURES,
    tables=(
        Table("1", "Items of each view", tables.statistics_table),
        Table("2", "All runs, mean and SD over samples", tables.overall),
        Table("figure 2", "By the order of the list", tables.orders),
        Table("3", "Long and short lists", tables.long_and_short),
        Table("4", "Groups of classes by prevalence", tables.by_group),
        Table("figure 3", "Groups of classes by prevalence", tables.by_group),
        Table("figure 4", "Words and medical terms of each disease", tables.by_disease),
        Table("alpha", "Weight of the prior", tables.alphas),
        Table("length", "Mean or sum over a label's tokens", tables.lengths),
    ),
    figures=FIGURES,
    options=(
        in_build("mimic", "the folder with hosp and note", kind=Path, required=True, label="MIMIC-IV"),
        in_build(
            "min-count",
            "classes occur at least so often",
            kind=int,
            least=1,
            default=2000,
            label="Least count",
        ),
        Option(
            "min-count",
            "a view with a greater least count (default: the build's, or the run's)",
            ("items", "run", "score"),
            kind=int,
            least=1,
            label="Least count",
            seldom=True,
        ),
        seldom_in_build(
            "via",
            "how codes are mapped",
            choices=("text", "table", "both"),
            default="both",
            label="Codes are mapped by",
            words=("their titles", "WHO's tables", "both, and compared"),
        ),
        seldom_in_build(
            "split",
            "what stays together in a part",
            choices=("patient", "report"),
            default="patient",
            label="Kept together",
        ),
        in_build("reports", "the local model that writes the self-reports", label="Model that writes"),
        in_build(
            "reports-from",
            "given self-reports, a CSV with hadm_id,self_report",
            kind=Path,
            label="Given self-reports",
        ),
        in_build(
            "drop-leaks",
            "leave out given self-reports that leak",
            flag=True,
            label="Leave out self-reports that leak the diagnosis",
        ),
        seldom_in_run(
            "top",
            f"names of a ranking that F1 takes (default: {TOP})",
            kind=int,
            least=1,
            label="Names that count",
        ),
        seldom_in_run(
            "count",
            f"items of each sample of the test part (default: {COUNT})",
            kind=int,
            least=1,
            label="Items in a sample",
        ),
        seldom_in_run("repeats", f"samples (default: {REPEATS})", kind=int, least=1, label="Samples"),
        seldom_in_run(
            "order",
            "the order of the list (default: origin)",
            choices=ORDERS,
            label="Order of the list",
            words=("as in ICD-11", "drawn", "frequent ones first", "right ones first", "right ones last"),
        ),
        in_run(
            "list",
            "all classes, or what models confused (default: long)",
            choices=LISTS,
            label="Classes in the list",
            words=("all", "what models confused", "what models confused, as published"),
        ),
        in_run(
            "analysis",
            "the model reasons before it names",
            flag=True,
            label="Let the model reason before it names",
        ),
        seldom_in_run(
            "alpha", "the weight of the prior, 0 to 10 (default: 1)", kind=weight, label="Weight of the prior"
        ),
        seldom_in_run(
            "prior",
            "the prompt without a report (default: prompt)",
            choices=("prompt", "bare"),
            label="Prior",
        ),
        seldom_in_run(
            "normalise", "over a label's tokens (default: mean)", choices=("mean", "sum"), label="Normalised"
        ),
        Option("terms", "medical terms: lexicon (ours), or a file with one a line", ("score",)),
        Option("terms-model", "a spaCy model that finds medical terms", ("score",)),
    ),
    methods=(
        Method("lexical", "classes by the words that a report shares with their titles", lexical),
        Method("random", "classes in an order drawn for each item", at_random),
    ),
    arms=tuple(ARMS),
    called=lambda label, value: ARMS.get(value, value) if label == "arm" else value,
    ask=ask,
    drafts=drafts,
    item_words=item_words,
    allowed=allowed,
    form=lambda item: PersonsNames(MOST),
    grade=grade,
    choose=choose,
    listed=listed,
    finish=finish,
    caveats=caveats,
    details=details,
    lacks=lacks,
    builds_with_model=True,
    guard=GUARD,
    beside=beside,
    short=short,
)
