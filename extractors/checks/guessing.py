"""Names that neither a title nor a form marks: words with capitals that are nothing else in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from extractors.checks.naming import CAPITAL, CAPITALS, PARTICLE, RELATIVE

# First and family name, also the other way round as letters and forms have them.
_PAIR = re.compile(
    rf"(?<![\w.'’/-])(?:{CAPITAL}(?: (?:{PARTICLE} ){{0,2}}(?:[A-Z]\.? )?{CAPITAL}){{1,4}}|{CAPITAL} "
    rf"(?=[A-Z]{{4}}){CAPITALS}(?=\n| [a-z])|(?:(?m:^)|(?<=[:-] )|(?<=\bre )|(?<=\bPt ))(?:(?:{PARTICLE} )*"
    rf"(?:{CAPITAL}|{CAPITALS}), {CAPITAL}|{CAPITALS} {CAPITAL}|[A-Z]\. {CAPITAL}(?=,|\s*$)))(?![\w-])"
)
# A first name alone, by what is told of him who has it, or by who was told.
_ALONE = re.compile(
    rf"\b(?:told|asked|advised|informed|reassured|counsell?ed|phoned|rang|texted|met) (?P<it>{CAPITAL})"
    r"(?= (?:to|that|about|and|of|how|with|yesterday|today)\b|[.])"
)
_PLACED = re.compile(
    rf"\b(?:[Ww]ard:? (?P<it>{CAPITAL})|(?:at|outside) (?P<street>{CAPITAL} \d{{1,4}}[a-z]?)\b)"
)
_WHOSE = re.compile(
    rf"\b(?P<it>{CAPITAL})(?:(?<=['’]s)| and (?:his|her|their)) (?:parents|family|siblings|{RELATIVE})\b"
)
_DOES = re.compile(
    rf"(?:(?<=[a-z], )|\b(?:[Pp]t|meet|see|saw|reviewed) )(?P<it>{CAPITAL})"
    r"(?= \(DOB| (?:had|has|who|says|said|told|denie[ds]|feels|felt|lives|lived|attend(?:s|ed)|weigh(?:s|ed)|"
    r"and (?:his|her)|was (?:brought|seen|admitted|referred|discharged|accompanied|born)|today|again|in "
    r"(?:the|my))\b)"
)
# By what people alone do, or by who is spoken of.
_SUBJECT = re.compile(
    rf"(?<![\w.'’/-])(?P<it>{CAPITAL})(?= (?:t(?:old|ells|akes|ook|hinks|hought|ravel(?:s|l?ed))|"
    r"s(?:a(?:id|ys|w)|moke[sd]|leeps|lept|peaks|poke|uffer(?:s|ed))|denie[ds]|complain(?:s|ed)|c(?:ried|ame|"
    r"onsented)|fe(?:els|lt)|live[sd]|w(?:eigh(?:s|ed)|ent|ork(?:s|ed) (?:as|in|at)|oke|alk(?:s|ed)|anted)|"
    r"never|did well|a(?:greed|sked|te|ttend(?:s|ed))|eats|dr(?:inks|ank)|visit(?:s|ed)|refuse[sd]|died|"
    r"passed away|re(?:call(?:s|ed)|member(?:s|ed)|ceived)|noticed|underwent|presented (?:to|with)|"
    r"believe[sd]|vomited|fainted|g[eo]ts?|met|phoned|rang|has (?:two|three|four)|was (?:born|brought|(?:ex|"
    r"in)tubated|accompanied|started on|pale|well|admitted|referred|discharged|transferred|told|operated on|"
    r"hospitali[sz]ed|vaccinated|married|adopted)|ha[sd] been (?:on|well|healthy|unwell|admitted|told)|is "
    r"(?:now )?(?:attending|doing|an? (?:retired|\d)))\b)"
)
_SPOKEN_OF = re.compile(
    r"\b(?i:when|on examination|after discharge|at that time|the (?:child|boy|girl|infant|baby|lady),?|"
    r"little|young|"
    rf"photographs? of|(?:call(?:s|ed)?|named) (?:him|her)) \(?(?P<it>{CAPITAL})(?= [a-z]|[.,)])"
)
_TWINS = re.compile(
    rf"(?<![\w.'’/-])(?P<it>{CAPITAL} and {CAPITAL})(?= (?:are|were) (?:(?:mono|di)zygotic|identical|twins|"
    r"siblings|sisters|brothers|cousins|healthy))"
)
_WORD = re.compile(r"[^\W\d_][\w'’]*")
_SMALL = re.compile(r"(?<![\w.@-])[a-zß-ſ][\w'’]*+(?![@-]|\.\w)")
_ARTICLE = re.compile(r"\b(?:[Tt]he|[Aa]n?|der|die|das|(?:Department|Division) of) $")
# A line of a list of references, which names authors and journals: "2011;3:14-19".
_REFERENCE = re.compile(r"(?m)^.*\b(?:19|20)\d\d(?: [A-Z][a-z]{2}(?: \d+)?)?; ?\w+.*$")
# With two words or more behind it, all in capitals.
_CAPS = re.compile(
    rf"\b(?:M[RS]S?|DR|MISS|PROF|P(?:ATIENT|atient)|patient|NAME|[Pp]t)[.:]? (?P<it>{CAPITALS}(?: {CAPITALS}|"
    rf" [A-Z]\.){{1,3}})(?! [A-Z]{{2}})"
)
_PARTICLES = frozenset("de di da du del la le el al bin ben van von abu mc".split())
_BEGINS = frozenset("the he she his her it in on at we this they there an after a".split())
_FULL = 2
_GERMAN = frozenset({"und", "die"})  # all its nouns have capitals
# What medicine, places and houses have in common.
_THINGS = frozenset(
    "january february march april may june july august september october november december monday tuesday "
    "wednesday thursday friday saturday sunday new san santa saint south north east west eastern western "
    "central united saudi kong lanka rica rico angeles american european chinese british french german "
    "hospital university institute center centre clinic college school department ward unit medical medicine "
    "health public national international general regional royal ministry council committee board review "
    "institutional ethics ethical statement declaration author contributions availability data publisher "
    "note foundation fund project program programme plan association society organization organisation "
    "academy science sciences technology technologies company corporation pharmaceutical inc ltd co systems "
    "system street road avenue lane province city district county state region station kingdom states "
    "disease syndrome scale score index test status sign stage grade type class criteria classification "
    "carcinoma lymphoma sarcoma virus tomography angiography doppler imaging resonance magnetic computed "
    "color diagnosis history course medications medication discharge admission summary report case letter "
    "physical exam examination vital signs chief complaint complaints past present illness social family "
    "assessment allergies laboratory results findings follow procedure figure table emergency intensive care "
    "nursing surgery surgical internal consultant research key first second third human world original draft "
    "writing dear yours kind best regards sincerely the this her his our she he we it in on at of and for "
    "with all four because besides serum no nhs morbus klinikum universitas annual expert nature scientific "
    "supplementary material sclerosis given seine ihre although after before however here there both mini "
    "mental nervous coma drug administration symptoms symptom fever pain rash diarrhea nausea vomiting cough "
    "headache seizures swelling bleeding weight treatment therapy chemotherapy biopsy tumor lesion lesions "
    "blood pathology radiology nobody everybody parents english spanish italian portuguese arabic hindi "
    "turkish russian polish japanese korean caucasian hispanic latino asian african indian frau herr col lt "
    "sgt dr prof mme registrar specialty trainee fellow officer practitioner physician surgeon nurse manager "
    "director secretary referral fax email sample specimen slides message biologics besylate hydrochloride "
    "sodium potassium calcium citrate maleate "
    "tartrate succinate mesylate sulfate acetate fumarate biotech therapeutics diagnostics".split()
)


def guessed_names(text: str) -> Iterator[tuple[int, int]]:
    """Where such a name may stand: words are none that stand in small elsewhere in the text, are things, or
    come after an article."""
    small: AbstractSet[str] = set(_SMALL.findall(text))
    if _GERMAN <= small:
        return
    references = [line.span() for line in _REFERENCE.finditer(text)]
    for pattern in (_PAIR, _CAPS, _ALONE, _DOES, _SUBJECT, _SPOKEN_OF, _TWINS, _WHOSE, _PLACED):
        place = 0
        while match := pattern.search(text, place):
            start, place = match.span(match.lastgroup or 0)
            words = [one for one in _WORD.finditer(text, start, place) if one[0][0].isupper()]
            while len(words) > 1 and words[-1][0].lower() in _BEGINS:  # the next sentence
                place = words.pop().start() - 1
            said = [
                one[0].lower().removesuffix("'s")
                for one in words
                if len(one[0]) > 1 and one[0].lower() not in _PARTICLES
            ]
            known = [one in small or one in _THINGS for one in said]
            if len(known) > 1 and known[0] and not any(known[1:]) and said[0] not in _THINGS:
                place = words[1].start()  # how a sentence begins, or "Patient"
                continue
            if (
                any(known)
                and len(words) > _FULL
                and text.endswith((": ", "by "), 0, start)
                and not any(known[:2])
            ):
                place, known = words[1].end(), []  # what a form says first
            listed = any(first <= start < last for first, last in references)
            alone = pattern is _PAIR and len(words) < 2
            # "CRP (C-Reactive Protein)".
            letters = "".join(filter(str.isupper, text[start:place]))
            spelt = len(letters) > 1 and text.endswith((f"{letters} (", f"{letters}s ("), 0, start)
            known += [listed, alone, spelt]
            if not any(known) and not _ARTICLE.search(text, max(0, start - 15), start):
                yield start, place
