"""What a judge is asked of an answer, and who should not be judge in this case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from app.studies.mmrarebench.families import family_of
from app.studies.mmrarebench.tracks import T1, rubric_of, writer_of
from app.studies.results import Item, Row, Scores
from app.studies.study import Rubric
from extractors.tasks.neutral import neutralised
from extractors.tasks.prompting.templates import Templates

PER_CRITERION = " per criterion"


def templates() -> Templates:
    return Templates("studies", "mmrarebench", "prompts")


@lru_cache(maxsize=4)
def rubric(track: str) -> Rubric:
    """That of a track, for people and judges alike."""
    file = rubric_of(track)
    about = {one.id: f"{one.question} {one.scale}".strip() for one in file.criteria}
    return Rubric(
        file.id,
        {one.id: file.scale for one in file.criteria},
        about,
        file.score,
        _prompt,
        words={"yes": True, "no": False} if isinstance(file.scale[0], bool) else {},
        names={one.id: one.label for one in file.criteria},
    )


def _prompt(item: Item, row: Row, criteria: Sequence[str]) -> tuple[str, str]:
    file, words = rubric_of(item.task), templates()
    yes_no = isinstance(file.scale[0], bool)
    asked = [one for one in file.criteria if one.id in criteria]
    user = words.render(
        "graded",
        question=_plain(item.input["question"]),
        reference=_plain(_reference(item)),
        answer=_plain(row.value),
        criteria=asked,
        yes_no=yes_no,
    )
    return words.render("judge", yes_no=yes_no), user


def _plain(text: Any) -> str:  # noqa: ANN401 (words of others)
    """Words of others, in which no mark ends what they stand in."""
    words = neutralised(str(text))[0]
    for mark in ("reference", "answer"):
        words = words.replace(f"</{mark}", f"< /{mark}").replace(f"<{mark}", f"< {mark}")
    return words


def _reference(item: Item) -> str:
    reference = item.reference
    lines = [str(reference.get("answer", ""))]
    if item.task == T1 and reference.get("aliases"):
        lines.append(f"Also called: {'; '.join(map(str, reference['aliases']))}.")
    target = reference.get("target")
    if target and item.task != T1:
        lines.append(f"In short: {_listed(target)}.")
    return "\n".join(lines)


def _listed(target: Any) -> str:  # noqa: ANN401 (JSON)
    if isinstance(target, Mapping):
        return "; ".join(f"{name}: {_listed(one)}" for name, one in target.items())
    return "; ".join(map(str, target)) if isinstance(target, (list, tuple)) else str(target)


def conflicts(scores: Scores) -> Iterator[str]:
    """Judges and writers of the family of the models whose answers they judge or asked for, in sentences."""
    for name, rows in scores.rows.items():
        model = str(scores.settings[name].get("model") or "")
        own = family_of(model)
        judges = sorted(
            {one.removesuffix(PER_CRITERION) for row in rows for one in row.judges & {*row.ratings}}
        )
        writers = sorted(filter(None, {writer_of(row.item) for row in rows}))
        for judge in judges:
            if judge == model:
                yield f"{name}: the judge {judge} judges its own answers."
            elif own and family_of(judge) == own:
                yield f"{name}: the judge {judge} and the model {model} are of one family, {own}."
            for writer in writers:
                if family_of(judge) and family_of(judge) == family_of(writer):
                    yield (
                        f"{name}: the judge {judge} and the writer of the references, {writer}, are of one "
                        f"family, {family_of(judge)}."
                    )
        for writer in writers:
            if own and family_of(writer) == own:
                yield (
                    f"{name}: the writer of the references, {writer}, and the model {model} are of one "
                    f"family, {own}."
                )
