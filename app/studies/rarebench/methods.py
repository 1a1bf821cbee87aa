"""The built-in methods of T3 and T4: the ranker, with and without the case's own paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from app.studies.results import Again, Item
from app.studies.study import Job
from extractors.differential.ranking import Options, shipped_ranker
from extractors.evidence.published import pubmed_ids
from extractors.tasks.diagnoses import MOST


def rank(job: Job) -> Callable[[Item, Again], Any]:
    """Ten names with the rank of the right disease, however far down; of T3's candidates only these."""
    both = job.settings["own_publication"] == "both"
    prevalence = not job.settings["no_prevalence"]
    leave_out = job.settings["own_publication"] != "keep"

    def answer(item: Item, _: Again) -> Any:  # noqa: ANN401 (a JSON value)
        found = _ranked(item, Options(None, prevalence, leave_out))
        if found is None or not both:
            return found
        seen = _ranked(item, Options(None, prevalence, leave_out=False))
        return found if seen is None else {**found, "seen": seen["ranking"], "seen_rank": seen["rank"]}

    return answer


def findings_of(item: Item) -> tuple[Sequence[str], Sequence[str]]:
    """The codes present and denied of a case; of a text alone those that the rules find in it."""
    if item.input["present"] or not item.input.get("text"):
        return item.input["present"], item.input["excluded"]
    from extractors.phenotypes.engine import load_rules

    return load_rules().profile(item.input["text"])


def _ranked(item: Item, options: Options) -> dict[str, Any] | None:
    ranker = shipped_ranker()
    diseases = ranker.diseases
    publications = pubmed_ids(item.input["publications"])
    found = ranker.rank(*findings_of(item), publications, options, listed=False)
    if found.scores is None:
        return None
    order = found.order()
    if candidates := set(item.input.get("candidates", ())):
        order = [number for number in order if diseases.names[number] in candidates]
    right = {diseases.numbers[code] for code in item.reference["diagnoses"] if code in diseases.numbers}
    place = next((rank for rank, number in enumerate(order, 1) if number in right), None)
    return {
        "ranking": [f"{diseases.names[one]} ({diseases.codes[one][0]})" for one in order[:MOST]],
        "rank": place,
        "left_out": found.left_out,
    }
