"""What is the same row in two copies, and which of two versions holds: alike from either side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.store.unite.changes import Cells
from app.store.values import Cell, canonical, strings

# Columns that name rows of other tables; where a row goes by another UUID here, they are read so.
LINKS = frozenset(
    (
        "document annotator annotation run subject shown reviewer result annotator_left annotator_right "
        "decision reused"
    ).split()
)
# Rows of different UUIDs that are equal in these are the same work, done or brought twice.
KEYS: Mapping[str, tuple[str, ...]] = {
    "scheme_file": ("name",),
    "document": ("text_sha256",),
    "section": ("document", "position"),
    "figures": ("document",),
    "region": ("annotator", "document", "picture", "x", "y", "width", "height", "category"),
    "annotation": (
        "annotator",
        "document",
        "layer",
        "category",
        "span_start",
        "span_end",
        "quote",
        "polarity",
        "field",
    ),
    "concept": ("document", "annotation", "terminology", "release", "code"),
    "picture_tick": ("document", "picture"),
    "guess": ("document", "reader", "track", "part", "guess"),
    "carried": ("annotator", "document", "annotation", "label", "span_start", "span_end", "quote", "value"),
    "label_meaning": ("label",),
    "review": ("document", "annotator"),
    "run": ("annotator", "settings"),
    "answer": ("run", "subject", "question", "again"),
    "disclosure": ("document", "annotator", "shown", "state"),
    "verdict": ("annotation", "reviewer"),
    "rating": ("document", "run", "rater"),
    "build": ("study", "digest"),
    "item_rating": ("subject", "run", "again", "rater"),
    "assignment": ("document", "annotator"),
}
# Told by what they are about: the same in whatever copy, and however often they were made.
NAMED = frozenset(
    (
        "scheme_file document section figures picture_tick guess concept label_meaning review "
        "disclosure verdict rating assignment build answer item_rating"
    ).split()
)
# Told by what they were made as: what one copy made twice stands twice.
MADE = frozenset({"annotation", "carried", "region", "run"})
# What others hang on: of two that are the same, the one that was made first says what they are called.
KEPT = frozenset({"annotator", "document", "section", "run", "build"})
_TIMES = {
    "review": "changed_at",
    "figures": "taken_at",
    "verdict": "judged_at",
    "rating": "rated_at",
    "item_rating": "rated_at",
    "run": "finished_at",
}
_MADE = {"document": "added_at", "build": "built_at"}
# Where a row stands among others is for the project that it comes into to say.
_PLACE = frozenset({"uuid", "position", "rank"})
# Nor is the same work another one because it was done a second time.
_OWN = _PLACE | {"created_at"}
_SAID = ("layer", "category", "span_start", "span_end", "polarity")


def derived(uuid: object) -> bool:
    """Whether a UUID follows from names: rows that are made anew wherever copies come together."""
    return isinstance(uuid, str) and uuid[14:15] == "5"


def alike(one: Cells, other: Cells) -> bool:
    """Whether two rows say the same, whatever their UUIDs and places."""
    return all(value == other[name] for name, value in one.items() if name not in _OWN and name in other)


def say_the_same(one: Cells, other: Cells) -> bool:
    """Whether the queue of differences would see two versions of an annotation as one."""
    return all(one[name] == other[name] for name in _SAID) and (
        one["span_start"] is not None or one["quote"] == other["quote"]
    )


def stronger(table: str, one: Cells, other: Cells) -> Cells:
    """Which of two versions holds: the later, where rows of the table have a time; never by whose it is.

    Figures with more pictures hold: regions may be marked on them.
    """
    time = _TIMES.get(table, "")
    return max(
        one, other, key=lambda row: (row.get("images", 0), str(row.get(time, "") or ""), _content(row))
    )


def first_made(table: str, one: Cells, other: Cells) -> Cells:
    """Which of two rows that others hang on holds: of runs the one that ended later, else the older."""
    if table == "run":
        return stronger(table, one, other)
    return min(one, other, key=lambda row: (str(row.get(_MADE.get(table, ""), "")), _content(row)))


def _place(cell: Cell) -> tuple[int, str]:
    return (cell, "") if isinstance(cell, int) else (0, str(cell))


def version_of(row: Cells | None) -> str:
    """What an annotation says as text, "" where it was deleted."""
    return "" if row is None else canonical({name: row[name] for name in row if name not in _PLACE | LINKS})


def own_columns(row: Cells) -> Cells:
    """What of a row goes over to the row of another project that stands for the same."""
    return {name: value for name, value in row.items() if name not in _OWN}


def united(
    table: str, versions: Sequence[Cells], bases: Sequence[Cells | None], order: Sequence[str]
) -> Cells:
    """What holds of several versions of a row, none of which went on from another.

    What one alone changed of what all went on from (`bases`) is changed; else the stronger version holds, of
    annotations as a whole but for their notes, which are all kept. Reviews have each statement that one
    added, and none that one took back; categories stand in the given order, as the scheme has them.
    """
    first = versions[0]
    for one in versions[1:]:
        first = (first_made if table in KEPT else stronger)(table, first, one)
    held = dict(first)
    base = next((one for one in bases if one is not None), None) if len(bases) == 1 else None
    if base is not None and table != "annotation":
        for name in held.keys() - _OWN:
            changed = {canonical(one[name]): one[name] for one in versions if one[name] != base[name]}
            held[name] = next(iter(changed.values())) if len(changed) == 1 else held[name]
    if table == "review" and len(versions) > 1:
        for name in ("nothing_found", "looked_at"):
            sets = [set(strings(str(one[name]))) for one in versions]
            before = set[str]().union(*(strings(str(one[name])) for one in bases if one is not None))
            names = set[str]().union(*sets) - {
                one for one in before if any(one not in other for other in sets)
            }
            held[name] = canonical([category for category in order if category in names])
    if table == "annotation":
        held["note"] = _notes([one for one in versions if say_the_same(one, first)], bases)
    if "rank" in held:
        held["rank"] = min(_place(one["rank"]) for one in versions if say_the_same(one, first))[0]
    return held


def _notes(alike: Sequence[Cells], bases: Sequence[Cells | None]) -> str:
    """Every note that was written on what is the same, on one line."""
    notes = {str(one["note"]) for one in alike}
    written = notes - {str(one["note"]) for one in bases if one is not None} or notes
    return "; ".join(sorted(filter(None, written)))


def _content(row: Cells) -> str:
    return canonical(own_columns(row))


def ranked(row: Cells) -> Cells:
    """The place of a row among its like, where it has one that need not be its own."""
    return {"rank": row["rank"]} if "rank" in row else {}
