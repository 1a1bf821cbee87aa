"""Since when somebody has a finding, where the sentence about it says so."""

from __future__ import annotations

import re

from extractors.text.sentences import sentences

_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
_UNITS = {"day": "D", "week": "W", "month": "M", "year": "Y", "mo": "M", "yr": "Y"}
_BEGUN = r"(?:since|from|onset|beg[ai]n(?:ning)?|started|starting|developed|appeared|appearing)"
_AMOUNT = rf"(\d{{1,3}}|{'|'.join(_NUMBERS)})[\s-]*(day|week|month|year|mo|yr)s?"
# What began at an age, or is there since then; the age at which somebody comes to be seen is no onset.
_AGE = re.compile(
    rf"\b{_BEGUN}\b(?:\s+\w+){{0,3}}?\s+(?:(?:the\s+)?age\s+(?:of\s+)?{_AMOUNT}|{_AMOUNT}\s+(?:of\s+age|old))\b",
    re.IGNORECASE,
)
# "Starting at 3 years", "(onset 4 mo)": an age; "from 8 months" may be how long it lasts.
_SHORT = re.compile(
    rf"\b(?:onset(?:\s+of\s+\w+(?:\s+\w+)?)?(?:\s+(?:was|occurred))?(?:\s+at)?|(?:beg[ai]n(?:ning)?|start(?:ed|ing))\s+at)\s+{_AMOUNT}\b"
    r"(?!\s+(?:before|prior|ago|earlier|after|later|back|of\s+(?!age)))",
    re.IGNORECASE,
)
_BIRTH = re.compile(r"\b(?:since|from)\s+birth\b", re.IGNORECASE)


def onset_of(text: str, start: int, end: int) -> str:
    """Since when there is what stands at a place (code points), as ISO 8601 has it: "P3Y", from birth "P0D".

    "" where the sentence says nothing of it, or more than one thing.
    """
    line, after = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    lines = text[line : after if after >= 0 else len(text)]
    around = (place for place in sentences(lines) if place[0] <= start - line < place[1])
    low, high = next(around, (0, len(lines)))
    told = [
        *(
            (match, _as_iso(*filter(None, match.groups())))
            for pattern in (_AGE, _SHORT)
            for match in pattern.finditer(lines, low, high)
        ),
        *((match, "P0D") for match in _BIRTH.finditer(lines, low, high)),
    ]
    # Behind a comma it is said of something else.
    behind = lines[end - line : high]
    reach = min((at for sign in ",;:" if (at := behind.find(sign)) >= 0), default=len(behind))
    ages = {age for _, age in told}
    near = {age for match, age in told if match.start() - (end - line) < reach}
    return near.pop() if len(ages) == len(near) == 1 else ""


def _as_iso(amount: str, unit: str) -> str:
    number = int(amount) if amount.isdecimal() else _NUMBERS.index(amount.lower()) + 1
    return f"P{number}{_UNITS[unit.lower()]}"
