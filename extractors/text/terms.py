"""Terms: what is left of tokens once values, units, limits and word forms are brought to one spelling."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from extractors.text.cues import LOOKALIKES, is_name
from extractors.text.tokens import NUMBER, WORD, Tokens
from extractors.text.words import ESSENTIAL, Kind, Words

_POWER = re.compile(r"10([3-9]|1[0-2])")
_TIMES = frozenset("x×*·∙")
_ABBREVIATIONS = frozenset({"dr", "mr", "mrs", "vs", "fig", "approx"})
SENTENCE, CLAUSE, BRACKET = 3, 2, 1
_BREAKS = dict.fromkeys(".!?;", SENTENCE) | dict.fromkeys(",:", CLAUSE) | dict.fromkeys("()[]", BRACKET)


@dataclass(slots=True)
class Terms:
    """Terms as parallel lists: canonical form, kind, first and last token, and the break that stands before.

    `breaks` is SENTENCE where a sentence ends before the term, CLAUSE after a comma or colon, BRACKET at one,
    otherwise 0. `words` holds the normalised spelling, for scores.
    """

    tokens: Tokens
    forms: list[str] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    lasts: list[int] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.forms)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Code points of the text from the first term to the last, both included."""
        return self.tokens.starts[self.firsts[first]], self.tokens.ends[self.lasts[last]]


@dataclass(slots=True)
class _Reading:
    """The state of one pass over tokens."""

    tokens: Tokens
    words: Words
    terms: Terms
    at: int = 0
    pending: int = 0

    def norm(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens.norms[place] if 0 <= place < len(self.tokens.norms) else ""

    def kind(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens.kinds[place] if 0 <= place < len(self.tokens.kinds) else ""

    def touches(self, ahead: int = 0) -> bool:
        """Whether the token stands right behind the one before it, without white space."""
        place = self.at + ahead
        return (
            0 < place < len(self.tokens.starts) and self.tokens.starts[place] == self.tokens.ends[place - 1]
        )

    def add(self, form: str, kind: Kind, count: int = 1) -> None:
        terms = self.terms
        terms.forms.append(form)
        terms.kinds.append(kind)
        terms.firsts.append(self.at)
        terms.lasts.append(self.at + count - 1)
        terms.breaks.append(self.pending)
        norms = self.tokens.norms
        terms.words.append(norms[self.at] if count == 1 else " ".join(norms[self.at : self.at + count]))
        self.pending = 0
        self.at += count


def value(digits: str) -> str:
    """A number's spelling by value: 1,200 and 1200, 0.50 and 0.5 are the same."""
    whole, _, part = digits.replace(",", "").replace("·", ".").partition(".")
    part = part.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{part}" if part else "")


def _power(read: _Reading) -> int:
    """How many tokens from here say a power of ten (10^9, 10 9 /L, 109/L, × 109), 0 for none."""
    follows_number = bool(read.terms.kinds) and read.terms.kinds[-1] == Kind.NUMBER
    times = read.norm(-1) in _TIMES and read.kind(-2) == NUMBER
    if read.norm() == "10":
        step = 1
        while read.norm(step) in ("^", "*", "e", "(") and step < 3:
            step += 1
        exponent = read.norm(step)
        raised = step > 1 or read.kind(1) == WORD or (times and read.norm(step + 1) == "/")
        return (
            step + 1
            if exponent.isdigit() and len(exponent) <= 2 and raised and (times or step > 1 or follows_number)
            else 0
        )
    return 1 if _POWER.fullmatch(read.norm()) and (times or (follows_number and read.norm(1) == "/")) else 0


def _negative(read: _Reading) -> bool:
    """Whether a minus sign stands right before the number here, not a dash between two things."""
    if (
        read.norm(-1) != "-"
        or not read.touches()
        or (read.norm(-2) == "^" and read.norm(-3) in read.words.units)
    ):
        return False  # "min^-1" is also written "min-1"
    return (read.kind(-2) not in (WORD, NUMBER) and read.norm(-2) != "%") or not read.touches(-1)


def _number(read: _Reading) -> None:
    count = _power(read)
    if count:
        digits = read.norm(count - 1)
        exponent = digits if count > 1 else digits[2:]
        read.add(f"#e{exponent}", Kind.NUMBER, count)
    else:
        sign = "-" if _negative(read) else ""
        read.add(f"#{sign}{value(read.norm())}", Kind.NUMBER)
    _unit(read)


def _unit_name(read: _Reading, ahead: int) -> tuple[str, int]:
    """The unit that begins at a token ahead, and how many tokens it takes."""
    for count in (3, 2, 1):
        parts = [read.norm(ahead + i) for i in range(count)]
        if not parts[-1]:
            continue  # the text ends before
        joined = parts[0] == "°" or all(read.touches(ahead + i) for i in range(1, count))
        joint = "".join(parts) if joined else " ".join(parts)
        for spelling in (joint, joint.removesuffix("s")):
            unit = read.words.units.get(spelling)
            if unit:
                return unit, count
    return "", 0


def _unit(read: _Reading) -> None:
    """Take the unit that follows a number, composed ones as one term: mg/dL, beats per minute, /L."""
    start = 0
    while read.norm(start) in ("-", "(") and start < 1:
        start += 1
    unit, count = _unit_name(read, start)
    if not unit and read.norm() not in ("/", "per"):
        return
    ahead, names = start + count, [unit]
    while read.norm(ahead) in ("/", "per") and len(names) < 4:
        unit, count = _unit_name(read, ahead + 1)
        if not unit:
            break
        names.append(unit)
        ahead += 1 + count
    if not any(names):
        return
    if names[0] in ("beat", "breath") and len(names) <= 2:
        names = ["", "min"]
    read.add("u:" + "/".join(names), Kind.UNIT, ahead)


def _sign(read: _Reading) -> None:
    norm = read.norm()
    if norm == "+" and read.kind(1) != NUMBER and read.norm(1) != "/":
        read.add("@result:positive", Kind.CONTRAST)
    elif norm == "-" and read.norm(-1) == "(" and read.norm(1) == ")":
        read.add("@result:negative", Kind.CONTRAST)
    elif norm == "+" and (read.norm(1), read.norm(2)) == ("/", "-"):
        read.at += 3  # says as little by itself as ±
    elif not _phrase(read):
        inside = norm == "." and read.touches(1)
        if not inside and not (norm == "." and read.norm(-1) in _ABBREVIATIONS):
            read.pending = max(read.pending, _BREAKS.get(norm, 0))
        read.at += 1


def _phrase(read: _Reading) -> bool:
    for parts, form, kind in read.words.phrases.get(read.norm(), ()):
        if all(read.norm(i) == part for i, part in enumerate(parts)):
            read.add(form, kind, len(parts))
            return True
    return False


def _word(read: _Reading) -> None:
    norm = read.norm()
    if norm.isdigit():
        return _number(read)
    if norm in read.words.numbers:
        read.add(f"#{read.words.numbers[norm]}", Kind.NUMBER)
        return _unit(read)
    if norm in _TIMES and read.kind(-1) == NUMBER:
        read.at += 1
        return None
    if norm in read.words.bare and read.kind(1) == NUMBER:
        return read.add(read.words.bare[norm], Kind.COMPARATOR)
    if _phrase(read):
        return None
    if norm in LOOKALIKES and is_name(read.tokens.text, read.tokens.starts[read.at], norm):
        return read.add(norm, Kind.CONTENT)
    form, kind = read.words.canonical(norm)
    if kind == Kind.CONTENT and norm.startswith("non") and len(norm) > 7:
        read.add("@no", Kind.NEGATION)
        read.at -= 1
        form, kind = read.words.canonical(norm[3:])
    read.add(form, kind)
    return None


def read_terms(tokens: Tokens, words: Words) -> Terms:
    """The terms of a tokenised text, in order."""
    terms = Terms(tokens)
    read = _Reading(tokens, words, terms)
    handlers: dict[str, Callable[[_Reading], None]] = {WORD: _word, NUMBER: _number}
    total = len(tokens.norms)
    line_ends = tokens.text.count("\n")
    while read.at < total:
        if line_ends and read.at and "\n" in tokens.text[tokens.ends[read.at - 1] : tokens.starts[read.at]]:
            read.pending = SENTENCE
        handlers.get(tokens.kinds[read.at], _sign)(read)
    return terms


def essential(terms: Terms, low: int = 0, high: int | None = None) -> list[int]:
    """The terms that carry meaning, from `low` up to before `high`."""
    return [i for i in range(low, len(terms) if high is None else high) if terms.kinds[i] in ESSENTIAL]


def parted(terms: Terms, low: int, high: int, least: int = BRACKET) -> bool:
    """Whether a bracket, a comma, a sentence end or "and" stands between two terms."""
    return max(terms.breaks[low + 1 : high + 1], default=0) >= least or "and" in terms.words[low + 1 : high]


def names(terms: Terms, place: int) -> bool:
    """Whether a term names something, other than an abbreviation alone in brackets behind its name."""
    if terms.kinds[place] not in (Kind.CONTENT, Kind.CONTRAST):
        return False
    return not (terms.breaks[place] == BRACKET and place + 1 < len(terms) and terms.breaks[place + 1])


def group(form: str) -> str:
    """The contrast that a canonical form belongs to: "@laterality" of "@laterality:left"."""
    return form.partition(":")[0]
