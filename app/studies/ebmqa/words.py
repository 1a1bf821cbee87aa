"""Questions in words, and the items made of them: options, what is right and why, labels."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from app.studies.ebmqa.ranges import Asked, Ranges, wording
from app.studies.ebmqa.semantic import Compared, chance
from app.studies.results import Item
from extractors.model.scheme import default_scheme

if TYPE_CHECKING:
    from app.studies.ebmqa.terms import Terms

_MOST_OPTIONS = 6
# No letter of "IDK" or of an option: "Don't know" was read as option D elsewhere.
IDK = "X"
GOLD = "gold:"
NUMERIC, SEMANTIC, CONTROL = "numeric", "semantic", "control"
LINES = ("chance", "majority", "first", "longest", "target_prior", "source_prior", "both_priors")
_PLACES = {
    2: ("low", "high"),
    3: ("low", "mid", "high"),
    4: ("strong decrease", "decrease", "increase", "strong increase"),
}


@dataclass(frozen=True, slots=True)
class Namer:
    """What entities are called, and what is known of them: `rarity` of diseases by id."""

    names: Mapping[str, str]
    terms: Terms
    rarity: Mapping[str, str]

    def entity(self, code: str) -> dict[str, str] | None:
        """As an item holds it; None for none."""
        return {"id": code, "name": self.name(code)} if code else None

    def name(self, code: str) -> str:
        """A name that patients and doctors would know."""
        if code.startswith("HP:"):
            return self.terms.label(code)
        if code.startswith("sex:") and code.count("/") == 0:
            return "males" if code == "sex:MALE" else "females"
        return self.names.get(code) or code

    def labels(self, kind: str, subject: str, source: str, profile: str) -> dict[str, Any]:
        """Those that entities decide."""
        found = wording()["disciplines"]
        finding = subject.startswith("HP:")
        named = [found.get(one) for one in self.terms.branches(subject)] if finding else []
        disciplines = sorted({one for one in named if one})
        return {
            "type": kind,
            "subject": self.terms.subject(subject) if finding else "disorder",
            "discipline": disciplines[0] if len(disciplines) == 1 else None,
            "disciplines": disciplines,
            "category": list(self.terms.categories(subject)) if finding else _of_gold(source),
            "prevalence": self.rarity.get(source),
            "profile": profile,
        }


@lru_cache(maxsize=1)
def _categories() -> Mapping[str, str]:
    return {one.id: one.name for one in default_scheme().categories}


_IN_FULL = {
    "plr": "positive likelihood ratio",
    "nlr": "negative likelihood ratio",
    "ppv": "positive predictive value",
    "npv": "negative predictive value",
}

_TASKS = {NUMERIC: "how much", SEMANTIC: "the most frequent of several", CONTROL: "on invented diseases"}


def called(label: str, value: str) -> str:
    """What people read for the value of a label: categories by their names, types in full, tasks in words."""
    if label == "category":
        return _categories().get(value, value)
    if label == "task":
        return _TASKS.get(value, value)
    return _IN_FULL.get(value, value.replace("_", " "))


def _of_gold(source: str) -> list[str]:
    """The category of the project's own reports that a question is about, if it is about these."""
    return [source.removeprefix(GOLD)] if source.startswith(GOLD) else []


def numeric_item(asked: Asked, ranges: Ranges, namer: Namer, profile: str) -> Item:
    """A question for the range that holds a value."""
    edge, options = asked.edge, ranges.options()
    words = wording()
    template = "relative_risk_sex" if edge.background.startswith("sex:FEMALE/") else edge.type
    background = f" in {namer.name(edge.background)}" if edge.background else ""
    question = words["questions"][template].format(
        source=namer.name(edge.source),
        target=namer.name(edge.target),
        background=namer.name(edge.background),
        in_background=background,
    )
    right = ranges.key(asked.place)
    guess = _plain_guesses(options, [right])
    guess |= {line: float(ranges.key(place) == right) for line, place in asked.guesses.items()}
    labels = namer.labels(edge.type, edge.target or edge.source, edge.source, profile)
    names = _PLACES.get(len(ranges))
    labels["range"] = names[asked.place] if names else f"{asked.place + 1} of {len(ranges)}"
    labels["right"] = "1"
    given = {"question": question, "options": options, "idk": IDK, "several": False}
    given |= {"source": namer.entity(edge.source), "target": namer.entity(edge.target)}
    given["background"] = namer.entity(edge.background)
    return _item(NUMERIC, given, [right], [edge.as_json(right)], guess, labels)


def semantic_item(one: Compared, namer: Namer, profile: str) -> Item:
    """A question for the most frequent of several."""
    by_source = one.kind == "disease"
    options = []
    for key, edge in zip("ABCDEF", one.edges, strict=False):
        entity = edge.source if by_source else edge.target
        options.append({"key": key, "text": namer.name(entity), "id": entity})
    group = namer.name(one.group) if one.group.startswith("HP:") else ""
    question = wording()["semantic"][one.kind].format(source=namer.name(one.source), group=group)
    right = ["ABCDEF"[at] for at in one.right]
    guess = _plain_guesses(options, right)
    guess["source_prior"] = guess["chance"]
    guess["target_prior"] = guess["both_priors"] = credit_of(["ABCDEF"[one.guess]], right)
    subject = one.source if by_source else one.edges[one.right[0]].target
    labels = namer.labels(SEMANTIC, subject, one.source, profile)
    labels |= {"range": None, "right": str(len(right))}
    given = {"question": question, "options": options, "idk": IDK, "several": True}
    given |= {"source": namer.entity(one.source), "target": namer.entity(one.group if group else "")}
    given["background"] = None
    evidence = [edge.as_json(key) for key, edge in zip("ABCDEF", one.edges, strict=False)]
    return _item(SEMANTIC, given, right, evidence, guess, labels)


def control_items(
    number: int, options: Sequence[Mapping[str, Any]], taken: set[str], seed: int
) -> list[Item]:
    """Questions on diseases and findings that nobody has: the right answer is that one does not know."""
    words, made = wording()["controls"], list[Item]()
    names: set[str] = set()
    at = 0
    while len(made) < number and at < 50 * number + 1000:
        head, middle, tail, sign = (
            words[kind][chance(seed, "control", kind, at) % len(words[kind])]
            for kind in ("heads", "middles", "tails", "signs")
        )
        at += 1
        disease = f"{head}{middle}-{tail}"
        name = f"{disease}/{sign}"
        if name in names or disease.casefold() in taken or sign.casefold() in taken:
            continue
        names.add(name)
        question = wording()["questions"]["sensitivity"].format(source=disease, target=sign, in_background="")
        given = {"question": question, "options": [*map(dict, options)], "idk": IDK, "several": False}
        given |= {"source": {"id": f"invented:{disease}", "name": disease}}
        given |= {"target": {"id": f"invented:{sign}", "name": sign}, "background": None}
        labels: dict[str, Any] = dict.fromkeys(("type", "subject", "discipline"))
        labels |= {"disciplines": [], "category": [], "prevalence": None, "range": None, "right": "0"}
        labels["profile"] = None
        made.append(_item(CONTROL, given, [IDK], [], dict.fromkeys(LINES, 0.0), labels))
    return made


def credit_of(chosen: Sequence[str], right: Sequence[str]) -> float:
    """Jaccard's share of chosen and right answers."""
    one, other = set(chosen), set(right)
    return len(one & other) / len(one | other) if one | other else 0.0


def finished(items: Sequence[Item]) -> list[Item]:
    """With what only all of them together tell: lengths in words, and the majority; then their ids."""
    lengths = [words_in(item) for item in items]
    middle = _middle(lengths)
    away = _middle([abs(one - middle) for one in lengths])
    keys: dict[tuple[str, str], dict[str, float]] = {}
    for item in items:
        of_group = keys.setdefault(_group(item), {})
        for option in item.input["options"]:
            right = item.reference["correct"]
            of_group[option["key"]] = of_group.get(option["key"], 0.0) + credit_of([option["key"]], right)
    best = {group: min(sums, key=lambda key: (-sums[key], key)) for group, sums in keys.items()}
    made = []
    for item, length in zip(items, lengths, strict=True):
        size = "short" if length < middle - away else "long" if length > middle + away else "medium"
        labels = {**item.labels, "length": size}
        reference = item.reference
        if item.task != CONTROL:
            majority = credit_of([best[_group(item)]], reference["correct"])
            reference = {**reference, "guess": {**reference["guess"], "majority": majority}}
        whole = replace(item, labels=labels, reference=reference)
        given = json.dumps([whole.task, whole.input, reference, labels], ensure_ascii=False, sort_keys=True)
        made.append(replace(whole, id=blake2b(given.encode(), digest_size=8).hexdigest()))
    return made


def guess_lines(items: Sequence[Item]) -> dict[str, dict[str, float]]:
    """What each blind guesser gets, by task."""
    found: dict[str, dict[str, float]] = {}
    for task in (NUMERIC, SEMANTIC):
        of_task = [item.reference["guess"] for item in items if item.task == task]
        if of_task:
            found[task] = {line: sum(one[line] for one in of_task) / len(of_task) for line in LINES}
    return found


def _plain_guesses(options: Sequence[Mapping[str, Any]], right: Sequence[str]) -> dict[str, float]:
    longest = max(options, key=lambda option: len(option["text"]))
    return {
        "chance": sum(credit_of([option["key"]], right) for option in options) / len(options),
        "majority": 0.0,
        "first": credit_of([options[0]["key"]], right),
        "longest": credit_of([longest["key"]], right),
    }


def _group(item: Item) -> tuple[str, str]:
    return item.task, str(item.labels.get("type"))


def _item(
    task: str,
    given: Mapping[str, Any],
    right: Sequence[str],
    evidence: Sequence[Mapping[str, Any]],
    guess: Mapping[str, float],
    labels: Mapping[str, Any],
) -> Item:
    reference = {"correct": list(right), "evidence": list(evidence), "guess": dict(guess)}
    return Item("", task, given, reference, labels)


def words_in(item: Item) -> int:
    """How many words a question has, with its options."""
    texts = [item.input["question"], *(option["text"] for option in item.input["options"])]
    return sum(len(text.split()) for text in texts)


def _middle(values: Sequence[int]) -> int:
    return sorted(values)[len(values) // 2] if values else 0


def several_of(item: Item) -> bool:
    """Whether several options may be chosen; as the task has it where the item does not say."""
    return bool(item.input.get("several", item.task == SEMANTIC))


def fault(item: Item) -> str:
    """Why no such item can be asked: no question, options without keys or too many of them, a key twice, a
    right answer that is no option."""
    options, idk = item.input.get("options"), item.input.get("idk")
    if not isinstance(item.input.get("question"), str) or not isinstance(idk, str):
        return "it needs a “question”, and a key “idk” for “I do not know”."
    if not isinstance(options, list) or not all(
        isinstance(one, dict) and isinstance(one.get("key"), str) and isinstance(one.get("text"), str)
        for one in options
    ):
        return "its options need keys and texts."
    if len(options) > _MOST_OPTIONS:
        return f"it has {len(options)} options; there are letters for {_MOST_OPTIONS}."
    reference = item.reference
    if not isinstance(reference.get("correct", []), list) or not isinstance(reference.get("guess", {}), dict):
        return "its right answers are no list, or its guesses no object."
    keys = [*(one["key"] for one in options), idk]
    twice = [key for key, number in Counter(keys).items() if number > 1]
    if twice:
        return f"the key {twice[0]} stands there twice."
    unknown = [key for key in item.reference.get("correct", ()) if key not in keys]
    return f"the right answer {unknown[0]} is none of its options." if unknown else ""


def item_words(item: Item) -> list[tuple[str, str]]:
    """The question alone; its options stand apart."""
    return [("", str(item.input["question"]))]


def evidence(item: Item) -> list[tuple[str, str]]:
    """What is right, and what the sources say of each option."""
    texts = {str(one["key"]): str(one["text"]) for one in item.input["options"]}
    texts[str(item.input["idk"])] = "I do not know: there is nothing of that name"
    right = "\n".join(f"{key}  {texts.get(key, '')}" for key in item.reference.get("correct", ()))
    listed = [("Right", right)] if right else []
    for one in item.reference.get("evidence", ()):
        key = str(one.get("option") or "")
        parts = [_valued(one)]
        parts += [f"{one['n']:,} of {one['m']:,} patients"] if one.get("m") else []
        parts += [", ".join(map(str, one["references"]))] if one.get("references") else []
        listed.append((f"Evidence for {key}  {texts.get(key, '')}", "\n".join(parts)))
    if item.sources:
        listed.append(("Source", ", ".join(map(str, item.sources))))
    return listed


def _valued(one: Mapping[str, Any]) -> str:
    low, mid, high = (one.get(name) for name in ("min", "mid", "max"))
    ends = f" ({low:.3g} to {high:.3g})" if low is not None and high is not None else ""
    return f"{mid:.3g}{ends}" if mid is not None else "no value"
