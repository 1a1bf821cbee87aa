"""Scores of the ICD-11 study's rankings, with intervals and tables, against parsing the same replies."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Sequence

from app.operations.study.scoring import scores_json
from app.studies.icd11.study import STUDY
from app.studies.results import Item, Row
from app.studies.scoring import scoring_runs
from extractors.model.progress import finished
from tests.bench.measure import Measure

_CLASSES, _ITEMS, _COUNT, _SAMPLES = 98, 10_000, 1000, 3


def measures() -> list[Measure]:
    """All scores and tables, intervals and figure 4 among them, of rankings of all classes."""
    items, rows = _answered(random.Random(1))
    classes = [
        {
            **{"code": f"C{number}", "name": name, "uri": "", "count": 500 - number, "admissions": 600},
            **{"category": f"C{number // 2}", "block": f"B{number // 5}", "chapter": f"{number // 20}"},
        }
        for number, name in enumerate(_names())
    ]
    settings = {
        **{"built": {"classes": classes, "min_count": 600}, "arm": "rank", "count": _COUNT, "seed": 1},
        **dict.fromkeys(("alpha", "normalise", "top", "order", "list", "repeats", "min_count")),
    }
    replies = [json.dumps({"item": row.item.id, "value": row.value}) for row in rows]

    def score() -> object:
        scored = scoring_runs(STUDY, {"m": rows}, [], "strict", {"m": settings}, items=items)
        return scores_json(STUDY, finished(scored))

    pairs = [(_seconds(score), _seconds(lambda: list(map(json.loads, replies)))) for _ in range(3)]
    ratio = min(own for own, _ in pairs) / min(bare for _, bare in pairs)
    return [Measure("icd11: scores of 3 x 1,000 rankings", ratio, 5, "json.loads of the same replies")]


def _seconds(work: object) -> float:
    assert callable(work)
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _names() -> list[str]:
    return [f"disease of part {number}, unspecified" for number in range(_CLASSES)]


def _answered(chance: random.Random) -> tuple[list[Item], list[Row]]:
    """Items of a view, and what a model made of its samples."""
    letters = "abcdefghiklmnop"
    words = ["".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(4000)]
    items = []
    for number in range(_ITEMS):
        truths = chance.sample(_names(), chance.choice((1, 1, 2, 3, 5)))
        report = {"report": " ".join(chance.choices(words, k=150))}
        items.append(Item(str(number), "coding", report, {"names": truths}, {"split": "test"}))
    drawn: dict[str, list[int]] = {}
    for sample in range(1, _SAMPLES + 1):
        for item in chance.sample(items, _COUNT):
            drawn.setdefault(item.id, []).append(sample)
    asked = [item for item in items if item.id in drawn]
    return items, [Row(item, _value(chance, drawn[item.id])) for item in asked]


def _value(chance: random.Random, samples: Sequence[int]) -> dict[str, object]:
    scores = sorted(_scores(chance), key=lambda one: -float(str(one["score"])))
    names = [one["name"] for one in scores]
    return {"predicted": names, "outside": [], "scores": scores, "listed": _CLASSES, "samples": samples}


def _scores(chance: random.Random) -> Iterator[dict[str, object]]:
    tokens = {"tokens": 6, "exact": True, "prior_tokens": 6, "own_tokens": 6}
    for name in _names():
        conditional, prior = chance.random() * 9, chance.random() * 9
        nll = {"score": prior - conditional, "conditional": conditional, "prior": prior}
        yield {"name": name, **nll, **tokens}
