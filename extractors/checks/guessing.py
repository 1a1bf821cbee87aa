"""Names that neither a title nor a form marks: words with capitals that are nothing else in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from extractors.checks.identifying import CAPITAL, CAPITALS, PARTICLE

# First and family name, also the other way round as letters and forms have them.
_PAIR = re.compile(
    rf"(?<![\w.'’/-])(?:{CAPITAL}(?: (?:{PARTICLE} ){{0,2}}(?:[A-Z]\.? )?{CAPITAL}){{1,2}}|"
    rf"{CAPITAL} (?=[A-Z]{{4}}){CAPITALS}(?=\n| [a-z])|(?:(?m:^)|(?<=[:-] )|(?<=\bre )|(?<=\bPt ))(?:"
    rf"(?:{PARTICLE} )*(?:{CAPITAL}|{CAPITALS}), {CAPITAL}|{CAPITALS} {CAPITAL}|"
    rf"[A-Z]\. {CAPITAL}(?=,|\s*$)))(?![\w-])"
)
# A first name alone, by what is told of him who has it, or by who was told.
_ALONE = re.compile(
    rf"\b(?:told|asked|advised|informed|reassured|counsell?ed|phoned|rang|texted|met) (?P<it>{CAPITAL})"
    r"(?= (?:to|that|about|and|of|how|with|yesterday|today)\b|[.])"
)
_DOES = re.compile(
    rf"(?:(?<=[a-z], )|\b(?:[Pp]t|meet|see|saw|reviewed) )(?P<it>{CAPITAL})"
    r"(?= \(DOB| (?:had|has|who|says|said|told|denie[ds]|feels|felt|lives|lived|attend(?:s|ed)|weigh(?:s|ed)|"
    r"and (?:his|her)|was (?:brought|seen|admitted|referred|discharged|accompanied|born)|today|again|"
    r"in (?:the|my))\b)"
)
_WORD = re.compile(r"[^\W\d_][\w'’]*")
_SMALL = re.compile(r"(?<![\w.@-])[a-zß-ſ][\w'’]*+(?![@-]|\.\w)")
_ARTICLE = re.compile(r"\b(?:[Tt]he|[Aa]n?|der|die|das) $")
# A line of a list of references, which names authors and journals: "2011;3:14-19".
_REFERENCE = re.compile(r"(?m)^.*\b(?:19|20)\d\d(?: [A-Z][a-z]{2}(?: \d+)?)?; ?\w+.*$")
_GERMAN = frozenset({"und", "die"})  # all its nouns have capitals
# What medicine, places and houses have in common.
_THINGS = frozenset(
    "january february march april may june july august september october november december monday tuesday "
    "wednesday thursday friday saturday sunday new san santa saint south north east west eastern western "
    "central united saudi los las hong sri costa puerto american european chinese british french german "
    "hospital university institute center centre clinic college school department ward unit medical "
    "medicine health public national international general regional royal ministry council committee "
    "board review institutional ethics ethical statement declaration author contributions availability "
    "data publisher note foundation fund project program programme plan association society organization "
    "organisation academy science sciences technology technologies company corporation pharmaceutical inc "
    "ltd co systems system street road avenue lane province city district county state region station "
    "kingdom states disease syndrome scale score index test status sign stage grade type class criteria "
    "classification carcinoma lymphoma sarcoma virus tomography angiography doppler imaging resonance "
    "magnetic computed color diagnosis history course medications medication discharge admission summary "
    "report case letter physical exam examination vital signs chief complaint complaints past present "
    "illness social family assessment allergies laboratory results findings follow procedure figure table "
    "emergency intensive care nursing surgery surgical internal consultant research key first second "
    "third human world original draft writing dear yours kind best regards sincerely the this her his our "
    "she he we it in on at of and for with all four because besides serum no nhs morbus klinikum "
    "universitas annual expert nature scientific supplementary material sclerosis given seine ihre "
    "although after before however here there both mini mental nervous coma drug administration".split()
)


def guessed_names(text: str) -> Iterator[tuple[int, int]]:
    """Where such a name may stand: words are none that stand in small elsewhere in the text, are things, or
    come after an article."""
    small: AbstractSet[str] = set(_SMALL.findall(text))
    if _GERMAN <= small:
        return
    references = [line.span() for line in _REFERENCE.finditer(text)]
    for pattern in (_PAIR, _ALONE, _DOES):
        for match in pattern.finditer(text):
            start, end = match.span("it" if "it" in pattern.groupindex else 0)
            words = [word.lower() for word in _WORD.findall(text[start:end]) if word[0].isupper()]
            known = any(len(word) > 1 and (word in small or word in _THINGS) for word in words)
            listed = any(first <= start < last for first, last in references)
            if not (known or listed) and not _ARTICLE.search(text, max(0, start - 5), start):
                yield start, end
