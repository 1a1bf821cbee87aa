"""Measured values outside their reference range as terms: the report's own range, else one of ours."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from extractors.assets import asset
from extractors.rules.reading import Reading
from extractors.text.cues import listed
from extractors.text.folding import fold_phrase

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.·]\d+)?"
# What may stand between a name and its value.
_LEADING = re.compile(
    r"(?:\s*\([A-Za-z][\w-]{0,9}\))?[\s,:=—–]*"
    r"(?:(?:serum|level|levels|count|concentration|value|was|were|is|of|at|to|only|as|low|high|elevated|raised"
    r"|increased|decreased|reduced|markedly|mildly|slightly|significantly|both)[\s,:=]+)*"
    rf"(?P<sign>[<>≥≤~]\s*)?(?P<value>{_NUMBER})(?!\s*(?:[-–]\s*\d|year|month|week|day|h\b|hour))",
    re.IGNORECASE,
)
_COUNT = (
    r"[x×*]?\s*10\s*\^?\s*[369³⁹⁶]\s*/?\s*(?:[µμu]?l|mm\s?[3³]|cells)?|/\s*[µμu]l|/\s*mm\s?[3³]"
    r"|cells\s*/\s*[µμu]l|/\s*cumm|k/[µμu]l"
)
# Of a blood pressure the first value is judged.
_UNIT = re.compile(
    rf"(?:/\d{{2,3}}(?=\s*mm))?\s*(?:(?P<count>{_COUNT})|(?P<unit>%|°\s?c|℃|/\s?min|[a-zµμ]+(?:/[a-z0-9²]+)?))",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"[^()\[\];.]{0,12}[(\[;,]\s*"
    r"(?:normal|reference|ref|range|rr|nr|nv|n|values?|limits?|interval|[:\s.,=])*"
    rf"(?:(?P<low>{_NUMBER})\s*(?:[-–—]|to)\s*(?P<high>{_NUMBER})"
    rf"|(?P<limit>[<>≤≥]|up to|below)\s*(?P<bound>{_NUMBER}))"
    r"(?![\d.]|\s*(?:st|nd|rd|th|centile|percentile))",
    re.IGNORECASE,
)
_ENZYMES = frozenset({"nmol/h", "nmol/min", "nmol/mg", "µmol/h", "μmol/h", "pmol/h", "pmol/min", "u/mg"})
_UNDER = frozenset({"<", "≤", "below", "less than", "under", "p<"})
_OVER = frozenset({">", "≥", "above", "over", "more than", "greater than"})
# "<3rd percentile", "below P3", "-2.5 SD", "3 SD below the mean", "z-score of -3"
_STANDING = re.compile(
    r"(?:(?P<limit><|≤|>|≥|below|under|above|over|less than|more than|greater than)\s*(?:the\s+)?)?"
    r"(?:p\s?(?=\d+\b)(?P<rank>\d+(?:\.\d+)?)\b|(?P<rank_>\d+(?:\.\d+)?)\s*(?:(?:st|nd|rd|th)?\s*(?:(?:per)?centile|%(?:\s?ile|tile))|(?:st|nd|rd|th)\))"
    r"|(?P<minus>[-−–])?\s*(?P<before>\d+(?:\.\d+)?)\s*(?:SDS?|standard deviations?)\b"
    r"(?!\s*(?:below|above|under|over))"
    r"|(?P<after>\d+(?:\.\d+)?)\s*(?:SDS?|standard deviations?)\s*(?P<side>below|above)"
    r"|(?:z[- ]?score|SDS)\s*(?:of|was|is|[:=])?\s*(?P<negative>[-−–])?\s*(?P<score>\d+(?:\.\d+)?))",
    re.IGNORECASE,
)
# Another finding begins: "stature, large head (OFC 3 SD above the mean)", but not "height, weight and OFC".
_ELSE = re.compile(
    r"[,;]\s*(?!\d|[a-z]*(?:weight|height|length|head|occip|which|below|above|under|over|less|more|about|at\b|and"
    r"|approx|corresp|equiv|with|bmi|ofc|hc\b|body|both|all|z[- ]|centile|percentile|sds))[a-z]",
    re.IGNORECASE,
)
# Another measure with a number of its own: "length 43 cm, HC 29 cm (-3.5 SD)", but not "(all < P3)".
_ANOTHER = re.compile(
    r"^\D{0,20}\d.*?\b(?:weight|height|length|head|OFC|HC)\D{0,20}\d(?!.*\b(?:both|all|each|respectively)\b)",
    re.IGNORECASE | re.DOTALL,
)
_NEAR = 70
# "Walked independently at the age of 3 years", "could not sit until 14 months", "sat 11/12"
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
_AGE = re.compile(
    r"(?:\s+(?:alone|independently|unaided|unsupported|unassisted|without|support|help|first|only|not|was|were|steps"
    r"|words?|with|achieved|attained|acquired|delayed|up|late|by|herself|himself|occurred|single))*,?[\s(:]+"
    r"(?:at|until|till|by|from|around|after)?\s*(?:the\s+|an\s+)?(?:age\s+of\s+|age\s+)?(?:about\s+|around\s+|~\s*)?"
    rf"(?P<age>\d{{1,2}}(?:\.\d)?|{'|'.join(_NUMBERS)})(?:/12\b(?!/)|[\s-]*(?P<unit>years?|yrs?|y|months?|mo|mos|m)\b)",
    re.IGNORECASE,
)
# "IQ of 45", "IQ (WISC) was 55", "total IQ: 48"; a range is judged by its lower end.
_QUOTIENT = re.compile(
    r"(?:\s*\([^()]{1,30}\))?(?:\s+(?:score|test|testing|level|was|is|of|at|about|around|approx\w*|estimated"
    r"|to|be|total|a))*\s*[:=,(]?\s*"
    r"(?P<sign>[<>≥≤~]|below|under|above|over|less than)?\s*(?P<value>\d{2,3})\b"
    r"(?!\s*(?:[.,]\d|%|years?|months?|th\b))",
    re.IGNORECASE,
)
# "Born to a 30-year-old mother by caesarean section at 33+4 weeks"
_WEEKS = re.compile(
    r"(?:\s+[\w-]+){0,9}?\s+(?:at|in|after)\s+(?:about\s+|the\s+)?(?P<weeks>2\d|3\d|4[0-4])(?:\s*[+/.]\s*\d)?(?:th|st|nd|rd)?"
    r"[\s-]*(?:weeks?|wks?)\b",
    re.IGNORECASE,
)
# "CK 20 times the upper limit of normal", "transaminases three-fold the normal value"
_TIMES = re.compile(
    rf"(?:\s+(?:levels?|was|were|is|at|to|about|over|more|than|up|rose|reached|elevated|raised|increased))*\s+"
    rf"(?:\d{{1,3}}(?:\.\d)?|{'|'.join(_NUMBERS)})\s*(?:-?\s*(?:times|fold)|[x×])\s+(?:the\s+)?"
    r"(?:upper\s+(?:normal\s+)?limit(?:\s+of\s+normal)?|ULN|normal\b)",
    re.IGNORECASE,
)
# A value of these is none of the blood, which most tests are of.
_FLUIDS = frozenset("urine urinary csf liquor fluid".split())
_LOST = re.compile(r"\b(?:lost|los[es]|stop|ceas|depend|difficult|deteriorat)", re.IGNORECASE)
_MONTHS, _YEAR, _CHILDHOOD = "months", 12, 120
_GESTATION = "weeks"
_LOW_RANK, _HIGH_RANK, _DEVIATIONS = 3.0, 97.0, 2.0
# The bounds of a value without a unit, and of one that is counted.
_BARE, _COUNTED = "none", "count"
_MICRO = str.maketrans({"μ": "µ", "u": "µ"})
_THOUSANDS = 1000.0
_FROM_CELLS = 250.0


@dataclass(frozen=True, slots=True)
class Test:
    """What is measured: the codes of a low and a high value ("" for none), and bounds by unit; or the codes
    of values by the least of each, rising."""

    low: str
    high: str
    units: Mapping[str, tuple[float, float]]
    bands: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outside:
    """A value beyond its range at characters `start` to `end` (name included), and the code it stands for."""

    code: str
    start: int
    end: int


@dataclass(slots=True)
class Tests:
    """Tests by the folded words of their names, these under the first word."""

    names: dict[str, list[tuple[tuple[str, ...], Test]]] = field(default_factory=dict)

    def begun(self, reading: Reading) -> list[int]:
        """The tokens at which the name of a test may begin."""
        return [at for at, word in enumerate(reading.words) if word in self.names]

    def outside(self, reading: Reading, tokens: Sequence[int], first: int, last: int) -> Iterator[Outside]:
        """The values in a sentence (tokens `first` to `last`, exclusive) that are outside their range; the
        names of tests may begin at `tokens` of it."""
        covered = first
        for at in tokens:
            for words, test in self.names[reading.words[at]]:
                end = at + len(words)
                if at >= covered and end <= last and tuple(reading.words[at:end]) == words:
                    covered = end
                    if at > first and reading.words[at - 1] in _FLUIDS:
                        break
                    stop = reading.ends[last - 1]
                    judge = (
                        _banded
                        if test.bands
                        else _grown
                        if not test.units
                        else _late
                        if _MONTHS in test.units
                        else _early
                        if _GESTATION in test.units
                        else _judged
                    )
                    found = judge(reading.text, reading.ends[end - 1], stop, test)
                    if found is not None:
                        yield Outside(found[0], reading.starts[at], found[1])
                    break


@lru_cache(maxsize=1)
def load_tests() -> Tests:
    """The tests of resources/terminology/tests.toml, read once."""
    tests = Tests()
    table = tomllib.loads(asset("resources", "terminology", "tests.toml").read_text(encoding="utf-8"))
    for told in table.values():
        units = {unit: (float(low), float(high)) for unit, (low, high) in told.get("units", {}).items()}
        test = Test(told.get("low", ""), told.get("high", ""), units, told.get("bands", {}))
        for name in listed(told, "names") if "," in told["names"] else [told["names"]]:
            words = tuple(fold_phrase(name).split())
            tests.names.setdefault(words[0], []).append((words, test))
    for same in tests.names.values():
        same.sort(key=lambda one: -len(one[0]))
    return tests


def _judged(text: str, start: int, stop: int, test: Test) -> tuple[str, int] | None:
    """The code of the value that follows a name, and where the value ends; None where it is within."""
    if test.high and (times := _TIMES.match(text, start, stop)):
        return test.high, times.end()
    told = _LEADING.match(text, start, stop)
    if told is None:
        return None
    value, end = _number(told["value"]), told.end()
    unit = _UNIT.match(text, end, stop)
    if unit and (unit["unit"] or "").lower() in _ENZYMES and _COUNTED in test.units:
        return None  # "the enzyme's activity in leukocytes was 0.9 nmol/h/mg (normal 32-60)"
    bounds = _own_range(text, unit.end() if unit else end, stop)
    if bounds is None:
        name = _unit_name(unit)
        bounds = test.units.get(name) or test.units.get(name.translate(_MICRO))
        if bounds is not None and unit is not None:
            end = unit.end()
        bounds = bounds or test.units.get(_BARE)
        if bounds is None:
            return None
        if name == _COUNTED and value > _FROM_CELLS * bounds[0]:
            value /= _THOUSANDS
    code = test.low if value < bounds[0] else test.high if value > bounds[1] else ""
    return (code, end) if code else None


def _unit_name(unit: re.Match[str] | None) -> str:
    if unit is None:
        return _BARE
    return _COUNTED if unit["count"] else (unit["unit"] or "").lower().replace(" ", "")


def _late(text: str, start: int, stop: int, test: Test) -> tuple[str, int] | None:
    """The code of a milestone whose age is given, where that is late, and where the age ends."""
    told = _AGE.match(text, start, stop)
    before = text[max(0, start - _NEAR // 2) : start].rpartition(". ")[2]
    if told is None or _LOST.search(before):
        return None
    words = told["age"].lower()
    months = float(words) if words[0].isdigit() else float(_NUMBERS.index(words) + 1)
    months *= _YEAR if (told["unit"] or "m")[0] in "yY" else 1
    return (test.high, told.end()) if test.units[_MONTHS][1] < months <= _CHILDHOOD else None


def _early(text: str, start: int, stop: int, test: Test) -> tuple[str, int] | None:
    """The code of a birth before its time, and where the weeks end."""
    told = _WEEKS.match(text, start, stop)
    return (test.low, told.end()) if told and int(told["weeks"]) < test.units[_GESTATION][0] else None


def _banded(text: str, start: int, stop: int, test: Test) -> tuple[str, int] | None:
    """The code of the band that a value is in, and where the value ends; of all values below one, the code
    of the lowest band or that of any low value."""
    told = _QUOTIENT.match(text, start, stop)
    sign = (told["sign"] or "").lower() if told else ""
    if told is None or sign in _OVER:
        return None
    bands = sorted((least, code) for code, least in test.bands.items())
    code = max(band for band in bands if band[0] <= int(told["value"]))[1]
    if sign in _UNDER:
        code = bands[0][1] if int(told["value"]) <= bands[1][0] else test.low if code else ""
    return (code, told.end()) if code else None


def _grown(text: str, start: int, stop: int, test: Test) -> tuple[str, int] | None:
    """The code of a measure that is given as a percentile or in standard deviations, and where that ends."""
    told = _STANDING.search(text, start, min(stop, start + _NEAR))
    between = text[start : told.start()] if told else ""
    if told is None or _ELSE.search(between) or _ANOTHER.search(between):
        return None
    ranked = told["rank"] or told["rank_"]
    if ranked:
        rank, sign = float(ranked), (told["limit"] or "").strip().lower()
        low = rank < _LOW_RANK or (rank <= _LOW_RANK and sign in _UNDER)
        high = rank > _HIGH_RANK or (rank >= _HIGH_RANK and sign in _OVER)
    else:
        far = float(told["before"] or told["score"] or told["after"]) >= _DEVIATIONS
        below = bool(told["minus"] or told["negative"]) or (told["side"] or "").lower() == "below"
        low, high = far and below, far and not below
    code = test.low if low else test.high if high else ""
    return (code, told.end()) if code else None


def _own_range(text: str, start: int, stop: int) -> tuple[float, float] | None:
    """The range that the report gives behind a value: (normal 12-16), (<50), [ref: 3.5 to 5]."""
    told = _RANGE.match(text, start, stop)
    if told is None:
        return None
    if told["bound"]:
        bound = _number(told["bound"])
        return (bound, float("inf")) if told["limit"] in (">", "≥") else (float("-inf"), bound)
    return _number(told["low"]), _number(told["high"])


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("·", "."))
