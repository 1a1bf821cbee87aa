"""Labels that other programs' files bring along: kept as they are, or said to stand for a category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.exchange.placing import span_of, store_quotes
from app.operations.project.opening import opened
from app.operations.project.sets import actor
from app.store.act import begin_act
from app.store.annotate.carried import (
    Carried,
    LabelMeaning,
    label_meanings,
    link_carried,
    read_carried,
    set_label_meanings,
)
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.formats.labels import Meaning
    from app.formats.record import QuoteDetails
    from app.store.act import Act
    from app.store.project import Project
    from extractors.model.finding import Polarity
    from extractors.model.scheme import Scheme
    from extractors.rules import PolarityReader


@dataclass(frozen=True, slots=True)
class KeptLabel:
    """A label that came along, how many annotations are kept under it, and what it stands for.

    `meaning` is None where it is to stay as it is, `decided` says whether that was said.
    """

    label: str
    annotations: int
    meaning: Meaning | None
    decided: bool


@dataclass(frozen=True, slots=True)
class LabelSummary:
    """The labels as they are then; `moved` annotations became quotes of a category, `notes` say of which
    something had to be changed."""

    labels: tuple[KeptLabel, ...]
    moved: int = 0
    notes: tuple[str, ...] = ()


def kept_labels(project: Project) -> tuple[KeptLabel, ...]:
    """Every label under which annotations are kept or of which something was said, by name."""
    meanings = remembered_labels(project)
    counts = Counter(one.label for one in read_carried(project) if one.label and one.annotation is None)
    return tuple(
        KeptLabel(label, counts[label], meanings.get(label), label in meanings)
        for label in sorted(counts.keys() | meanings.keys())
    )


def label_table(project: Project) -> str:
    """What labels stand for as TOML, with "" for those of which nothing was said."""
    from app.formats.labels import label_map_text

    return label_map_text({one.label: one.meaning for one in kept_labels(project)})


def meaning_of(category: str, field: str = "", polarity: Polarity | None = None) -> Meaning | None:
    """What a label stands for, None where no category is named."""
    from app.formats.labels import Meaning

    return Meaning(category, field, polarity) if category else None


def read_label_table(path: Path, scheme: Scheme) -> dict[str, Meaning | None]:
    """What a TOML file says of labels; raises FormatError."""
    from app.formats.labels import read_label_map

    return read_label_map(path, scheme)


def save_label_table(path: Path, known: Mapping[str, Meaning | None]) -> None:
    """Write what labels stand for as TOML; raises StorageError."""
    from app.formats.labels import label_map_text
    from app.formats.writing import write_atomically

    write_atomically(path, label_map_text(known))


def set_labels(
    where: Project | Path, given: Path | Mapping[str, Meaning | None]
) -> Generator[Progress, None, LabelSummary]:
    """Remember what labels stand for, and make quotes of the annotations kept under them, in one act.

    Raises FormatError for a bad file, what opening the project raises; closed early, all stays as it was.
    """
    from extractors.rules import PolarityReader

    with opened(where, write=True) as project:
        moved, notes = 0, list[str]()
        with begin_act(project, "say what labels stand for", actor(project)) as act:
            meanings = remember_labels(act, given)
            waiting: dict[tuple[str, str], list[Carried]] = {}
            for one in read_carried(project):
                if one.annotation is None and one.quote.strip() and meanings.get(one.label) is not None:
                    waiting.setdefault((one.document, one.annotator), []).append(one)
            polarities = PolarityReader()
            for done, kept in enumerate(waiting.values(), start=1):
                moved += len(kept)
                notes += _move(act, kept, meanings, polarities)
                yield Progress(done, len(waiting), "reports gone through")
        return LabelSummary(kept_labels(project), moved, tuple(notes))


def _move(
    act: Act, kept: list[Carried], meanings: Mapping[str, Meaning | None], polarities: PolarityReader
) -> list[str]:
    """Make quotes of what one annotator has in one report; returns what had to be changed."""
    from app.formats.labels import details
    from app.store.annotate.reviews import review_of, set_review
    from app.store.reports.documents import document

    stored, holder = document(act.project, kept[0].document), kept[0].annotator
    by_category: dict[str, list[Carried]] = {}
    given: dict[str, list[QuoteDetails]] = {}
    for one in kept:
        meaning = meanings[one.label]
        assert meaning is not None
        by_category.setdefault(meaning.category, []).append(one)
        given.setdefault(meaning.category, []).append(replace(details(span_of(one), meaning), span=None))
    quotes = {category: [one.quote for one in own] for category, own in by_category.items()}
    placed = store_quotes(act, stored, holder, quotes, given, polarities)
    rows = [one for own in by_category.values() for one in own]
    link_carried(act, {row.uuid: one.uuid for row, one in zip(rows, placed.annotations, strict=True)})
    before = review_of(act.project, stored.uuid, holder)
    set_review(
        act,
        stored.uuid,
        holder,
        state="done" if before.state == "untouched" else before.state,
        looked_at=[*before.looked_at, *(one for one in quotes if one not in before.looked_at)],
        nothing_found=[one for one in before.nothing_found if one not in quotes],
    )
    return [f"{stored.key}: {note}" for note in placed.notes]


def remembered_labels(project: Project) -> dict[str, Meaning | None]:
    """What the project was told that labels stand for."""
    from app.formats.labels import Meaning

    return {
        one.label: Meaning(one.category, one.field, one.polarity or None)  # type: ignore[arg-type]
        if one.category
        else None
        for one in label_meanings(project)
    }


def label_meanings_with(
    project: Project, given: Path | Mapping[str, Meaning | None] | None
) -> dict[str, Meaning | None]:
    """What labels stand for in the project, and by what is given besides; raises FormatError."""
    return {**remembered_labels(project), **_read(project, given)}


def remember_labels(act: Act, given: Path | Mapping[str, Meaning | None] | None) -> dict[str, Meaning | None]:
    """Take what is said of labels into the project; returns all it knows then. Raises FormatError."""
    meanings = _read(act.project, given)
    set_label_meanings(act, [_stored(label, meaning) for label, meaning in meanings.items()])
    return remembered_labels(act.project)


def _read(
    project: Project, given: Path | Mapping[str, Meaning | None] | None
) -> Mapping[str, Meaning | None]:
    return read_label_table(given, project.scheme) if isinstance(given, Path) else given or {}


def _stored(label: str, meaning: Meaning | None) -> LabelMeaning:
    if meaning is None:
        return LabelMeaning(label, "", "", "")
    return LabelMeaning(label, meaning.category, meaning.field, meaning.polarity or "")
