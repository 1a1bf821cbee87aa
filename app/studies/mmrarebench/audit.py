"""What is wrong with an item, in sentences: schema, pictures, modalities, leaks, quotes, claims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from app.studies.mmrarebench.tracks import (
    LEAST_CLAIMS,
    LEAST_PICTURES,
    MODALITIES,
    MOST_CLAIMS,
    RELATIONS,
    T1,
    T2,
    T3,
    T4,
    TRACKS,
    blocks_of,
    relation_of,
)
from app.text import counted
from extractors.blinding.forms import Alias, forms_in
from extractors.blinding.words import Words
from extractors.checks.identifiers import identifiers
from extractors.tasks.pictures import PictureError, whole_picture

if TYPE_CHECKING:
    from app.studies.results import Item
    from app.studies.study import Building

_INPUT = {"question", "narrative", "diagnosis", "pictures"}
_MOST_NAMED = 20
_CODE = re.compile(r"ORPHA:\d+")


def faults(item: Item, blocks: Mapping[str, str]) -> list[str]:
    """Why an item cannot be asked, nothing for a sound one; its evidence stands in `blocks`.

    Its pictures are those that could be read, with their size; of others nothing is said here.
    """
    schema = list(schema_faults(item.task, item.input, item.reference))
    if schema:
        return schema
    return [*_modalities(item), *_leaks(item), *_evidence(item, blocks)]


def schema_faults(track: object, given: Mapping[str, Any], reference: Mapping[str, Any]) -> Iterator[str]:
    """What is lacking, or of another kind than it must be."""
    if track not in TRACKS:
        yield f"schema: the task is {track!r}, not one of {', '.join(TRACKS)}"
        return
    for name in ("question", "narrative", *(("diagnosis",) if track == T2 else ())):
        if not _is_filled(given.get(name)):
            yield f"schema: input has no {name}"
    if track != T2 and "diagnosis" in given:
        yield "schema: input has a diagnosis, which only T2 shows"
    for name in sorted(set(given) - _INPUT):
        yield f"schema: input has {name!r}, which no prompt shows"
    yield from _picture_schema(given.get("pictures"))
    if not _is_filled(reference.get("answer")):
        yield "schema: reference has no answer"
    code = reference.get("code")
    if code is not None and not (isinstance(code, str) and _CODE.fullmatch(code)):
        yield f"schema: the code {code!r} is none like ORPHA:324"
    aliases = reference.get("aliases", [])
    if not isinstance(aliases, list) or not all(map(_is_filled, aliases)):
        yield "schema: aliases are no list of names"
    yield from _target(str(track), reference.get("target"))
    evidence = reference.get("evidence")
    if not isinstance(evidence, list) or not all(isinstance(one, dict) for one in evidence):
        yield "schema: evidence is no list of claims"


def fault(item: Item) -> str:
    """Why an item cannot be kept, "" for none: its schema, and pictures without their sizes."""
    for found in schema_faults(item.task, item.input, item.reference):
        return found
    sizes = [one.get(name) for one in item.input["pictures"] for name in ("width", "height")]
    return "" if all(type(size) is int for size in sizes) else "schema: a picture has no size"


def _picture_schema(pictures: object) -> Iterator[str]:
    if not isinstance(pictures, list) or not pictures:
        yield "schema: input has no pictures"
        return
    for place, one in enumerate(pictures, start=1):
        if not isinstance(one, dict) or not (_is_filled(one.get("file")) or _is_filled(one.get("sha256"))):
            yield f'schema: picture {place} has neither "file" nor "sha256"'


def _target(track: str, target: object) -> Iterator[str]:
    if track == T1:
        if target not in (None, "", {}) and not isinstance(target, (str, dict)):
            yield "schema: the target of T1 is a diagnosis"
    elif track == T3:
        if not relation_of(target):
            yield f"schema: the target of T3 is a relation, one of {', '.join(RELATIONS)}"
    elif isinstance(target, dict):
        if not target:
            yield f"schema: the target of {track} is empty"
    elif not isinstance(target, list) or not target or not all(_is_filled(one) for one in target):
        what = "elements of the plan" if track == T2 else "key tests"
        yield f"schema: the target of {track} is a list of {what}"


def _modalities(item: Item) -> Iterator[str]:
    pictures = item.input["pictures"]
    for place, one in enumerate(pictures, start=1):
        if one.get("modality") not in MODALITIES:
            words = f"{one.get('modality')!r}, not one of {', '.join(MODALITIES)}"
            yield f"modalities: picture {place} is of {words}"
    different = len({one.get("sha256") for one in pictures})
    if different < LEAST_PICTURES.get(item.task, 1):
        yield f"pictures: {item.task} needs {LEAST_PICTURES[item.task]} pictures, and has {different}"
    elif item.task == T3 and len({str(one.get("modality")) for one in pictures}) < LEAST_PICTURES[T3]:
        yield "modalities: the pictures of T3 are all of one modality"


def _leaks(item: Item) -> Iterator[str]:
    """What of the answer stands in the question, the case, or what goes out beside them, a sentence each.

    Names of the diagnosis may stand nowhere in T1 and T4, the reference answer as a whole in no track.
    """
    reference = item.reference
    answer = str(reference["answer"])
    hidden = [str(one) for one in reference.get("aliases", ())] if item.task in (T1, T4) else []
    names = [Alias(name, "person") for name in dict.fromkeys((*hidden, answer))]
    shown = {name: str(item.input[name]) for name in ("question", "narrative")}
    shown |= {"id": item.id, "label": "; ".join(map(str, item.labels.values()))}
    shown["name of a picture"] = "; ".join(str(one.get("name", "")) for one in item.input["pictures"])
    forms = forms_in([Words(text) for text in shown.values()], names)
    for place, text in shown.items():
        for form in dict.fromkeys(one.form for one in forms.find(Words(text))):
            if form == answer and item.task != T1:
                yield f"leaks: the reference answer stands in the {place}"
            else:
                yield f"leaks: the {place} says {form!r}"


def _evidence(item: Item, blocks: Mapping[str, str]) -> Iterator[str]:
    evidence = item.reference["evidence"]
    if not LEAST_CLAIMS <= len(evidence) <= MOST_CLAIMS:
        yield f"claims: {len(evidence)} of them, not {LEAST_CLAIMS} to {MOST_CLAIMS}"
    parts = [str(one.get("claim", "")).strip().casefold() for one in evidence]
    if not all(parts):
        yield "claims: one says nothing"
    if len(set(parts)) < len(parts):
        yield "claims: one stands there twice"
    for place, one in enumerate(evidence, start=1):
        block, quote = one.get("block"), one.get("quote")
        if not isinstance(block, str) or block not in blocks:
            yield f"quotes: claim {place} cites the block {block!r}, which is not there"
        elif not _is_filled(quote):
            yield f"quotes: claim {place} has no quote"
        elif quote not in blocks[block]:
            yield f"quotes: the quote of claim {place} is not in {block}"


def _is_filled(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def identifying(item: Item) -> list[str]:
    """Words of the case that may tell who the patient is, each behind its kind; nothing is refused for it."""
    return [f"{one.kind}: {one.text}" for one in identifiers(str(item.input.get("narrative", "")))]


def warnings(items: Iterable[Item]) -> list[str]:
    """That items hold such words, in a sentence; nothing where none does."""
    found = [(item, words) for item in items if (words := identifying(item))]
    kinds = Counter(word.partition(":")[0] for _, words in found for word in words)
    text = ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items()))
    named = ", ".join(f"{item.task}/{item.id}" for item, _ in found[:_MOST_NAMED])
    more = ", ..." if len(found) > _MOST_NAMED else ""
    whom = f"{counted(len(found), 'item')} may tell who a patient is ({text}): {named}{more}."
    return [whom] if found else []


def lost(item: Item, request: Building) -> list[str]:
    """What is wrong with the kept pictures of an item."""
    found = []
    for place, one in enumerate(item.input.get("pictures", ()), start=1):
        data = request.picture(str(one.get("sha256")))
        try:
            if data is None:
                raise PictureError("it is not in the project any more")
            whole_picture(data)
        except PictureError as error:
            found.append(f"pictures: picture {place}: {error}")
    return found


def evidence_of(item: Item, request: Building) -> Mapping[str, str]:
    """Where an item's quotes must stand, by block: in its report, or in its own narrative."""
    report = item.reference.get("report")
    narrative = str(item.input.get("narrative", ""))
    return request.blocks(str(report)) if report else blocks_of(narrative)
