"""Examples shown before a case: from which pool, by which rule, and what they alone would answer."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.studies.rarebench.items import items_of
from app.studies.rarebench.judging import FAMILY, LISTED, RANKED, matched
from app.studies.results import Again, Item, Row
from app.studies.study import Ask, Job, Method, seldom_in_run
from app.text import counted, duration
from extractors.differential.embedding import Embedding, Walking, kept_embedding, make_embedding
from extractors.differential.neighbours import clusters, embedded, similarities, term_vectors
from extractors.differential.ranking import shipped_ranker
from extractors.model.errors import CallError
from extractors.model.progress import Progress
from extractors.tasks.base import Prompt
from extractors.tasks.diagnoses import Shown, reasoning_prompt

if TYPE_CHECKING:
    from extractors.differential.index import Numbers

RANDOM, DYNAMIC, REASONED = "few-shot", "dynamic", "auto-cot"
WITH_EXAMPLES = (RANDOM, DYNAMIC, REASONED)
_AS_PUBLISHED, _NO_TWINS, _NO_SAME = "as-published", "no-twins", "no-same-disease"


# How examples are chosen.
OPTIONS = (
    seldom_in_run("shots", "how many examples a prompt shows", kind=int, default=3, label="Examples"),
    seldom_in_run(
        "pool",
        "cases to take examples from (default: the other items of the task)",
        kind=Path,
        label="Cases for examples",
    ),
    seldom_in_run(
        "pool-rule",
        "which cases are no example: the case itself; also an identical list and the same publication; "
        "also the same disease",
        choices=(_AS_PUBLISHED, _NO_TWINS, _NO_SAME),
        default=_NO_TWINS,
        label="Never an example",
        words=("the case itself", "nor its twins", "nor its disease"),
    ),
    seldom_in_run("similarity", "of examples to the case", choices=("cosine", "dot"), default="cosine"),
    seldom_in_run("walks", "dynamic: walks from each term and disease", kind=int, default=10),
    seldom_in_run("window", "dynamic: how far apart in a walk is near", kind=int, default=5),
)


class Pool:
    """The cases that examples are taken from, and which of them are shown before an item."""

    def __init__(self, job: Job, task: str) -> None:
        settings = job.settings
        self._job, self.task = job, task
        self._vectors: dict[str, Any] = {}
        self._rule, self._cosine = settings["pool_rule"], settings["similarity"] == "cosine"
        self._shots: int = settings["shots"]
        if self._shots < 1:
            raise CallError("--shots is the number of examples, 1 at least.")
        path = settings["pool"]
        every = items_of(path) if path else [item for item in job.items if item.task == task]
        self.cases: Sequence[Item] = [item for item in every if item.reference["names"]]
        if not self.cases:
            raise CallError("There is no case to take examples from; name some with --pool FILE.")

    def allows(self, item: Item, example: Item) -> bool:
        """Whether the rule lets a case be an example for an item; itself it never is."""
        if example.id == item.id:
            return False
        if self._rule == _AS_PUBLISHED:
            return True
        alike = set(example.input["present"]) == set(item.input["present"]) and bool(item.input["present"])
        if alike or set(example.input["publications"]) & set(item.input["publications"]):
            return False
        same = set(example.reference["names"]) & set(item.reference["names"])
        same |= set(example.reference["diagnoses"]) & set(item.reference["diagnoses"])
        return self._rule == _NO_TWINS or not same

    def alone(self, item: Item) -> list[str]:
        """The diagnoses of the cases most like an item, each once: an answer without a model."""
        found = (name for example in self._like(item, self._terms) for name in example.reference["names"])
        candidates = item.input.get("candidates")
        return [name for name in dict.fromkeys(found) if not candidates or name in candidates]

    def shown(self, item: Item) -> list[Item]:
        """The examples before an item, the most similar first."""
        prompting = self._job.settings["prompting"]
        if prompting == DYNAMIC:
            return list(islice(self._like(item, self._embedded), self._shots))
        if prompting == RANDOM:
            return list(islice((one for one in self._shuffled if self.allows(item, one)), self._shots))
        firsts = (next((one for one in like if self.allows(item, one)), None) for like in self._clusters)
        return [one for one in firsts if one is not None]

    @cached_property
    def _shuffled(self) -> list[Item]:
        return random.Random(self._job.seed).sample(self.cases, len(self.cases))

    @cached_property
    def _clusters(self) -> list[list[Item]]:
        found = clusters(self._terms(self.cases), self._shots, self._job.seed)
        return [[self.cases[row] for row in rows] for rows in found]

    def _terms(self, cases: Sequence[Item]) -> Any:  # noqa: ANN401 (a sparse array)
        return term_vectors(shipped_ranker().diseases, [case.input["present"] for case in cases])

    def _embedded(self, cases: Sequence[Item]) -> Numbers:
        present = [case.input["present"] for case in cases]
        return embedded(shipped_ranker().diseases, self._embedding.vectors, present)

    @cached_property
    def _embedding(self) -> Embedding:
        return embedding_of(self._job)

    def _like(self, item: Item, vectors: Callable[[Sequence[Item]], Any]) -> Iterator[Item]:
        """The cases that are allowed, the most similar first; of equal ones the earlier."""
        import numpy as np

        key = vectors.__name__
        if key not in self._vectors:
            self._vectors[key] = vectors(self.cases)
        like = similarities(vectors([item]), self._vectors[key], cosine=self._cosine)[0]
        ordered = (self.cases[row] for row in np.argsort(-np.round(like, 6), kind="stable").tolist())
        return (one for one in ordered if self.allows(item, one))


def walking(job: Job) -> Walking:
    """How the embedding of a run is made."""
    number, window = job.settings["walks"], job.settings["window"]
    if not (1 <= number <= _MOST_WALKS and 1 <= window <= _WIDEST):
        raise CallError(f"--walks goes from 1 to {_MOST_WALKS}, --window from 1 to {_WIDEST}.")
    return Walking(number, window, job.seed)


_MOST_WALKS, _WIDEST = 40, 35


def embedding_of(job: Job) -> Embedding:
    """The embedding that was prepared; raises CallError where it was not."""
    found = kept_embedding(shipped_ranker().diseases, walking(job))
    if found is None:
        raise CallError("The terms' vectors are not made yet; a run with --prompting dynamic makes them.")
    return found


def make_vectors(job: Job) -> Generator[Progress, None, None]:
    """Make the terms' vectors where a run needs them and nobody has made them before."""
    if job.settings.get("prompting") == DYNAMIC and any(item.task in RANKED for item in job.items):
        how = walking(job)
        if kept_embedding(shipped_ranker().diseases, how) is None:
            yield from make_embedding(shipped_ranker().diseases, how)


class Examples:
    """The pools of a run, one for each task."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._pools: dict[str, Pool] = {}
        self._reasons = job.settings["prompting"] == REASONED

    @cached_property
    def _digest(self) -> str:
        dynamic = self._job.settings["prompting"] == DYNAMIC
        return str(embedding_of(self._job).about["sha256"]) if dynamic else ""

    def pool(self, item: Item) -> Pool:
        """That of an item's task."""
        if item.task not in self._pools:
            self._pools[item.task] = Pool(self._job, item.task)
        return self._pools[item.task]

    def shown(self, item: Item) -> list[Shown]:
        """The examples before an item, with what the model itself wrote of them, if anything."""
        return [
            shown_of(one, str(self._job.drafted.get((REASONED, one.id)) or ""), as_text="text" in item.input)
            for one in self.pool(item).shown(item)
        ]

    def record(self, item: Item) -> dict[str, Any]:
        """What measures must know: which were shown, whether they named the answer, what they alone score."""
        pool = self.pool(item)
        shown = pool.shown(item)
        names = [name for one in shown for name in one.reference["names"]]
        digest = {"embedding": self._digest} if self._digest else {}
        reasoned = sum((REASONED, one.id) in self._job.drafted for one in shown)
        return {
            "examples": [one.id for one in shown],
            "named": any(matched(item, name) for name in names),
            "neighbours_rank": _place(item, pool.alone(item)[:LISTED]),
            **digest,
            **({"reasoned": reasoned} if self._reasons else {}),
        }


def _place(item: Item, names: Sequence[str], *, families: bool = True) -> int | None:
    for rank, name in enumerate(names, 1):
        by = matched(item, name)
        if by and (families or by[1] != FAMILY):
            return rank
    return None


def shown_of(item: Item, reasoning: str = "", *, as_text: bool = True) -> Shown:
    """A case with its diagnosis, its report if that is there and wanted."""
    asked = item.input
    text = asked.get("text", "") if as_text or "findings" not in asked else ""
    return Shown(asked.get("findings", ()), asked.get("denied", ()), text, item.reference["names"], reasoning)


def drafts(job: Job) -> tuple[Sequence[Item], Ask]:
    """The examples of auto-cot, for the model to write its reasoning."""
    made: dict[str, Item] = {}
    if job.settings["prompting"] == REASONED:
        examples = Examples(job)
        for item in job.items:
            if item.task in RANKED:
                made |= {one.id: one for one in examples.pool(item).shown(item)}
    items = [Item(one.id, REASONED, one.input, one.reference) for one in made.values()]

    def prompt(item: Item, _: Again, __: str) -> Prompt:
        return reasoning_prompt(shown_of(item))

    return items, Ask(prompt, "1")


def _neighbours(job: Job) -> Callable[[Item, Again], Any]:
    """The diagnoses of the cases most like each, by plain term vectors."""
    pools: dict[str, Pool] = {}

    def answer(item: Item, _: Again) -> Any:  # noqa: ANN401 (a JSON value)
        if not item.input["present"]:
            return None
        if item.task not in pools:
            pools[item.task] = Pool(job, item.task)
        names = pools[item.task].alone(item)
        return {
            "ranking": names[:LISTED],
            "rank": _place(item, names),
            "code_rank": _place(item, names, families=False),
        }

    return answer


NEIGHBOURS = Method(
    "neighbours", "the diagnoses of the most similar cases, without a model", _neighbours, RANKED
)


def about_examples(job: Job, rows: Sequence[Row]) -> Mapping[str, Any]:
    """What was shown, for the record of a run: pool, rule, share of prompts that named the answer."""
    values = [row.value for row in rows if isinstance(row.value, dict) and "named" in row.value]
    if not values:
        return {}
    settings = job.settings
    share = sum(one["named"] for one in values) / len(values)
    details: dict[str, Any] = {
        key: settings[key] for key in ("prompting", "shots", "pool_rule", "similarity")
    }
    details |= {"prompts": len(values), "named": share}
    notes = [f"{share:.0%} of {counted(len(values), 'prompt')} named the answer in an example."]
    if settings["prompting"] == DYNAMIC:
        about = embedding_of(job).about
        details["embedding"] = about
        notes.append(f"The terms' vectors were made in {duration(about['seconds'])} and are kept.")
    return {"examples": details, "notes": notes}


def about_names(name: str, rows: Sequence[Row], alone: Mapping[str, float | None]) -> Iterator[str]:
    """How many prompts named the answer, and what the neighbours alone score, in a sentence."""
    values = [row.value for row in rows if isinstance(row.value, dict) and "named" in row.value]
    if values:
        named = sum(one["named"] for one in values)
        hits = ", ".join(
            f"{key.replace('_', ' ')} {value:.3g}" for key, value in alone.items() if value is not None
        )
        yield (
            f"{name}: {named:,} of {counted(len(values), 'prompt')} ({named / len(values):.0%}) named the "
            f"answer in an example; the neighbours alone, without a model: {hits}."
        )
