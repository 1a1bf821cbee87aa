"""Views of a case for each track by layers, and the audit that says what was taken out and what is left."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import starmap
from string import ascii_lowercase
from typing import Any, Literal

from extractors.blinding.audit import Leak, abbreviated, find_leaks
from extractors.blinding.case import Block, Range, modalities_of
from extractors.blinding.forms import Alias
from extractors.blinding.masking import Mask, Telling, laid, masks_of
from extractors.text.sentences import sentences
from extractors.text.tables import CAPTION

Track = Literal["T1", "T2", "T3", "T4"]
Profile = Literal["paper", "strict"]
TRACKS: tuple[Track, ...] = ("T1", "T2", "T3", "T4")
PROFILES: tuple[Profile, ...] = ("strict", "paper")
DIAGNOSIS, CAPTIONED, REMOVED = "[DIAGNOSIS_MASKED]", "[CAPTION_MASKED]", "[REMOVED]"
# Which of the three layers a track has: front matter and summaries away, diagnosis masked, captions masked.
LAYERS: dict[Track, tuple[int, ...]] = {"T1": (1, 2, 3), "T2": (1,), "T3": (1, 3), "T4": (1, 2, 3)}
FOUND_BY_AUDIT = "found by the audit"
_FEWEST_WORDS, _WORDS_OF_PART = 20, 70
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


@dataclass(frozen=True)
class View:
    """A case without its answer, or the reason why there is none.

    `blocks` are those of the report as far as they are shown, in code points of the view, `masks` the places
    of masks, so that the report's own words stay data; `cut` is where T4 ends in the report; `pieces` lead
    back: place in the view, in the report, length.
    """

    track: Track
    profile: Profile
    reason: str
    text: str
    blocks: tuple[Block, ...]
    masks: tuple[Range, ...]
    diagnosis: str
    pictures: tuple[Shown, ...]
    cut: int | None
    audit: Audit
    pieces: tuple[tuple[int, int, int], ...] = ()

    @property
    def state(self) -> Literal["ready", "refused"]:
        """Whether it may be shown: there is no reason against it."""
        return "refused" if self.reason else "ready"

    def source(self, at: int) -> int:
        """The place in the report of a place in the view."""
        return _source(self.pieces, at)

    @cached_property
    def _sentences(self) -> list[Range]:
        return [
            (block.start + start, block.start + end)
            for block in self.blocks
            for start, end in sentences(self.text[block.start : block.end])
        ]

    def part_ends(self) -> tuple[int, ...]:
        """Where each part ends, as a teacher would show it: some sentences at a time; the last at its end."""
        ends: list[int] = []
        words = 0
        for start, end in self._sentences:
            words += len(self.text[start:end].split())
            if words >= _WORDS_OF_PART:
                ends.append(end)
                words = 0
        if ends and words < _WORDS_OF_PART // 2:
            ends.pop()
        return (*ends, len(self.text))

    def sentence_at(self, at: int) -> int:
        """Where in the report the sentence begins that a place of the view is in."""
        return self.source(max((start for start, _ in self._sentences if start <= at), default=0))

    def audit_record(self, program: str) -> dict[str, Any]:
        """The audit as JSON, as it is kept; `program` is what made it, with its version."""
        return {
            **asdict(self.audit),
            "program": program,
            "cut": self.cut,
            "hints": [{**asdict(one), "n": len(one.places)} for one in self.audit.hints],
            "removed": [{"what": what, "characters": number} for what, number in self.audit.removed],
        }


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
    blocks: tuple[Block, ...]
    masks: tuple[Range, ...]
    masked: Counter[str]
    pieces: tuple[tuple[int, int, int], ...]


class Blinding(Telling):
    """A case and its diagnosis, from which the views of all tracks are cut; the report is searched once."""

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
            ends = [[_source(draft.pieces, at) for at in (leak.start, leak.end - 1)] for leak in leaks]
            more = [Mask(start, last + 1, DIAGNOSIS, (FOUND_BY_AUDIT,)) for start, last in ends]
            frame = replace(frame, masks=laid([*frame.masks, *more]))
            draft = _drafted(self.case.document.text, frame)
            leaks = self._leaks(track, draft)
        pictures = self._pictures(frame)
        words = self._words(frame)
        reason = self._refusal(frame, pictures, len(leaks), words[1])
        told, audit = (
            self.diagnosis.label if track == "T2" else "",
            self._audit(frame, draft, leaks, pictures, words),
        )
        shown = (draft.text, draft.blocks, draft.masks)
        return View(track, profile, reason, *shown, told, pictures, cut, audit, draft.pieces)

    def _end(self, track: Track, strict: bool, cut: int | None) -> tuple[int, int | None]:
        """Where the track ends in the report; as published none does."""
        given = (cut, self.diagnosis.cut)
        cut = next((one for one in given if one is not None), self.case.first_test) if track == "T4" else None
        end = self.case.treatment if track == "T2" else cut
        return (end if strict and end is not None else len(self.case.document.text)), cut

    def _masks(self, track: Track, strict: bool, hints: bool, kept: tuple[Block, ...]) -> list[Mask]:
        masks: list[Mask] = []
        if 2 in LAYERS[track]:
            named = self.named if strict else self.named_as_listed
            masks += masks_of([*named, *(self.hinted if hints else ())], DIAGNOSIS)
        if strict:
            masks += masks_of(self.identifying, REMOVED)
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
        return find_leaks(draft.text, draft.masks, *self._said) if 2 in LAYERS[track] else []

    @cached_property
    def _said(self) -> tuple[list[str], set[str]]:
        """The names of the diagnosis, and what the report abbreviates them by."""
        names = [one.text for one in self.diagnosis.aliases]
        own = {one.text for one in self.forms.aliases if one.source == "report"}
        return names, own | abbreviated(f"{self.case.document.title}\n\n{self.case.document.text}", names)

    def _pictures(self, frame: _Frame) -> tuple[Shown, ...]:
        """The pictures that the track may show: those mentioned before its end, under neutral names."""
        whole = len(self.case.document.text)
        shown: list[Shown] = []
        number = 1
        for figure in self.case.figures:
            first = min((start for start, _ in figure.mention_places), default=whole)
            kept = [one.sha256 for one in figure.images if one.sha256 and one.state == "kept"]
            if kept and (frame.end == whole or first < frame.end):
                for at, digest in enumerate(kept):
                    panel = (ascii_lowercase[at : at + 1] or f"-{at + 1}") if len(kept) > 1 else ""
                    name = f"figure-{number}{panel}.png"
                    shown.append(Shown(name, digest, figure.id, digest in self.case.ticked))
                number += 1
        return tuple(shown)

    def _refusal(self, frame: _Frame, pictures: tuple[Shown, ...], leaks: int, words: int) -> str:
        """Why the view, which shows as many words of the case, is of no use; "" where it is."""
        track, places = frame.track, "one place" if leaks == 1 else f"{leaks} places"
        endless = track == "T4" and frame.cut is None
        reasons = {
            f"The diagnosis gets round the mask in {places}.": leaks,
            "No section of it tells a case.": not self.case.told,
            "No treatment was found in the case.": track == "T2" and self.case.treatment is None,
            "It has no two pictures of different modalities.": track == "T3" and not self._aligned(pictures),
            "No investigation was found in the case; say where the view ends.": endless,
            "Hardly a word of the case stands before the end of this track.": words < _FEWEST_WORDS,
        }
        return next((reason for reason, applies in reasons.items() if applies), "")

    def _aligned(self, pictures: tuple[Shown, ...]) -> bool:
        shown = {one.figure for one in pictures}
        figures = [one for one in self.case.figures if one.id in shown and one.start is not None]
        captions = [self.case.document.text[one.start : one.end] for one in figures]
        return len(pictures) > 1 and len({kind for one in captions for kind in modalities_of(one)}) > 1

    def _audit(
        self, frame: _Frame, draft: _Draft, leaks: list[Leak], pictures: tuple[Shown, ...], words: Range
    ) -> Audit:
        shown = "".join([draft.text, *(f"\0{one.name}\0{one.sha256}" for one in pictures)])
        masking = 2 in LAYERS[frame.track]
        return Audit(
            "strict" if frame.strict else "paper",
            LAYERS[frame.track],
            "leak" if leaks else "clean",
            self.forms.aliases if masking else (),
            dict(sorted(draft.masked.items())),
            tuple(leaks),
            tuple(self._hints_left(draft)) if masking else (),
            self._removed(frame),
            round(words[1] / words[0], 4) if words[0] else 0.0,
            "ticked" if all(one.ticked for one in pictures) and pictures else "not read",
            self.diagnosis.nomenclature,
            self.diagnosis.state,
            sha256(shown.encode()).hexdigest(),
        )

    def _hints_left(self, draft: _Draft) -> Iterator[Hinted]:
        """Hints in the view, with short names of the diagnosis that the report does not define."""
        kinds = {one.text: one.kind for one in self.diagnosis.hints}
        places: dict[str, list[Range]] = {}
        starts = [source for _, source, _ in draft.pieces]
        for one in self.pointing:
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

        told = [(one.start, min(one.end, frame.end)) for one in self.case.told if one.start < frame.end]
        over = [(one, each) for each in told for one in _over(frame.masks, *each)]
        hidden = [(max(one.start, start), min(one.end, end)) for one, (start, end) in over]
        number = sum(starmap(words, told))
        return number, number - sum(starmap(words, hidden))


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
    blocks, masks, pieces = list[Block](), list[Range](), list[tuple[int, int, int]]()
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
        # Written out: `replace` takes three times as long.
        about = (block.what, block.section, block.floating)
        blocks.append(Block(block.name, block.kind, begin, length, *about))
    return _Draft("".join(parts), tuple(blocks), tuple(masks), masked, tuple(pieces))


def _source(pieces: Sequence[tuple[int, int, int]], at: int) -> int:
    place, source, length = pieces[max(0, bisect_right(pieces, at, key=lambda piece: piece[0]) - 1)]
    return source + max(0, min(at - place, length))


def refused_view(track: Track, profile: Profile, reason: str) -> View:
    """A view that cannot be cut, with an audit of nothing."""
    empty = sha256(b"").hexdigest()
    audit = Audit(profile, LAYERS[track], "clean", (), {}, (), (), (), 0.0, "not read", "", "", empty)
    return View(track, profile, reason, "", (), (), "", (), None, audit)
