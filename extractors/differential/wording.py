"""Names of diseases in one wording: spelling, order of words and type numbers told alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from extractors.text.folding import fold_phrase

Words = tuple[str, ...]

_CODE = re.compile(r"\b(O?MIM|ORPHA(?:NET)?|ORDO|DECIPHER)[:#_ ]*(\d{1,6})\b", re.IGNORECASE)
_ASIDE = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
_KIND = re.compile(r"\s+(?:syndrome|disease)$", re.IGNORECASE)
_NAMED = re.compile(r"^\S+ (?:.* )?(?:syndrome|disease)$", re.IGNORECASE)
# "(Zellweger)", "(Alpers type)": an eponym.
_EPONYM = re.compile(r"^([A-Z][a-z]+(?:(?:-| and )[A-Z][a-z]+)*)(?: type)?$")
# What stands between two names of the same disease, or before what caused it.
_PARTS = re.compile(
    r"\s*(?:;|=|\ba(?:ka\b|\.k\.a\.)|\balso (?:known as|called)\b"
    r"|\s/\s(?!type|form|(?:[IVX]+|\d+[A-Z]?)\b)|(?-i:(?<=[A-Z]{3})/(?=[A-Z]{3})))\s*",
    re.IGNORECASE,
)
# "due to PTPN11", "due to SURF1 deficiency", "due to a heterozygous TP53 variant"
_DUE_TO_GENE = r"\s+(?:due to|caused by)\s+[A-Z][A-Z0-9]{2,}"
_BY_GENE = re.compile(rf"{_DUE_TO_GENE}$")
_BY_DEFICIENCY = re.compile(rf"{_DUE_TO_GENE} deficiency$")
_CAUSE = re.compile(
    r"\s+(?:due to|caused by|from|with)\s+(?:an?\s+)?[\w/-]+\s+(?:gene\s+)?(?:mutation|variant)s?\b.*$",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"^(?:(?:suspected|probable|possible|likely)\s+)+", re.IGNORECASE)
_GENE = re.compile(r"^[A-Z][A-Z0-9]+[ -](?:related|associated)\s+")
_WITHIN = re.compile(r"(?:\bdue to |^)([^,]+ deficiency)(?:$|, ?autosomal.*$|, .* due to$)")
_NUMBERED = re.compile(r"^(.+ (?:\d+[A-Za-z]?|[IVX]+[a-z]?)),? (?=[a-zA-Z])")
_PERHAPS = re.compile(r"^(.+ (?:\d+[A-Z]?|[IVX]+)\b.*?),? with or without ")
_DEFICIENT = re.compile(r"\bdue to (.+ deficiency)$", re.IGNORECASE)
_EMPTY = frozenset(
    "type subtype form group complementation syndrome syndrom disease disorder morbus "
    "the of and with due to in caused by".split()
    # "Maladie de Fabry", "Gaucher-Krankheit": an eponym is the same in many languages.
    + "maladie krankheit enfermedad malattia doenca ziekte choroba sindrome sindromul de di du von".split()
)
_INHERITED = frozenset(
    "autosomal dominant recessive linked x familial hereditary inherited congenital primary isolated "
    "somatic mosaic digenic".split()
)
_FAMILIAL = frozenset("familial hereditary inherited".split())
_ADDED = _FAMILIAL | {"congenital", "primary", "isolated"}
_WAYS = frozenset("dominant recessive digenic somatic".split())
# What parts families of one disease from each other, beside the way of inheritance.
_PARTING = _WAYS | frozenset("autosomal linked childhood juvenile".split())
# "Infantile-onset Pompe disease", "Infantile Pompe disease"
_AGES = frozenset("infantile childhood juvenile adult early late neonatal".split())
_ONSET = re.compile(
    rf"^(?:(?:{'|'.join(sorted(_AGES))})[- ]onset|infantile|juvenile|adult)\s+", re.IGNORECASE
)
_ROMAN = {
    word: str(number)
    for number, word in enumerate(
        "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii".split(), 1
    )
}
_SAID = {word: str(number) for number, word in enumerate("one two three four five six".split(), 1)}
_WORD = re.compile(r"[^\W_]+")
# "BOR syndrome", "MOPD II", "CILD1"
_SHORT = re.compile(r"[A-Z]{3,7}-?[0-9]*[A-Za-z]?(?: (?:syndrome|disease|type))*(?: [0-9IVX]+[A-Za-z]?)?")
# A letter may stand for a part within a word behind so many letters and before more.
_PART = 3
_NUMBER = re.compile(r"^(\d+)([a-z]?\d?)$|^([ivx]+)([a-h]?\d?)$")
# "type In", "IIq" are types of glycosylation's disorders; "in" is a word elsewhere.
_LATE_LETTER = re.compile(r"^(i+)([i-z])$")
_LETTERS_TYPE = re.compile(r"(.*?)((?:I{1,3}|IV|VI{0,3}|IX)[A-Ha-z]?)")
_NOT_TEN = ("", "fragile", "monosomy", "disomy", "trisomy", "tetrasomy", "pentasomy", "chromosome", "45")
_SUBTYPE = re.compile(r"^(\d+)[a-z]\d?$|^([a-z])\d$|^(\d+[a-z])\d[a-z]$")
_POSSESSIVE = re.compile(r"['’`´]s\b")
_COENZYME = re.compile(r"coenzyme[ -]A\b", re.IGNORECASE)
_GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta"}
# Phrases and words that mean the same in names of diseases; they stand for each other where one disease alone
# is meant.
_PHRASES = {
    "impaired intellectual development": "intellectual disability",
    "intellectual developmental disorder": "intellectual disability",
    "early infantile epileptic encephalopathy": "developmental and epileptic encephalopathy",
    "epileptic encephalopathy early infantile": "developmental and epileptic encephalopathy",
    "hearing loss": "deafness",
    "hearing impairment": "deafness",
    "oral facial digital": "orofaciodigital",
    "sex linked": "x linked",
    "charcot marie tooth neuropathy": "charcot marie tooth",
    "glycogenosis": "glycogen storage",
}
_PHRASE = re.compile(rf"\b(?:{'|'.join(_PHRASES)})\b")
_EQUAL = {
    "aciduria": "acidemia",
    "academia": "acidemia",
    "retardation": "disability",
    "mental": "intellectual",
    "handicap": "disability",
    "hemorrhagica": "hemorrhagic",
    "kidney": "renal",
    "deficit": "deficiency",
    "childhood": "juvenile",
    "classical": "classic",
    "microdeletion": "deletion",
    "monosomy": "deletion",
    "microduplication": "duplication",
    "del": "deletion",
    "difference": "disorder",
    "chromosome": "",
    "complex": "",
    "spectrum": "",
    "variant": "",
    "dystrophia": "dystrophy",
    "myotonica": "myotonic",
    "myoclonus": "myoclonic",
    "dwarfism": "dysplasia",
    "anhidrotic": "hypohidrotic",
    "synthetase": "synthase",
    "defect": "deficiency",
    "neurosensory": "sensorineural",
    "neuronopathy": "neuropathy",
    "paraparesis": "paraplegia",
    "variegata": "variegate",
    **dict.fromkeys(("myelogenous", "myelocytic", "granulocytic"), "myeloid"),
}
# Said of some types and left out as often, as their number tells them.
_WEAK = frozenset("axonal demyelinating nonsyndromic".split())


def codes_in(text: str) -> list[str]:
    """The codes of diseases that a text says, as the index spells them."""
    return [_spelt(source, number) for source, number in _CODE.findall(text)]


def _spelt(source: str, number: str) -> str:
    kind = source.upper()
    return f"{'OMIM' if kind.endswith('MIM') else 'DECIPHER' if kind == 'DECIPHER' else 'ORPHA'}:{number}"


def forms_of(text: str) -> list[str]:
    """A name as it stands, then by its parts: without what is in brackets and what is there, what "also known
    as" parts, without what caused it. A type in brackets is part of the name."""
    plain = _UNSURE.sub("", _CODE.sub("", text)) or text
    outer = plain
    inner = []
    for aside in _ASIDE.findall(plain):
        if not _tells_type(aside):
            outer = re.sub(rf"\s*[(\[]{re.escape(aside)}[)\]]", "", outer)
            inner.append(aside)
    parts = [part for form in (outer, *inner) for part in _PARTS.split(form)]
    parts += [match[1] for match in (_DEFICIENT.search(outer),) if match]
    parts.append(_BY_DEFICIENCY.sub("", outer))
    found = [
        text,
        plain,
        _GENE.sub("", plain),
        _BY_GENE.sub("", _CAUSE.sub("", plain)),
        outer,
        *(_CAUSE.sub("", part) for part in (outer, *parts)),
    ]
    return list(dict.fromkeys(form.strip(" ,;:") for form in found if form.strip(" ,;:")))


def named_beside(name: str) -> list[str]:
    """Other names that a disease's own has in brackets: "(Dravet syndrome)", "(Zellweger)"."""
    asides = _ASIDE.findall(name)
    eponyms = (f"{found[1]} syndrome" for found in map(_EPONYM.search, asides) if found)
    return [*filter(_NAMED.search, asides), *eponyms]


def named_within(name: str) -> list[str]:
    """What tells a disease within its own name, where nothing else is called so: the cause ("... due to X
    deficiency"), and what stands up to the number of a type ("Bartter syndrome, type 1, antenatal") or with
    it before "with or without"."""
    told = (_WITHIN.search(name), _NUMBERED.search(name), _PERHAPS.search(name))
    return [match[1] for match in told if match]


def without_onset(text: str) -> str:
    """A name without the age of onset before it; "" where it has none."""
    plain = _ONSET.sub("", text)
    return plain if plain != text else ""


def tells_age(words: Words) -> bool:
    """Whether a name says at what age the disease begins."""
    return not _AGES.isdisjoint(words)


def _tells_type(aside: str) -> bool:
    words = [word for word in words_in(aside) if word not in _EMPTY]
    return bool(words) and all(is_type(word) for word in words)


def is_type(word: str) -> bool:
    """Whether a word is the number or letter of a type."""
    return len(word) == 1 or word[0].isdigit()


@lru_cache(maxsize=65536)
def words_in(name: str, *, folded: bool = True) -> Words:
    """The words in order, in one spelling; type numbers in Arabic, with their letter ("IIa", "2 A": "2a").

    Not `folded`, letters are left as they are: in "diseae" the "ae" is a slip.
    """
    plain = _COENZYME.sub("CoA", _POSSESSIVE.sub("", name if name.isascii() else _unaccented(name)))
    written = fold_phrase(plain).split() if folded else _WORD.findall(plain.lower())
    found: list[str] = []
    for place, word in enumerate(written):
        before = written[place - 1] if place else ""
        after = written[place + 1] if place + 1 < len(written) else ""
        found.append(_arabic(word, before, after))
    joined: list[str] = []
    for word in found:
        if joined and joined[-1].isdigit() and len(word) == 1 and word in "abcdefgh":
            joined[-1] += word
        else:
            joined.append(word)
    return tuple(joined)


def _unaccented(name: str) -> str:
    plain = "".join(_GREEK.get(sign, sign) for sign in unicodedata.normalize("NFKD", name))
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def _arabic(word: str, before: str, after: str) -> str:
    """One number for "IIa" and "2a"; "x" is no ten in "X-linked" and "fragile X"."""
    if before == "type" and word in _SAID:
        return _SAID[word]
    if before in ("type", "glycosylation") and (late := _LATE_LETTER.match(word)) and word not in _ROMAN:
        return f"{len(late[1])}{late[2]}"
    found = _NUMBER.match(word)
    if found is None or (word == "x" and before != "type" and (after or before in _NOT_TEN)):
        return word
    if found[1]:
        return f"{int(found[1])}{found[2]}"
    return f"{_ROMAN[found[3]]}{found[4]}" if found[3] in _ROMAN else word


def telling(words: Words) -> Words:
    """The words that tell a disease."""
    return tuple(word for word in words if word not in _EMPTY)


def key_of(words: Words) -> Words:
    """The words that tell a disease, in any order."""
    return tuple(sorted(telling(words)))


def run_together(words: Words) -> set[str]:
    """All words, and those that tell a disease, as one: "facio-scapulo-humeral" is facioscapulohumeral."""
    return {"".join(words), "".join(word for word in words if word not in _EMPTY)}


def loose_key(words: Words) -> Words:
    """The same with words that mean the same, and without the way of inheritance."""
    return tuple(word for word in alike_key(words) if word not in _INHERITED)


def bare_key(words: Words) -> Words:
    """The same without what is said of types besides their number."""
    return tuple(word for word in loose_key(words) if word not in _WEAK)


@lru_cache(maxsize=65536)
def alike_key(words: Words) -> Words:
    """The same with words that mean the same alone."""
    phrased = _PHRASE.sub(lambda found: _PHRASES[found[0]], " ".join(words)).split()
    equal = (_EQUAL.get(word, word) for word in phrased)
    return tuple(sorted(word for word in equal if word and word not in _EMPTY and word not in _FAMILIAL))


@lru_cache(maxsize=65536)
def without_letters(words: Words) -> Words:
    """With "2" for "2a", "2a" for "2a2a", "c" for "c1": the type that subtypes have in common."""
    return tuple(_SUBTYPE.sub(r"\1\2\3", word) for word in words)


def is_wider(words: Words, name: Words) -> bool:
    """Whether words name all types of what a name names one of: in any order, without number and ways of
    inheritance that the name says, but with none that it does not say."""
    if any(is_type(word) for word in words if word not in _INHERITED):
        return False
    key = loose_key(words)
    return bool(key) and key == loose_key(untyped(name)) and not is_apart(words, name)


def is_apart(words: Words, name: Words) -> bool:
    """Whether words say a way of inheritance or an age that a name does not."""
    return not _PARTING & {*words} <= {*name}


def letters_in(form: str) -> str:
    """An abbreviation as it is looked up: no blanks and hyphens, capitals; "" where a form is none."""
    short = _KIND.sub("", form).strip().replace("-", "")
    capitals = sum(map(str.isupper, short))
    return short.upper() if capitals >= 2 and 2 * capitals >= len(short) and " " not in short else ""


def abbreviates(text: str, name: str) -> bool:
    """Whether a text is initials of a name and its type, those of parts of words and a word's next letters,
    too: "ODDD", "CILD1", "ARCL 1A". Words before a comma may stand behind it."""
    told = "".join(word for word in words_in(text) if word not in _EMPTY)
    head, *rest = name.split(",")
    turned = words_in(" ".join((*rest, head)))
    return bool(_SHORT.fullmatch(text.strip())) and any(
        re.fullmatch("".join(map(_letters_of, words)), told) for words in (words_in(name), turned)
    )


def _letters_of(word: str) -> str:
    """What may stand for a word, as a pattern; one that tells nothing may be without."""
    if word[0].isdigit():
        return word
    letters = word[0] + "".join(
        f"{sign}?"
        if word[at - 1] in "oiy" and at >= _PART < len(word) - at
        else f"(?:(?<={word[at - 1]}){sign})?"
        for at, sign in enumerate(word[1:], 1)
    )
    return f"(?:{letters})?" if word in _EMPTY | _ADDED else letters


def may_be_misspelt(word: str) -> bool:
    """Whether a word tells something at all, and has no number of a type in it."""
    return len(word) > 1 and word.isalpha() and word not in ("the", "and", "with", "due")


def inheritance_in(words: Words) -> frozenset[str]:
    """How a name says that the disease is inherited."""
    there = frozenset(words) & _WAYS
    return there | {"linked"} if "linked" in words else there


def untyped(words: Words) -> Words:
    """Words without numbers and letters of types."""
    return tuple(word for word in words if not is_type(word))


def is_typed(words: Words) -> bool:
    """Whether a name has the number of a type."""
    return any(word[0].isdigit() for word in words)


def is_bound(words: Words) -> bool:
    """Whether the number of a name's type stands behind the way of inheritance."""
    ways = [place for place, word in enumerate(words) if word in _WAYS or word == "linked"]
    return any(is_typed(words[place:]) for place in ways[:1])


def begins_inherited(words: Words) -> bool:
    """Whether a name begins with its way of inheritance."""
    return words[:1] in (("autosomal",), ("x",), ("y",))


def counted_by(ways: frozenset[str]) -> frozenset[str]:
    """By which way of inheritance types are counted: X-linked ones in one row."""
    return ways & {"linked"} or ways


def may_be_inherited(ways: frozenset[str], said: frozenset[str]) -> bool:
    """Whether one way of inheritance may be the other, said shorter."""
    return (ways <= said or said <= ways) and ("linked" in ways) == ("linked" in said)


def expanded(words: str, short: Mapping[str, str]) -> str:
    """A name with abbreviations of families written out: "SCA3", "GSD Ia", "MPS-IIIB", "MPSIIIB"."""

    def written(match: re.Match[str]) -> str:
        letters, number = match[1], match[2]
        if letters.upper() not in short and (typed := _LETTERS_TYPE.fullmatch(letters + number)):
            letters, number = typed.groups()
        whole = short.get(letters.upper())
        return f"{whole} {number}" if whole else match[0]

    return re.sub(r"\b([A-Z][A-Za-z]*[A-Z])-?(\d*[A-Za-z]?\d?)\b", written, words)
