"""What the whole flows give on the sample reports and on texts that are hard, as `tests/data/outputs` has it.

`python -m tests.e2e.test_outputs` writes that anew: read the diff, and keep what you meant to change alone.
It says what is, not what ought to be: the rules are wrong in `hard.json` and `grammar.txt` on turns like "was
possible", "if fever occurs", "without treatment she developed".
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
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from uuid import UUID
from zipfile import ZipFile, is_zipfile

import pytest

from app.cli import main
from app.operations.annotate import spans
from app.reconcile.gold import CHOICES
from app.store.annotate.reviews import ReviewState
from app.store.project import Project
from app.store.reports.documents import document
from app.studies.icd11.fixture import write_fixture
from extractors.checks.span_checks import check_span
from extractors.grounding import Grounder
from extractors.model.errors import ProjectError
from extractors.model.finding import POLARITIES
from extractors.model.scheme import default_scheme
from extractors.terminology.library import FOLDER
from tests.builders import lines
from tests.e2e.conftest import ROOT, SAMPLES
from tests.e2e.test_blinding import packet
from tests.e2e.test_ebmqa import OWN
from tests.evidence import write_evidence
from tests.small_corpus import corpus

DATA = ROOT / "tests" / "data" / "outputs"
KEPT, HARD = DATA / "outputs.jsonl", json.loads((DATA / "hard.json").read_text("utf-8"))
# Formats whose files are text.
TEXTS = "crb jsonl prodigy doccano label-studio csv bioc bioc-json conll cas cas-json brat".split()
_BEGIN = datetime(2026, 1, 5, tzinfo=UTC)
# Of eight digits, too, but for MIMIC's numbers.
_ID = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{12}\b|\b(?!2000)[0-9a-f]{8}\b")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?|\b\d+\.\d s\b")
# What of packed documents is ours, not their library's.
_PART = re.compile(r"(document|sheet\d+|sharedStrings)\.xml$")
_HASH = re.compile(r"^[0-9a-f]{16}$")
# What is longer is said part by part, and words by their beginning, their length and a digest.
_LINE, _WORDS = 900, 110
_NAMED = ("id", "key", "report", "name", "annotator", "category", "measure", "track", "step")
_EMPTY: tuple[object, ...] = ("*", "", None, [], {})
# What differs from run to run, and hashes of files that are changed for their own sake.
_OTHERS = {"seconds", "program", "settings", "prompts_sha256", "before_sha256", "after_sha256", "position"}


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


def _path(word: str, folder: Path) -> str:
    start, rest = word[:1], word[1:]
    return str(folder / rest) if start == "@" else word.replace("demo/", f"{SAMPLES}/", 1)


def _in_few(said: Any) -> Any:  # noqa: ANN401 (any JSON value)
    """Spans and terms, of which there are hundreds, in few words each, by report, category and section."""
    found: dict[str, list[str]] = {}
    if isinstance(said, list) and said and "outer" in said[0]:
        for one in said:
            about = " ".join(str(one[name]) for name in ("polarity", "field", "origin", "note") if one[name])
            place = f"{one['start']}-{one['end']} {about}: {one['quote'][:20]}"
            found.setdefault(f"{one['report']} {one['category']} {one['section']}", []).append(place)
    elif isinstance(said, dict) and "ontology" in said and "documents" in said:
        for report in said["documents"]:
            terms = report["phenotypes"]
            told = ["{start}-{end} {hpo_id} {polarity} {onset}".format_map(one) for one in terms]
            found[report["id"]] = told
    return found or said


class Flows:
    """Calls of the command line in one folder, and what each printed but for what differs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told: dict[str, list[str]] = {}
        self.parts: dict[str, dict[str, list[object]]] = {}
        # Most words come a hundred times.
        self.plain = cache(self._plain)

    def __call__(self, flow: str, call: str) -> Any:  # noqa: ANN401 (whatever the command printed)
        """Run one call, and keep what it said under `flow`."""
        words = [_path(one, self.folder) for one in shlex.split(call)]
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            try:
                code = main(words)
            except SystemExit as stop:
                code = int(stop.code or 0)
        said = json.loads(out.getvalue()) if "--json" in words and out.getvalue() else None
        self.tell(flow, f"{self.plain(call)} -> {code}", err.getvalue())
        self.tell(flow, "", out.getvalue().splitlines() if said is None else _in_few(said))
        return said

    def tell(self, flow: str, key: str, value: object) -> None:
        """Keep a value under a flow; one with a ~ behind it keeps of each report how much, and a digest."""
        told = self.told.setdefault(flow, [])
        for row in rows(self._brief(value), key):
            if flow.endswith("~"):
                name = _HASH.sub("*", re.split(r"[./ ]", row[0])[0])
                self.parts.setdefault(flow, {}).setdefault(name, []).append(row)
            else:
                told.append(json.dumps([flow, *row], ensure_ascii=False))

    def all_told(self) -> dict[str, list[str]]:
        """What was kept, digests made."""
        for flow, parts in self.parts.items():
            some = ([flow, name, f"{len(part)} {digest_of(repr(part))}"] for name, part in parts.items())
            self.told[flow] = [json.dumps(row, ensure_ascii=False) for row in some]
        return self.told

    def file(self, flow: str, path: Path) -> None:
        """Keep how many lines a file has, and a digest of what is in it."""
        for one in sorted(path.rglob("*")) if path.is_dir() else [path]:
            name, data = str(one.relative_to(self.folder)), {"": one.read_bytes()}
            if is_zipfile(one):
                with ZipFile(one) as parts:
                    data = {f"/{part}": parts.read(part) for part in filter(_PART.search, parts.namelist())}
            for part, found in data.items():
                text = self.plain(found.decode("utf-8"))
                self.tell(flow, name + part, f"{len(text.splitlines())} lines {digest_of(text)}")

    def _brief(self, value: Any) -> Any:  # noqa: ANN401 (any JSON value)
        """Without what says nothing, long words, and more digits of numbers than every machine has alike."""
        if isinstance(value, float):
            return float(f"{value:.7g}")
        if isinstance(value, str) and len(text := self.plain(value)) > _WORDS:
            return f"{text[:30]}… {len(text)} {digest_of(text)}"
        if isinstance(value, dict):
            parts = {self.plain(name): self._brief(part) for name, part in value.items()}
            return {name: part for name, part in parts.items() if part not in _EMPTY and name not in _OTHERS}
        if isinstance(value, list):
            return [self._brief(part) for part in value]
        return self.plain(value) if isinstance(value, str) else value

    def _plain(self, text: str) -> str:
        """Without what differs from run to run."""
        text = text.replace(str(self.folder), "@").replace(str(ROOT), "")
        return _TIME.sub("*time*", _ID.sub("*", text))


def write_given(folder: Path) -> None:
    """The hard texts, and what two sides have in them."""
    (folder / "hard").mkdir()
    for name, one in HARD.items():
        (folder / "hard" / f"{name}.txt").write_bytes(one["text"].encode())
    for name in ("grammar.txt", "article.xml"):
        copyfile(DATA / name, folder / "hard" / name)
    copyfile(SAMPLES / "case" / "skin.png", folder / "hard" / "f1.png")
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
    labels = [{**span, "label": f"Sign {at}"} for at, span in enumerate(annotations[1:3]) if "start" in span]
    given = {"annotations": annotations, "spans": labels, "looked_at": looked_at}
    return {"id": name, "text": one["text"], **given}


def label(run: Flows, flow: str) -> None:
    """What a person does in the window: spans of every kind, changed and removed, and every state."""
    states: tuple[ReviewState, ...] = ("done", "parked", "in progress", "done", "untouched")
    with Project.open(run.folder / "p.casespan", write=True) as project:
        ids = project.scheme.ids
        for number, key in enumerate(("people", "signs", "negations", "alkaptonuria-letter", "PMC99000003")):
            report = document(project, key)
            found = [*re.finditer(r"\w{6,}", report.document.text)][number::3][:12]
            uuids = []
            for at, one in enumerate(found):
                place, note = spans.SpanPlace(report.uuid, *one.span()), "why?" * (at % 5 == 0)
                polarity = POLARITIES[at % 3]
                added = spans.add_span(project, "Ana", place, ids[at], polarity=polarity, note=note).added
                uuids += [span.uuid for span in added]
            spans.move_span(project, uuids[0], found[0].start(), found[0].end() + 4)
            spans.relabel_span(project, uuids[1], ids[number])
            spans.set_span_field(project, uuids[4], project.scheme.category(ids[4]).fields[0])
            spans.set_span_polarity(project, uuids[2], "negated")
            spans.remove_spans(project, uuids[5:7])
            for category, stated in (("LYMPH", True), ("ENDO", True), ("ENDO", False), (ids[5], True)):
                with suppress(ProjectError):
                    spans.state_nothing_found(project, "Ana", key, category, stated=stated)
            if number < 4:
                spans.set_review_state(project, "Ana", key, "done")
            if states[number] not in ("done", "untouched"):
                spans.set_review_state(project, "Ana", key, states[number])
    run(flow, "spans @p.casespan --json")


def vary(run: Flows, flow: str) -> None:
    """Two sides that differ in all that sides differ in: the two annotators' spans, changed by lot."""
    drawn, scheme = random.Random(2), default_scheme()
    some = "--document PMC99000001 --document PMC99000004 --document late-onset-pompe"
    for side, source in (("ann", "annotator-1"), ("ben", "annotator-2")):
        file = run.folder / f"{side}.jsonl"
        run(flow, f"export @p.casespan @{side}.jsonl --format jsonl --annotator {source} {some} --json")
        reports = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        for report in reports:
            for one in tuple(report["annotations"]):
                one["polarity"] = drawn.choice(["present"] * 5 + ["negated", "uncertain"])
                if drawn.random() < 0.1:
                    one["end"] = max(one["start"] + 1, one["end"] - drawn.randint(1, 9))
                    one["quote"] = report["text"][one["start"] : one["end"]]
                if drawn.random() < 0.3:
                    one["field"] = drawn.choice(["", *scheme.category(one["category"]).fields])
                if drawn.random() < 0.2:
                    codes = drawn.sample(["HP:0001250", "HP:0001251", "HP:0000365"], drawn.randint(1, 2))
                    one["concepts"] = [{"terminology": "HPO", "code": code, "label": code} for code in codes]
                if drawn.random() < 0.2:
                    one["note"] = drawn.choice(["sure", "look again 😀"])
                if drawn.random() < 0.1:
                    report["annotations"].append({**one, "category": drawn.choice(scheme.ids), "field": ""})
            report["looked_at"] = [one for one in scheme.ids if one != "Pregnancy"]
        lines(file, *reports)


def decide(run: Flows, flow: str, sides: str = "--left left --right right") -> None:
    """Every choice in turn, in one file; what is alike first, from narrow to wide."""
    items = run(flow, f"queue @p.casespan {sides} --below 50 --json")
    found = [one for item in items for one in item["differences"]]
    for one, alike in zip(found, ("words", "cue", "head", "habit", "labels", "scope"), strict=False):
        order = f"--id {one['id']} --take left --alike {alike} --dry-run --json"
        run(flow, f"resolve @p.casespan {sides} {order}")
    orders = []
    for number, one in enumerate(found):
        take = CHOICES[number % len(CHOICES)]
        if (take, one["kind"]) == ("both", "polarity") or (take == "merged" and one["kind"] != "boundary"):
            take = "right"
        span = {"start": 21, "end": 27, "category": "GI", "polarity": "negated", "field": "tests"}
        edited = [span, {"start": 40, "end": 44, "category": "GU"}][: 1 + number % 2]
        more = {"spans": edited} if take == "edited" else {}
        orders.append({"id": one["id"], "take": take, "reason": "slip", "confidence": number % 3 / 2, **more})
    lines(run.folder / "orders.jsonl", *orders)
    run(flow, f"resolve @p.casespan {sides} --from @orders.jsonl --by Cas --json")


def judge(run: Flows, flow: str) -> None:
    """Each verdict once."""
    review = "review @p.casespan --run rules --annotator left --document laboratory"
    (found,) = run(flow, f"{review} --json")
    ids = [one["id"] for row in found["rows"] for one in row["right"]]
    run(flow, f"{review} --accept {ids[0]} {ids[1]}")
    run(flow, f"{review} --reject {ids[2]}")
    run(flow, f"{review} --edit {ids[3]} --category GU --polarity negated --place 20-31")
    run(flow, f"{review} --edit {ids[3]} --category GI --field tests --place 20-40")
    run(flow, f"{review} --accept {ids[4]} --beside")
    run(flow, f"{review} --reject {ids[0]}")
    run(flow, f"{review} --accept {ids[2]}")


def exchange(run: Flows, flow: str) -> None:
    """Each format of text written and read again, a page, and an article as it was read."""
    run("export page", "export @p.casespan @page.html --format html --annotator left --document signs --json")
    run.file("export page", run.folder / "page.html")
    run(
        "export article",
        "export @p.casespan @article.jsonl --format jsonl --annotator rules --document PMC42",
    )
    run.file("export article", run.folder / "article.jsonl")
    some = "--document signs --document laboratory --document people --document PMC99000006"
    for name, whose in (("docx", "left"), ("xlsx", "left"), ("phenopacket", "Ana"), ("profile", "Ana")):
        export = f"export @p.casespan @z.{name} --format {name} --annotator {whose} {some} --json"
        run("export more~", export)
        run.file("export more~", run.folder / f"z.{name}")
    for name in TEXTS:
        out, own = run.folder / f"o-{name}", f"export {name}"
        run(own, f"export @p.casespan @o-{name} --format {name} --annotator left {some} --json")
        run.file(own, out)
        certificate = json.loads(out.with_name(f"{out.name}.certificate.json").read_text("utf-8"))
        run.tell(own, "certificate", {**certificate, "files": len(certificate["files"])})
        run(flow, f"import @back.casespan @o-{name} --format {name} --annotator {name} --json")
        run(own, f"spans @back.casespan --annotator {name} --json")


def copy(run: Flows, flow: str) -> None:
    """Two copies of a project."""
    for name in ("one", "two"):
        copyfile(run.folder / "back.casespan", run.folder / f"{name}.casespan")
    run.tell(flow, "copies", 2)


def decide_many(run: Flows, flow: str) -> None:
    """The same for the sides that differ in all."""
    decide(run, flow, "--left ann --right ben")


def place(run: Flows, flow: str) -> None:
    """Quotes that are nearly what stands in the text, placed; spans nearly as they should be, checked."""
    drawn = random.Random(4)
    with Project.open(run.folder / "p.casespan") as project:
        for key in (*HARD, "grammar", "PMC99000001"):
            report = document(project, key)
            text = report.document.text
            grounder = Grounder(text, report.document.sections)
            words = [*re.finditer(r"\S+", text)]
            quotes = [_bent(drawn, [one[0] for one in words[at : at + 6]]) for at in range(0, len(words), 2)]
            for quote, found in zip(quotes, grounder.ground_all(quotes), strict=True):
                run.tell(flow, key, [quote, found.status, found.start, found.end, found.reason])
            for at in range(0, len(words) - 4, 3):
                start, end = words[at].start() + drawn.randint(0, 1), words[at + drawn.randint(0, 3)].end()
                polarity = drawn.choice(POLARITIES)
                for one in check_span(text, start, end - drawn.randint(0, 1), polarity):
                    run.tell(flow, key, [one.kind, one.sentence, one.start, one.end, one.polarity])


def _bent(drawn: random.Random, words: list[str]) -> str:
    """A quote as somebody gives it who does not copy."""
    at, way = drawn.randrange(len(words)), drawn.randrange(9)
    own = [
        words[:at] + words[at + 1 :],
        words[:at] + words[at : at + 2][::-1] + words[at + 2 :],
        [*words[:at], drawn.choice(["no", "possible", "severe", "not", "left", "mild", "3"]), *words[at:]],
        [re.sub(r"\d", "7", one) for one in words],
        [re.sub(r"[^\w\s]", "", one) for one in words],
        [one.upper() for one in words],
        [re.sub(r"(e?s|ed|ing)$", "", one) for one in words],
        words[: at + 1],
        words,
    ][way]
    return " ".join(own)


def unmark(run: Flows, flow: str) -> None:
    """A region changed by nobody is taken away."""
    one = run(flow, "regions @p.casespan --annotator right --json")[-1]["id"]
    run(flow, f"regions @p.casespan --annotator right --remove {one}")


def examine(run: Flows, flow: str) -> None:
    """Two models and a person answer the examination by lot, with every kind of reply there is."""
    drawn = random.Random(5)
    items = run(flow, "study items @s.casespan ebmqa --prompts --json")
    for name in ("one", "two"):
        replies = []
        for item in items:
            keys = [one["key"] for one in item["input"]["options"]]
            right = item["reference"]["correct"][0]
            for order, idk in ((0, True), (1, True), (0, False), (1, False)):
                said = drawn.choice([right, *keys, "X", json.dumps({"answer": keys[0]}), "maybe"])
                replies.append({"item": item["id"], "order": order, "idk": idk, "reply": said})
        lines(run.folder / "replies.jsonl", *replies[: len(replies) - 7])
        run(flow, f"study run @s.casespan ebmqa --replay @replies.jsonl --orders 2 --idk both --name {name}")
    for at in range(8):
        said = run(flow, "study answer @s.casespan ebmqa --person Eva --count 6 --next --json")
        if said["item"]:
            chosen = '["X"]' if at % 4 == 0 else '["A"]'
            answer = f"--item {said['item']} --value '{chosen}' --seconds {at + 3}"
            run(flow, f"study answer @s.casespan ebmqa --person Eva --count 6 {answer}")
    run(flow, "study answer @s.casespan ebmqa --person Eva --count 6 --close --json")
    results(run, flow, "ebmqa --by type --by task")


def weigh(run: Flows, flow: str) -> None:
    """Questions made of evidence of every kind, by both profiles."""
    write_evidence(run.folder / "evidence")
    given = "--hpoa @evidence/phenotype.hpoa --orphanet @evidence/orphanet --phenopackets @evidence/patients"
    more = "tea,risk factor,rickets,,0.6,,0.7,,,\ntea,risk factor,rash,,2,1,3,,,\nmilk,ppv,gout,,,,0.4,,,\n"
    (run.folder / "own.csv").write_text(OWN + more, "utf-8")
    for profile, also in (("strict", ""), ("paper", "--benchmark")):
        run(flow, f"new @{profile}.casespan")
        build = f"study build @{profile}.casespan ebmqa {given} --evidence @own.csv --controls 4"
        run(flow, f"{build} --profile {profile} {also} --json")
        run(flow, f"study items @{profile}.casespan ebmqa --json")


def screen(run: Flows, flow: str) -> None:
    """Each task of RareBench answered by what answers it, and by replies."""
    found = ["HP:0001166", "HP:0001083", "HP:0002616"], ["HP:0000510", "HP:0001513", "HP:0010442"]
    texts = "He has long fingers and a dislocated lens, no seizures.", "A boy with night blindness."
    codes = ["OMIM:154700"], ["OMIM:615981"]
    cases = [
        {"id": name, "set": name, "present": here, "diagnoses": code, "text": text, "entities": [
            {"text": text.split(" and ")[0].split("with ")[-1], "hpo_id": here[0]}]}
        for name, here, text, code in zip("AB", found, texts, codes, strict=True)
    ]  # fmt: skip
    lines(run.folder / "cases.jsonl", *cases, {"id": "C", "present": ["HP:0001250"]})
    (run.folder / "few.txt").write_text("Marfan syndrome\nOMIM:600151\tcommon\nOMIM:615981\trare\n", "utf-8")
    build = "study build @s.casespan rarebench --from @cases.jsonl --task t1 --task t2 --task t3 --task t4"
    run(flow, f"{build} --disease OMIM:154700 --disease OMIM:615981 --candidates @few.txt --json")
    for name in ("ranker", "neighbours"):
        run(flow, f"study run @s.casespan rarebench --task t3 --task t4 --with {name} --name {name}")
    run(flow, "study run @s.casespan rarebench --task t1 --with rules --name rules")
    items = run(flow, "study items @s.casespan rarebench --prompts --json")
    listed = "1. Bardet-Biedl syndrome 2\n2. **Marfan's syndrome**"
    for task, said in (("t1", "HP:0001166, HP:0001250"), ("t2", "Yes."), ("t3", listed), ("t4", listed)):
        replies = [{"item": one["id"], "reply": said} for one in items if one["task"] == task]
        lines(run.folder / "replies.jsonl", *replies)
        run(flow, f"study run @s.casespan rarebench --task {task} --replay @replies.jsonl --name said-{task}")
    run(flow, "study build @s.casespan rarebench --from @cases.jsonl --task t1 --level gee --json")
    results(run, flow, "rarebench --by set")


def code_diseases(run: Flows, flow: str) -> None:
    """Invented admissions coded by each method and by replies."""
    write_fixture(run.folder / "mimic", 240, 3)
    tables = " ".join(f"@mimic/tables/{one.name}" for one in sorted((run.folder / "mimic/tables").iterdir()))
    run(flow, f"terminology import ICD11 {tables} --json")
    built = "--mimic @mimic --min-count 9 --reports-from @mimic/reports.csv --json"
    run(flow, f"study build @s.casespan icd11 {built}")
    for name in ("lexical", "random"):
        run(flow, f"study run @s.casespan icd11 --with {name} --count 15 --name {name}")
    replay = "--replay @mimic/invented-replies.jsonl --count 15 --repeats 3 --name said"
    run(flow, f"study run @s.casespan icd11 {replay}")
    run(flow, "study items @s.casespan icd11 --order freq-first --count 3 --prompts --json")
    results(run, flow, "icd11")


def results(run: Flows, flow: str, study: str) -> None:
    """All that a study gives out: scores, pages, tables, charts, answers and its items as a folder."""
    run(flow, f"study score @s.casespan {study} --published --json")
    name = study.split()[0]
    run(flow, f"study score @s.casespan {study} --html @{name}.html --csv @{name}-csv --svg @{name}-svg")
    run(flow, f"study export @s.casespan {name} @{name}-items --json")
    for one in ("html", "csv", "svg", "items"):
        run.file(flow, run.folder / (f"{name}.html" if one == "html" else f"{name}-{one}"))


_FUNCTIONS = (
    label,
    vary,
    decide,
    decide_many,
    judge,
    place,
    unmark,
    exchange,
    copy,
    examine,
    weigh,
    screen,
    code_diseases,
)
_BY_NAME = {one.__name__: one for one in _FUNCTIONS}


def run_all(folder: Path) -> dict[str, list[str]]:
    """Every flow, one after the other, in a folder that is empty."""
    write_given(folder)
    corpus(folder / "corpus", 20)
    run = Flows(folder)
    for line in (DATA / "flows.txt").read_text("utf-8").splitlines():
        flow, _, call = line.partition(": ")
        if call.startswith("!"):
            _BY_NAME[call[1:]](run, flow)
        elif not line.startswith("#"):
            run(flow, call)
    return run.all_told()


@contextmanager
def fixed(folder: Path) -> Iterator[None]:
    """Identifiers and times that are the same every time, and terminologies of its own."""
    drawn = random.Random(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.store.values.uuid4", lambda: UUID(int=drawn.getrandbits(128), version=4))
        clock = (_BEGIN + timedelta(seconds=seconds) for seconds in count(step=7))
        patch.setattr("app.store.values.datetime", SimpleNamespace(now=lambda _: next(clock)))
        patch.setenv(FOLDER, str(folder / "terminologies"))
        yield


def made(folder: Path) -> dict[str, list[str]]:
    """What all flows give."""
    with fixed(folder):
        return run_all(folder)


@cache
def kept() -> dict[str, list[str]]:
    """What was kept, by flow; read once for all of them."""
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
