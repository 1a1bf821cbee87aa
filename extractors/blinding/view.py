"""Views of a case for each track by layers, and the audit that says what was taken out and what is left."""

from __future__ import annotations

import hashlib
import string
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from extractors.blinding.audit import Leak, abbreviated, find_leaks
from extractors.blinding.case import Block, Case, Range, modalities_of
from extractors.blinding.forms import Alias
from extractors.blinding.masking import Diagnosis, Mask, Telling, laid, masks_of
from extractors.text.tables import CAPTION

Track = Literal["T1", "T2", "T3", "T4"]
Profile = Literal["paper", "strict"]
TRACKS: tuple[Track, ...] = ("T1", "T2", "T3", "T4")
PROFILES: tuple[Profile, ...] = ("strict", "paper")
DIAGNOSIS, CAPTIONED, REMOVED = "[DIAGNOSIS_MASKED]", "[CAPTION_MASKED]", "[REMOVED]"
# Which of the three layers a track has: front matter and summaries away, diagnosis masked, captions masked.
LAYERS: dict[Track, tuple[int, ...]] = {"T1": (1, 2, 3), "T2": (1,), "T3": (1, 3), "T4": (1, 2, 3)}
FOUND_BY_AUDIT = "found by the audit"
_FEWEST_WORDS = 20
_BLANK = "\n\n"
_LATE = "what follows the end of the track"
_HIDDEN = {
    CAPTIONED: "captions",
    "": "sentences that read pictures aloud",
    REMOVED: "what identifies the report",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture of a view under a neutral name, and the figure it is of."""

    name: str
    sha256: str
    figure: str
    ticked: bool


@dataclass(frozen=True, slots=True)
class Hinted:
    """A hint that a view still gives, with its places."""

    text: str
    kind: str
    places: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Audit:
    """What was taken out of a view and what is left; places are code points of the view.

    `masked` counts by form; `removed` are parts and how many characters each had; `case_words_kept` is the
    share of the words of the case, as far as the track reaches, that the view shows. `sha256` is the view's.
    """

    profile: Profile
    layers: tuple[int, ...]
    verdict: Literal["clean", "leak"]
    forms: tuple[Alias, ...]
    masked: dict[str, int]
    leaks: tuple[Leak, ...]
    hints: tuple[Hinted, ...]
    removed: tuple[tuple[str, int], ...]
    case_words_kept: float
    pictures: Literal["not read", "ticked"]
    nomenclature: str
    anchor: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ViewBlock:
    """A block of the report (`Block.name`) as far as a view shows it, in code points of the view."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class View:
    """A case without its answer. `masks` are the places of masks, so that the report's own words stay data;
    `cut` is where T4 ends in the report; `pieces` lead back: place in the view, in the report, length."""

    track: Track
    profile: Profile
    state: Literal["ready", "refused"]
    reason: str
    text: str
    blocks: tuple[ViewBlock, ...]
    masks: tuple[Range, ...]
    diagnosis: str
    pictures: tuple[Shown, ...]
    cut: int | None
    audit: Audit
    pieces: tuple[tuple[int, int, int], ...] = ()

    def source(self, at: int) -> int:
        """The place in the report of a place in the view."""
        return _source(self.pieces, at)


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a track shows of the report: up to `end`, `kept` blocks, behind `masks`."""

    track: Track
    strict: bool
    end: int
    cut: int | None
    kept: tuple[Block, ...]
    masks: list[Mask]


@dataclass(frozen=True, slots=True)
class _Draft:
    """A view's text with what is in it."""

    text: str
    blocks: tuple[ViewBlock, ...]
    masks: tuple[Range, ...]
    masked: Counter[str]
    pieces: tuple[tuple[int, int, int], ...]


class Blinding:
    """A case and its diagnosis, from which the views of all tracks are cut; the report is searched once."""

    def __init__(self, case: Case, diagnosis: Diagnosis) -> None:
        self.case, self.diagnosis = case, diagnosis
        self._telling = Telling(case, diagnosis)

    def view(
        self, track: Track, profile: Profile = "strict", *, hints: bool = False, cut: int | None = None
    ) -> View:
        """The view of a track. `hints` masks hints, too; `cut` (code points of the report) moves the end of
        T4 from where a person or the rules have it."""
        strict = profile == "strict"
        end, cut = self._end(track, strict, cut)
        kept = tuple(one for one in self.case.blocks if one.start < end and _keeps(one, strict))
        frame = _Frame(track, strict, end, cut, kept, self._masks(track, strict, hints, kept))
        draft = _drafted(self.case.document.text, frame)
        leaks = self._leaks(track, draft)
        if strict and leaks:
            # What only the second search sees is masked as well, and searched for again.
            more = [Mask(*_in_report(draft, leak), DIAGNOSIS, (FOUND_BY_AUDIT,)) for leak in leaks]
            frame = replace(frame, masks=laid([*frame.masks, *more]))
            draft = _drafted(self.case.document.text, frame)
            leaks = self._leaks(track, draft)
        pictures = self._pictures(frame)
        words = self._words(frame)
        reason = self._refusal(frame, pictures, len(leaks), words[1])
        return View(
            track,
            profile,
            "refused" if reason else "ready",
            reason,
            draft.text,
            draft.blocks,
            draft.masks,
            self.diagnosis.label if track == "T2" else "",
            pictures,
            cut,
            self._audit(frame, draft, leaks, pictures, words),
            draft.pieces,
        )

    def _end(self, track: Track, strict: bool, cut: int | None) -> tuple[int, int | None]:
        """Where the track ends in the report; as published none does."""
        if track == "T4":
            given = (cut, self.diagnosis.cut)
            cut = next((one for one in given if one is not None), self.case.first_test)
        else:
            cut = None
        end = self.case.treatment if track == "T2" else cut
        return (end if strict and end is not None else len(self.case.document.text)), cut

    def _masks(self, track: Track, strict: bool, hints: bool, kept: tuple[Block, ...]) -> list[Mask]:
        telling = self._telling
        masks: list[Mask] = []
        if 2 in LAYERS[track]:
            named = telling.named if strict else telling.named_as_listed
            masks += masks_of(named, DIAGNOSIS)
            if hints:
                masks += masks_of(telling.hinted, DIAGNOSIS)
        if strict:
            masks += masks_of(telling.identifying, REMOVED)
        if strict and track == "T3":
            masks += [Mask(start, end, "") for start, end in self.case.read_aloud]
        if 3 in LAYERS[track]:
            masks += [mask for one in kept for mask in self._caption(one)]
        return laid(masks)

    def _caption(self, block: Block) -> Iterator[Mask]:
        """What a figure or table is said to show; its label and the rows of a table stay."""
        text = self.case.document.text
        label = CAPTION.match(text, block.start, block.end)
        if block.kind == "figure" or (block.kind == "table" and label):
            start = block.start if label is None else label.end()
            line = text.find("\n", start, block.end) if block.kind == "table" else -1
            end = block.end if line < 0 else line
            if end > start:
                start += text[start] == " "
                yield Mask(start, end, CAPTIONED)

    def _leaks(self, track: Track, draft: _Draft) -> list[Leak]:
        """What the second search finds; where the diagnosis is given or its layer is off nothing can leak."""
        if 2 not in LAYERS[track]:
            return []
        return find_leaks(draft.text, draft.masks, self._names, self._shorts)

    @cached_property
    def _names(self) -> list[str]:
        return [one.text for one in self.diagnosis.aliases]

    @cached_property
    def _shorts(self) -> set[str]:
        own = {one.text for one in self._telling.forms.aliases if one.source == "report"}
        return own | abbreviated(f"{self.case.document.title}\n\n{self.case.document.text}", self._names)

    def _pictures(self, frame: _Frame) -> tuple[Shown, ...]:
        """The pictures that the track may show: those mentioned before its end, under neutral names."""
        whole = len(self.case.document.text)
        found = []
        for figure in self.case.figures:
            first = min((one.start for one in figure.mentions if one.start is not None), default=whole)
            kept = [one.sha256 for one in figure.images if one.sha256 and one.state == "kept"]
            if kept and (frame.end == whole or first < frame.end):
                found.append((figure.id, kept))
        shown = []
        for number, (figure_id, kept) in enumerate(found, 1):
            letters = string.ascii_lowercase if len(kept) > 1 else ""
            for at, digest in enumerate(kept):
                panel = letters[at] if at < len(letters) else f"-{at + 1}" if letters else ""
                name = f"figure-{number}{panel}.png"
                shown.append(Shown(name, digest, figure_id, digest in self.case.ticked))
        return tuple(shown)

    def _refusal(self, frame: _Frame, pictures: tuple[Shown, ...], leaks: int, words: int) -> str:
        """Why the view, which shows as many words of the case, is of no use; "" where it is."""
        if leaks:
            places = "one place" if leaks == 1 else f"{leaks} places"
            return f"The diagnosis gets round the mask in {places}."
        if not self.case.told:
            return "No section of it tells a case."
        if frame.track == "T2" and self.case.treatment is None:
            return "No treatment was found in the case."
        if frame.track == "T3" and (reason := self._unaligned(pictures)):
            return reason
        if frame.track == "T4" and frame.cut is None:
            return "No investigation was found in the case; say where the view ends."
        if words < _FEWEST_WORDS:
            return "Hardly a word of the case stands before the end of this track."
        return ""

    def _unaligned(self, pictures: tuple[Shown, ...]) -> str:
        shown = {one.figure for one in pictures}
        text = self.case.document.text
        kinds = [
            modalities_of(text[one.start : one.end])
            for one in self.case.figures
            if one.id in shown and one.start is not None
        ]
        several = len(pictures) > 1 and len({kind for found in kinds for kind in found}) > 1
        return "" if several else "It has no two pictures of different modalities."

    def _audit(
        self, frame: _Frame, draft: _Draft, leaks: list[Leak], pictures: tuple[Shown, ...], words: Range
    ) -> Audit:
        hashed = hashlib.sha256(draft.text.encode())
        for one in pictures:
            hashed.update(f"\0{one.name}\0{one.sha256}".encode())
        masking = 2 in LAYERS[frame.track]
        return Audit(
            "strict" if frame.strict else "paper",
            LAYERS[frame.track],
            "leak" if leaks else "clean",
            self._telling.forms.aliases if masking else (),
            dict(sorted(draft.masked.items())),
            tuple(leaks),
            tuple(self._hints_left(draft)) if masking else (),
            self._removed(frame),
            round(words[1] / words[0], 4) if words[0] else 0.0,
            "ticked" if all(one.ticked for one in pictures) and pictures else "not read",
            self.diagnosis.nomenclature,
            self.diagnosis.state,
            hashed.hexdigest(),
        )

    def _hints_left(self, draft: _Draft) -> Iterator[Hinted]:
        """Hints in the view, with short names of the diagnosis that the report does not define."""
        kinds = {one.text: one.kind for one in self.diagnosis.hints}
        places: dict[str, list[Range]] = {}
        starts = [source for _, source, _ in draft.pieces]
        for one in self._telling.pointing:
            piece = draft.pieces[max(0, bisect_right(starts, one.start) - 1)] if starts else (0, 0, 0)
            at = piece[0] + one.start - piece[1]
            if one.start >= piece[1] and one.end <= piece[1] + piece[2]:
                places.setdefault(one.form, []).append((at, at + one.end - one.start))
        for text, found in places.items():
            yield Hinted(text, kinds.get(text, "abbreviation"), tuple(found))

    def _removed(self, frame: _Frame) -> tuple[tuple[str, int], ...]:
        removed = Counter({"title": len(self.case.document.title)})
        shown = {one.name for one in frame.kept}
        for block in self.case.blocks:
            if block.name not in shown:
                late = block.what == "case" and block.start >= frame.end
                what = _LATE if late else "floating captions" if block.floating else block.what
                removed[what] += block.end - block.start
            elif block.end > frame.end:
                removed[_LATE] += block.end - frame.end
        for mask in frame.masks:
            if hidden := _HIDDEN.get(mask.instead):
                removed[hidden] += mask.end - mask.start
        return tuple(sorted(removed.items()))

    def _words(self, frame: _Frame) -> tuple[int, int]:
        """How many words the case has up to the end of the track, and how many of them are shown."""
        starts = self.case.words.starts

        def words(start: int, end: int) -> int:
            return max(0, bisect_left(starts, end) - bisect_left(starts, start))

        all_of_it = [(one.start, min(one.end, frame.end)) for one in self.case.told if one.start < frame.end]
        told = sum(words(*one) for one in all_of_it)
        hidden = sum(
            words(max(mask.start, start), min(mask.end, end))
            for start, end in all_of_it
            for mask in _over(frame.masks, start, end)
        )
        return told, told - hidden


def _keeps(block: Block, strict: bool) -> bool:
    """Layer 1: as published the body but for summaries; strictly the case alone, without floating parts."""
    told = ("case",) if strict else ("case", "background")
    return block.what in told and not (strict and block.floating)


def _over(masks: Sequence[Mask], start: int, end: int) -> Sequence[Mask]:
    """Those that hide some of a stretch; they are in order and do not overlap."""
    first = bisect_right(masks, start, key=lambda mask: mask.end)
    return masks[first : bisect_left(masks, end, key=lambda mask: mask.start)]


def _drafted(text: str, frame: _Frame) -> _Draft:
    parts, length = list[str](), 0
    blocks, masks, pieces = list[ViewBlock](), list[Range](), list[tuple[int, int, int]]()
    masked: Counter[str] = Counter()
    for block in frame.kept:
        at, stop = block.start, min(block.end, frame.end)
        found: list[tuple[str, int | None]] = []
        for mask in _over(frame.masks, at, stop):
            found += [(text[at : max(at, mask.start)], at), (mask.instead, None)]
            masked.update(mask.forms)
            at = mask.end
        found.append((text[at:stop].rstrip(), at))
        if not "".join(piece for piece, _ in found).strip():
            continue
        if parts:
            parts.append(_BLANK)
            length += len(_BLANK)
        begin = length
        for piece, source in found:
            if piece and source is None:
                masks.append((length, length + len(piece)))
            elif source is not None:
                pieces.append((length, source, len(piece)))
            parts.append(piece)
            length += len(piece)
        blocks.append(ViewBlock(block.name, begin, length))
    return _Draft("".join(parts), tuple(blocks), tuple(masks), masked, tuple(pieces))


def _in_report(draft: _Draft, leak: Leak) -> Range:
    """The place in the report of a place in a view."""
    return _source(draft.pieces, leak.start), _source(draft.pieces, leak.end - 1) + 1


def _source(pieces: Sequence[tuple[int, int, int]], at: int) -> int:
    place, source, length = pieces[max(0, bisect_right(pieces, at, key=lambda piece: piece[0]) - 1)]
    return source + max(0, min(at - place, length))


def refused_view(track: Track, profile: Profile, reason: str) -> View:
    """A view that cannot be cut, with an audit of nothing."""
    empty = hashlib.sha256(b"").hexdigest()
    audit = Audit(profile, LAYERS[track], "clean", (), {}, (), (), (), 0.0, "not read", "", "", empty)
    return View(track, profile, "refused", reason, "", (), (), "", (), None, audit)
