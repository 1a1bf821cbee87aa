"""Forms of replies that tasks share: a choice, a ranking, a text, a rubric, a label that must be written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from extractors.tasks.base import Reading, object_schema
from extractors.tasks.ranked import Finder, names_in, names_listed, without_thoughts

_FENCE = re.compile(r"```[a-z]*\n?|```", re.IGNORECASE)
_NOTHING = frozenset({"", "no", "none", "n/a", "na", "null", "unknown", "i do not know", "i don't know"})
_SAID = r"(?:answer|choice|option)s?\s*(?:is|are|would be|[:=])*\s*"
_AROUND = r"[\s*_$`\"'(\[{]*"


def json_in(text: str) -> Any:  # noqa: ANN401 (whatever JSON says)
    """The JSON value of a reply, whatever stands around it; None where there is none."""
    plain = _FENCE.sub("", text).strip()
    for start, end in ((0, len(plain)), *((plain.find(o), plain.rfind(c) + 1) for o, c in ("{}", "[]"))):
        if 0 <= start < end:
            try:
                return json.loads(plain[start:end])
            except (ValueError, RecursionError):
                continue
    return None


@dataclass(frozen=True, slots=True)
class Text:
    """Any text, as it came."""

    def schema(self) -> dict[str, Any]:
        """None: nothing is asked of the form."""
        return {}

    def read(self, text: str) -> Reading:
        """The text without the blanks around it; a person's is JSON, a string."""
        words = text.strip()
        if words.startswith('"') and isinstance(value := json_in(words), str):
            words = value.strip()
        return Reading(True, (), words) if words else Reading(False, ("The reply is empty.",))


def answer_schema(labels: Iterable[str], *, several: bool) -> dict[str, Any]:
    """An object with one of the labels, or a list of several, as "answer"."""
    one = {"type": "string", "enum": list(labels)}
    # Weak models repeat a label until the reply is cut.
    many = {"type": "array", "items": one, "minItems": 1, "maxItems": len(one["enum"])}
    return object_schema({"answer": many if several else one})


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the options, by its key, or where `several` are allowed at least one: key -> words.

    A reply to no schema is read by rule: the key where it stands alone, behind "answer", in brackets or where
    a line begins, the last of them; or an option's own words, where those of no other are there. Anything
    else is no answer.
    """

    options: Mapping[str, str]
    several: bool = False

    def schema(self) -> dict[str, Any]:
        return answer_schema(self.options, several=self.several)

    def read(self, text: str) -> Reading:
        """The key; of several a list in the order of the options."""
        value = json_in(text)
        answer: Any = value.get("answer") if isinstance(value, dict) else value
        if isinstance(answer, str) and self.several:
            answer, text = None, answer
        given = answer if isinstance(answer, list) else [answer]
        keys = self._in_words(text) if answer is None else [self._key(one) for one in given]
        if not keys or None in keys or (len(set(keys)) > 1 and not self.several):
            return Reading(False, ("The reply is none of the options.",))
        chosen = [key for key in self.options if key in keys]
        return Reading(True, (), chosen if self.several else chosen[0])

    def _key(self, value: object) -> str | None:
        """The option that a word is the key or the words of."""
        word = str(value).strip().strip("*_$`\"'()[]{}.:").strip().casefold()
        names = ((key, name) for key, words in self.options.items() for name in (key, words))
        return next((key for key, name in names if word and word == name.casefold()), None)

    def _in_words(self, text: str) -> list[str | None]:
        """The last answer in a reply of words, or where all of it speaks of one option, that one."""
        for line in reversed(_FENCE.sub("", text).split("\n")):
            words = re.sub(_SAID, " ", line, flags=re.IGNORECASE)
            parts = re.split(r"[,;&+]|\band\b", words) if self.several else [line]
            keys = [self._key(part) for part in parts]
            if None in keys and self.several:
                keys = [self._key(part) for part in words.split()]
            if keys and None not in keys:
                return keys
        marked = [(at, key) for key in self.options for at in self._places(key, text)]
        if marked:
            return [max(marked)[1]]
        spoken = [key for key, words in self.options.items() if says(words, text)]
        return [*spoken] if len(spoken) == 1 else []

    def _places(self, key: str, text: str) -> Iterator[int]:
        """Where a reply gives the key; a letter alone may be an article or a pronoun."""
        word = re.escape(key)
        alone = rf"(?<!\w)(?i:{word})(?!\w)" if len(key) > 1 else ""
        words = rf"(?i:{_SAID}){_AROUND}{word}(?!\w)"
        marked = rf"(?:[*_$(\[]){{1,3}}{word}(?:[*_$)\].:]){{1,3}}|^{_AROUND}{word}\s*[.):](?=\s|$)"
        pattern = "|".join(filter(None, (words, marked, alone)))
        yield from (match.end() for match in re.finditer(pattern, text, re.MULTILINE))


def says(words: str, text: str) -> bool:
    """Whether the words stand in a text, not within others."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE) is not None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Up to `most` names, the likeliest first. A `free` one is asked for in words, one a line.

    Where there are `names` to choose from, a schema allows no others. Of sentences only what is `known` to be
    a name is read; without it a sentence is a name like any other.
    """

    most: int
    names: tuple[str, ...] = ()
    free: bool = False
    known: Finder | None = field(default=None, compare=False)

    def schema(self) -> dict[str, Any]:
        """An object with the list as "ranking"; {} where the reply is free."""
        if self.free:
            return {}
        one = {"type": "string", **({"enum": list(self.names)} if self.names else {})}
        ranking = {"type": "array", "items": one, "minItems": 1, "maxItems": self.most}
        return object_schema({"ranking": ranking})

    def read(self, text: str) -> Reading:
        """The names in order, each once, without numbers, markup and reasons."""
        text = without_thoughts(text)
        listed, prose = names_in(json_in(text)), False
        if listed is None:
            listed, prose = names_listed(text, self.known)
        given = [_clean(one) for one in listed]
        once = {one.casefold(): one for one in reversed(given)}
        names = [once[one] for one in dict.fromkeys(map(str.casefold, given)) if one not in _NOTHING]
        if not names:
            return Reading(False, ("The reply is no list of names.",))
        problems = ["The reply is prose; only names in it were read."] if prose else []
        if len(names) > self.most:
            problems.append(f"The reply has {len(names)} names; the first {self.most} count.")
        if len(names) < len(given):
            problems.append("The reply has a name twice, or an empty one.")
        return Reading(True, tuple(problems), names[: self.most])


def _clean(name: str) -> str:
    plain = name.strip().strip("\"'“”*_").strip()
    return re.sub(r"\s+", " ", plain).rstrip(" .;,")


@dataclass(frozen=True, slots=True)
class Rubric:
    """A value for each criterion: id -> the values it may have (true and false, or 0, 1 and 2).

    `words` stand for values ("no": 0). Of one criterion the value alone will do.
    """

    criteria: Mapping[str, Sequence[Any]]
    words: Mapping[str, Any] = field(default_factory=dict)

    def schema(self) -> dict[str, Any]:
        """An object with every criterion."""
        return object_schema({name: {"enum": list(values)} for name, values in self.criteria.items()})

    def read(self, text: str) -> Reading:
        """Each criterion's value, null where it cannot be read: never a number in its place."""
        value = json_in(text)
        given = value if isinstance(value, dict) else {}
        if not given and len(self.criteria) == 1:
            given = dict.fromkeys(self.criteria, text.strip().strip(".*\"'") if value is None else value)
        scores = {
            name: _of_scale(self._meant(given.get(name)), allowed) for name, allowed in self.criteria.items()
        }
        lacking = [name for name, score in scores.items() if score is None]
        problem = f"The reply has no value for {', '.join(lacking)}."
        return Reading(not lacking, (problem,) if lacking else (), scores)

    def _meant(self, value: object) -> object:
        word = value.strip().casefold() if isinstance(value, str) else value
        if isinstance(word, str) and word in self.words:
            return self.words[word]
        return int(word) if isinstance(word, str) and self.words and word.isdecimal() else value


def _of_scale(value: object, allowed: Sequence[Any]) -> Any:  # noqa: ANN401 (a value of the scale)
    """The value where the scale has it; yes and no stand for true and false."""
    words = {"yes": True, "no": False, "true": True, "false": False}
    given = words.get(value.strip().casefold(), value) if isinstance(value, str) else value
    return next((one for one in allowed if type(one) is type(given) and one == given), None)


@dataclass(frozen=True, slots=True)
class Score:
    """A label that the model is made to write, so that its probability can be read (one call a label)."""

    label: str
    probabilities = True

    def schema(self) -> dict[str, Any]:
        """That string and no other."""
        return {"type": "string", "enum": [self.label]}

    def read(self, text: str) -> Reading:
        """Whole where the label was written; what counts are the probabilities of its tokens."""
        given = json_in(text)
        written = given == self.label or text.strip() == self.label
        return Reading(written, () if written else ("The reply is another label.",), self.label)


def forced(probabilities: Sequence[tuple[str, float]]) -> dict[str, Any]:
    """What a label between quotation marks costs: the sum of its tokens' logarithms, how many they are.

    `exact` is false where a quotation mark shares a token with a letter, so that its share is counted along.
    """
    total, tokens, inside, exact = 0.0, 0, False, True
    for token, logarithm in probabilities:
        mark = token.find('"')
        if not inside:
            inside = mark >= 0
            if not token[mark + 1 :].strip() or not inside:
                continue
            exact = False
        elif mark >= 0 and not token.endswith('\\"'):
            if not token[:mark]:
                break
            exact = False
            total, tokens = total + logarithm, tokens + 1
            break
        total, tokens = total + logarithm, tokens + 1
    return {"sum": total, "tokens": tokens, "exact": exact}
