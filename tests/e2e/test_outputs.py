"""What the whole flows give on the sample reports and on texts that are hard, as `tests/data/outputs` has it.

`python -m tests.e2e.test_outputs` writes that anew: read the diff, and keep what you meant to change alone.
It says what is, not what ought to be: the rules are wrong in `negations` on "not without pain", "Without
treatment she developed ataxia" and "not only weakness".
"""

from __future__ import annotations

import difflib
import hashlib
import io
import json
import random
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import pytest

from app.cli import main
from app.reconcile.gold import CHOICES
from extractors.terminology.library import FOLDER
from tests.builders import lines
from tests.e2e.conftest import ROOT, SAMPLES
from tests.e2e.test_blinding import packet
from tests.small_corpus import corpus

DATA = ROOT / "tests" / "data" / "outputs"
KEPT, HARD = DATA / "outputs.jsonl", json.loads((DATA / "hard.json").read_text("utf-8"))
SIDES = "--left left --right right"
# Formats whose files are text.
TEXTS = "crb jsonl prodigy doccano label-studio csv bioc bioc-json conll cas cas-json brat".split()
_ID = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{12}\b")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?")
# What is longer is said part by part, and words by their beginning, their length and a digest.
_LINE, _WORDS = 900, 110
_NAMED = ("id", "key", "report", "name", "annotator", "category", "measure", "track", "step")
_EMPTY: tuple[object, ...] = ("*", "", None, [], {})
# What differs from run to run, and hashes of files that are changed for their own sake.
_OTHERS = {"seconds", "settings", "prompts_sha256"}


def rows(value: Any, key: str = "") -> Iterator[tuple[str, object]]:  # noqa: ANN401 (any JSON value)
    """A JSON value as lines: what is short as it is, what is long part by part under what names the part."""
    if len(json.dumps(value, ensure_ascii=False)) <= _LINE:
        yield key, value
        return
    listed = isinstance(value, list)
    for name, part in enumerate(value) if listed else value.items():
        about = part if listed and isinstance(part, dict) else {}
        told = next((about[one] for one in _NAMED if one in about), "" if listed else name)
        yield from rows(part, f"{key}.{told}".strip("."))


def digest_of(text: str) -> str:
    """Ten signs that stand for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:10]


class Flows:
    """Calls of the command line in one folder, and what each printed but for what differs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told: dict[str, list[str]] = {}

    def __call__(self, flow: str | None, call: str, *more: str) -> Any:  # noqa: ANN401 (whatever the command printed)
        """Run one call, in which @ begins a path of the folder; keep what it said under `flow`, if any."""
        words = [str(self.folder / one[1:]) if one[:1] == "@" else one for one in (*shlex.split(call), *more)]
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            try:
                code = main(words)
            except SystemExit as stop:
                code = int(stop.code or 0)
        said = json.loads(out.getvalue()) if "--json" in words and out.getvalue() else None
        if flow is not None:
            self.tell(flow, f"{self._plain(call)} -> {code}", err.getvalue())
            self.tell(flow, "", out.getvalue().splitlines() if said is None else said)
        return said

    def tell(self, flow: str, key: str, value: object) -> None:
        """Keep a value under a flow."""
        found = self.told.setdefault(flow, [])
        found += [json.dumps([flow, *row], ensure_ascii=False) for row in rows(self._brief(value), key)]

    def spans(self, flow: str, call: str) -> None:
        """Keep the spans that a call lists, a line for each category of a report."""
        found: dict[str, list[str]] = {}
        for one in self(None, f"spans {call} --json"):
            about = " ".join(str(one[name]) for name in ("polarity", "field", "origin", "note") if one[name])
            place = f"{one['start']}-{one['end']} {about}: {one['quote'][:20]}"
            found.setdefault(f"{one['report']} {one['category']} {one['section']}", []).append(place)
        self.tell(flow, call, sum(map(len, found.values())))
        for key, places in found.items():
            self.tell(flow, key, places)

    def file(self, flow: str, path: Path) -> None:
        """Keep how many lines a file has, and a digest of what is in it."""
        for one in sorted(path.rglob("*")) if path.is_dir() else [path]:
            text = self._plain(one.read_bytes().decode("utf-8"))
            name, count = str(one.relative_to(self.folder)), len(text.splitlines())
            self.tell(flow, name, f"{count} lines {digest_of(text)}")

    def _brief(self, value: Any) -> Any:  # noqa: ANN401 (any JSON value)
        """Without what says nothing, long words, and more digits of numbers than every machine has alike."""
        if isinstance(value, float):
            return float(f"{value:.7g}")
        if isinstance(value, str) and len(text := self._plain(value)) > _WORDS:
            return f"{text[:30]}… {len(text)} {digest_of(text)}"
        if isinstance(value, dict):
            parts = {self._plain(name): self._brief(part) for name, part in value.items()}
            return {name: part for name, part in parts.items() if part not in _EMPTY and name not in _OTHERS}
        if isinstance(value, list):
            return [self._brief(part) for part in value]
        return self._plain(value) if isinstance(value, str) else value

    def _plain(self, text: str) -> str:
        text = text.replace(str(self.folder), "@").replace(str(ROOT), "")
        return _TIME.sub("*time*", _ID.sub("*", text))


def write_given(folder: Path) -> None:
    """The hard texts, and what two sides have in them."""
    (folder / "hard").mkdir()
    for name, one in HARD.items():
        (folder / "hard" / f"{name}.txt").write_bytes(one["text"].encode())
    for side in ("left", "right"):
        lines(folder / f"{side}.jsonl", *(_side(name, one, one[side]) for name, one in HARD.items()))
    (folder / "packets").mkdir()
    for code, label in (("324", "Fabry disease"), ("56", "Alkaptonuria"), ("558", "Marfan syndrome")):
        (folder / "packets" / f"{code}.json").write_text(packet(code, label, [label.upper()]), "utf-8")


def _side(name: str, one: Mapping[str, Any], quotes: list[list[Any]]) -> dict[str, Any]:
    annotations = []
    for category, field, polarity, quote, *rest in quotes:
        start = rest[0] if rest and rest[0] is not None else one["text"].find(quote)
        place = {"start": start, "end": start + len(quote)} if start >= 0 else {}
        own = {"category": category, "field": field, "polarity": polarity, "quote": quote, **place}
        codes = [{"terminology": "HPO", "code": code, "label": code} for code in rest[1:]]
        annotations.append({**own, "concepts": codes} if codes else own)
    looked_at = sorted({one["category"] for one in annotations} | {"ENDO"})
    return {"id": name, "text": one["text"], "annotations": annotations, "looked_at": looked_at}


def run_all(folder: Path) -> dict[str, list[str]]:
    """Every flow, one after the other, in a folder that is empty."""
    write_given(folder)
    run = Flows(folder)
    _annotate(run)
    _compare(run)
    _decide(run)
    _exchange(run)
    _apart(run)
    return run.told


def _annotate(run: Flows) -> None:
    run("new", "new @p.casespan --annotator Ana")
    run("import", f"import @p.casespan {SAMPLES}/reports @hard --json")
    for name in ("annotator-1", "annotator-2", "gold"):
        source = f"{SAMPLES}/annotations/{name}.json"
        run("import", f"import @p.casespan {source} --format crb --annotator {name} --json")
    for side in ("left", "right"):
        run("import", f"import @p.casespan @{side}.jsonl --annotator {side} --json")
        run.spans("spans", f"@p.casespan --annotator {side}")
    run("extract", "extract @p.casespan --with rules --json")
    run.spans("extract", "@p.casespan --annotator rules")
    run("replay", f"extract @p.casespan --replay {SAMPLES}/replies.jsonl --document PMC99000003 --json")
    for one in run(None, "phenotypes @p.casespan --with rules --json")["documents"]:
        found = ["{start}-{end} {hpo_id} {polarity} {onset}".format_map(term) for term in one["phenotypes"]]
        run.tell("phenotypes", one["id"], found)
    run("profile", "profile @p.casespan --document people --accept all --json")
    run("differential", "differential @p.casespan --annotator phenotypes/rules --top 3")
    run("differential", "differential @p.casespan --document people --top 2 --explain --json")
    run("identifiers", "identifiers @p.casespan --json")
    run("search", "search @p.casespan 'hypert*' --annotator gold --json")
    run("search", "search @p.casespan 'left ventricular' --annotator left --json")
    run("figures", "figures @p.casespan --annotator left --json")
    run("figures", "figures @p.casespan")


def _compare(run: Flows) -> None:
    for profile in ("paper", "strict"):
        run(f"agree {profile}", f"agree @p.casespan {SIDES} --profile {profile} --tokens --json")
        run("agree", f"agree @p.casespan --left rules --right gold --profile {profile} --tokens")
    run("agree", f"agree @p.casespan {SIDES} --concepts HPO --json")
    run("agree", "agree @p.casespan --annotator annotator-1 --annotator annotator-2 --annotator gold --json")
    run("queue", f"queue @p.casespan {SIDES} --json")
    frequent = "--order frequent --below 60 --category GI"
    run("queue frequent", f"queue @p.casespan --left annotator-1 --right annotator-2 {frequent} --json")


def _decide(run: Flows) -> None:
    """Every choice in turn, in one file; what is alike first, from narrow to wide."""
    items = run("queue", f"queue @p.casespan {SIDES} --below 50 --json")
    found = [one for item in items for one in item["differences"]]
    for one, alike in zip(found, ("words", "cue", "head", "habit", "labels", "scope"), strict=False):
        order = f"--id {one['id']} --take left --alike {alike} --dry-run --json"
        run("resolve", f"resolve @p.casespan {SIDES} {order}")
    orders = []
    for number, one in enumerate(found):
        take = CHOICES[number % len(CHOICES)]
        if (take, one["kind"]) == ("both", "polarity") or (take == "merged" and one["kind"] != "boundary"):
            take = "right"
        spans = [{"start": 20, "end": 26, "category": "GI", "polarity": "negated", "field": "tests"}]
        more = {"spans": spans} if take == "edited" else {}
        orders.append({"id": one["id"], "take": take, "reason": "slip", "confidence": 0.5, **more})
    lines(run.folder / "orders.jsonl", *orders)
    run("resolve", f"resolve @p.casespan {SIDES} --from @orders.jsonl --by Cas --json")
    run("resolve", f"queue @p.casespan {SIDES} --state all")
    run("gold", f"gold @p.casespan {SIDES} --as consensus --by Cas --json")
    run.spans("gold", "@p.casespan --annotator consensus")
    run("gold", "gold @p.casespan --corrections left --json")
    review = "review @p.casespan --run rules --annotator left --document"
    (found,) = run("review", f"{review} laboratory --json")
    ids = [one["id"] for row in found["rows"] for one in row["right"]]
    run("review", f"{review} laboratory --accept {ids[0]} {ids[1]}")
    run("review", f"{review} laboratory --reject {ids[2]}")
    run("review", f"{review} laboratory --edit {ids[3]} --category GU --polarity negated --place 20-31")
    run("review", f"{review} people --accept-same")
    run("review", f"{review} laboratory --json")
    run.spans("spans", "@p.casespan --annotator left --document laboratory")
    run("plant", "plant @p.casespan --run rules --seed 3 --json")
    run("bias", "bias @p.casespan --annotator left --run rules --against gold --json")
    run("rate", "rate @p.casespan --run rules --document people --rater Ana --score accuracy=4 --json")


def _exchange(run: Flows) -> None:
    some = "--document signs --document laboratory --document people --document PMC99000006"
    run("import back", "new @back.casespan")
    run("import back", f"import @back.casespan {SAMPLES}/reports/PMC99000006.xml @hard --json")
    for name in TEXTS:
        out = run.folder / f"o-{name}"
        run(f"export {name}", f"export @p.casespan @o-{name} --format {name} --annotator left {some} --json")
        run.file(f"export {name}", out)
        certificate = json.loads(out.with_name(f"{out.name}.certificate.json").read_text("utf-8"))
        run.tell(f"export {name}", "certificate", {**certificate, "files": len(certificate["files"])})
        run("import back", f"import @back.casespan @o-{name} --format {name} --annotator {name} --json")
        run.spans(f"export {name}", f"@back.casespan --annotator {name}")
    run("export csv", "export @p.casespan @all.csv --format csv --annotator gold --json")
    packets = "--format phenopacket --annotator Ana --document people --json"
    run("export phenopacket", f"export @p.casespan @packets-out {packets}")
    for name in ("one", "two"):
        copyfile(run.folder / "back.casespan", run.folder / f"{name}.casespan")
    some = "--annotator jsonl --document people --category MSK"
    run("merge", f"spans @one.casespan {some} --relabel GI --json")
    run("merge", f"spans @two.casespan {some} --relabel GU --json")
    run("merge", "spans @one.casespan --annotator csv --document signs --delete --json")
    run("merge", "spans @two.casespan --annotator csv --document people --delete --json")
    for name in ("one", "two"):
        run("merge", f"merge @back.casespan @{name}.casespan --json")
    run.spans("merge", "@back.casespan --annotator jsonl --document people")
    run("merge", "packet @p.casespan @given --to Ben Chloe --overlap 2 --seed 7 --json")
    run("history", "undo @p.casespan")
    run("history", "redo @p.casespan")
    run("history", "undo @p.casespan")
    run("history", "history @p.casespan")
    run("list", "list @p.casespan --json")


def _apart(run: Flows) -> None:
    run("view", "terminology import orphanet @packets --json")
    run("view", "anchor @p.casespan --auto --json")
    run("view", "anchor @p.casespan --document people --code ORPHA:558 --json")
    run("view", "view @p.casespan --track all --document PMC99000001 --document people --hints --json")
    case = SAMPLES / "case"
    run("study", "new @s.casespan --annotator Ana")
    run("study", f"study build @s.casespan mmrarebench --from {case}/items.jsonl --json")
    for name in ("invented-model", "invented-model-blind"):
        run("study", f"study run @s.casespan mmrarebench --replay {case}/{name}.jsonl --name {name} --json")
    judge = f"--judge invented-judge --replay {case}/invented-judge.jsonl"
    run("study", f"study judge @s.casespan mmrarebench {judge} --json")
    run("study", "study score @s.casespan mmrarebench --by task --json")
    corpus(run.folder / "corpus", 20)
    run("corpus", "corpus summary @corpus --json")
    run("corpus", "corpus search @corpus fever --json")
    run("corpus", "corpus sample @corpus @sample.casespan --count 12 --by category --seed 3 --json")
    run("corpus", "export @sample.casespan @sample.jsonl --annotator corpus --format jsonl --json")
    run("corpus", "import @sample.casespan @sample.jsonl --annotator ana --json")
    run("corpus", "spans @sample.casespan --annotator ana --category DERM --delete --json")
    run("corpus", "corpus quality @corpus @sample.casespan --annotator ana --json")


def made(folder: Path) -> dict[str, list[str]]:
    """What all flows give, with identifiers that are the same every time."""
    drawn = random.Random(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.store.values.uuid4", lambda: UUID(int=drawn.getrandbits(128), version=4))
        patch.setenv(FOLDER, str(folder / "terminologies"))
        return run_all(folder)


def kept() -> dict[str, list[str]]:
    """What was kept, by flow."""
    found: dict[str, list[str]] = {}
    for line in KEPT.read_text("utf-8").splitlines() if KEPT.exists() else ():
        found.setdefault(json.loads(line)[0], []).append(line)
    return found


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return made(tmp_path_factory.mktemp("outputs"))


@pytest.mark.parametrize("flow", kept())
def test_a_flow_gives_on_the_same_reports_what_it_gave(now: dict[str, list[str]], flow: str) -> None:
    changed = difflib.unified_diff(kept()[flow], now.get(flow, []), "kept", "now", n=0, lineterm="")
    assert not (told := list(changed)), "\n".join(told[:40])


if __name__ == "__main__":
    with TemporaryDirectory() as scratch:
        told = made(Path(scratch))
    KEPT.write_text("".join(f"{line}\n" for flow in told.values() for line in flow), "utf-8")
    sys.stderr.write(f"{sum(map(len, told.values()))} lines; read the diff.\n")
