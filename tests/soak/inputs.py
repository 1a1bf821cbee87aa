"""Every file that a command reads, changed as a fuzzer would: a sentence and a code come back, nothing else.

A `Source` is a command and a file that it reads well. What changes them knows bytes, lines and JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sqlite3
import tarfile
import traceback
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import gettempdir
from typing import Any, TypeAlias

from app.cli import main
from app.formats import READ_FORMATS, WRITE_FORMATS
from extractors.assets import asset
from tests.icd11 import write_tables

PROJECT, FILE, FOLDER = "PROJECT", "FILE", "FOLDER"
_CODES = (0, 1, 2)
# What has broken readers: of numbers, text, markup, archives and paths.
_ODD: tuple[Any, ...] = (
    None, True, -1, 0, 2**31, 2**64, 10**40, -(10**9), 1.5, 1e308, float("nan"), float("inf"),
    "", " ", "\0", "\ud800", "\ufeff", "\u202e", "😀", "../../x", "/etc/passwd", "=1+1", "<script>",
    "A" * 70_000, "1" * 5000, "NaN", "HP:0000001", [], {}, [[]] * 50, {"": {"": []}},
    ["x", 1, None], {"id": 1},
)  # fmt: skip
_PIECES = tuple(
    piece.encode("utf-8", "surrogatepass")
    for piece in (
        *(one for one in _ODD if isinstance(one, str)),
        "\r", "\n\n", "\t", ",", '"', "'", "[", "{", "]}", "<", "&#0;", "&x;", "-->", "\\u0000",
        '<!DOCTYPE a [<!ENTITY x "y">]>',
        "\\ud800", "9" * 400, "-", "1e999", "T1\tA 5 1\tx", "[[", "= ", "#",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """A command as it is typed, PROJECT, FILE and its FOLDER in the place of these, and what the file is at
    first; `among` is a folder of files that it stands among, `file` then its name."""

    name: str
    command: tuple[str, ...]
    raw: bytes
    suffix: str
    among: Path | None = None
    file: str = "file"


def written(folder: Path) -> list[Source]:
    """Files written by hand, and those of the tests."""
    demo, case = asset("resources", "demo"), Path(__file__).parents[1] / "data" / "jats" / "case.xml"
    annotator, scheme = ("--annotator", "x"), asset("guidelines", "clinical14")
    new = ("new", str(folder / "new.casespan"), "--scheme", FOLDER)
    sealed = ("history", PROJECT, "--out", str(folder / "new.jsonl"))
    found = [
        Source(name, command, text.encode(), Path(name).suffix) for name, (command, text) in _TEXTS.items()
    ]
    package = BytesIO()
    with tarfile.open(fileobj=package, mode="w:gz") as tar:
        tar.add(case, "PMC1/case.nxml")
    cases = folder / "cases.jsonl"
    cases.write_text(json.dumps(_CASE) + "\n", "utf-8")
    orphanet = ("terminology", "import", "orphanet", FILE)
    t3 = (*_STUDY, "rarebench", "--task", "t3", "--from", str(cases))
    return [
        *found,
        Source("import package", ("import", PROJECT, FILE), package.getvalue(), ".tar.gz"),
        Source("import terms", ("import", PROJECT, str(case), "--terms", FILE), b"Marfan\nGout\n", ".txt"),
        Source("import hpo", ("terminology", "import", "hpo", FILE), _zipped("hp.obo", _OBO), ".zip"),
        Source("zipped hpoa", (*_STUDY, "ebmqa", "--hpoa", FILE), _zipped("phenotype.hpoa", _HPOA), ".zip"),
        Source("orphanet xml", orphanet, _JDBOR.encode(), ".xml"),
        Source("orphapacket", orphanet, json.dumps(_ORPHAPACKET).encode(), ".json"),
        Source("gem", ("terminology", "import", "icd11", FILE), _GEM, ".csv", file="icd9toicd10cmgem"),
        _source("items", ("study", "import", PROJECT, "rarebench", FILE), _items(folder, cases)),
        Source("candidates", (*t3, "--candidates", FILE), b"OMIM:154700\trare\n", ".txt"),
        Source("passphrase", ("list", PROJECT, "--passphrase-file", FILE), b"correct horse\n", ".txt"),
        Source("key", (*sealed, "--key-file", FILE), b"secret\n", ".key"),
        _source("import jats", ("import", PROJECT, FILE), case),
        _source("import text", ("import", PROJECT, FILE), demo / "reports" / "alkaptonuria-letter.txt"),
        _source("import crb", ("import", PROJECT, FILE, *annotator), demo / "annotations" / "gold.json"),
        _source("figures", ("figures", PROJECT, "--from", FILE), case),
        _source("replies", ("extract", PROJECT, "--replay", FILE), demo / "replies.jsonl"),
        *(
            Source(f"scheme {name}", new, (scheme / name).read_bytes(), "", scheme, name)
            for name in ("scheme.toml", "Neuro.md")
        ),
        *(
            _source(f"icd11 {table.name}", ("terminology", "import", "icd11", FILE), table)
            for table in write_tables(folder, "en")
        ),
    ]


def _zipped(name: str, text: str) -> bytes:
    raw = BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return raw.getvalue()


def _items(folder: Path, cases: Path) -> Path:
    """The items of a study as it writes them."""
    project, out = folder / "items.casespan", folder / "items"
    with _unheard():
        main(["new", str(project)])
        main(["study", "build", str(project), "rarebench", "--task", "t4", "--from", str(cases)])
        main(["study", "export", str(project), "rarebench", str(out)])
    return out / "items.jsonl"


def exported(folder: Path, project: Path) -> list[Source]:
    """What the program writes of a project, which has annotations of `gold`, and reads again."""
    found = [
        _source("merge", ("merge", PROJECT, FILE), project),
        _source("check", ("check", FILE), project),
        _source("list", ("list", FILE), project),
        _source("rescue", ("rescue", FILE, str(folder / "rescued.casespan")), project),
    ]
    trail, sheet = folder / "trail.jsonl", folder / "sheet.csv"
    rate = ("rate", PROJECT, "--rater", "x", "--run", "gold")
    with _unheard():
        main(["history", str(project), "--out", str(trail)])
        main([str(project) if one == PROJECT else one for one in (*rate, "--template", str(sheet))])
    sheet.write_text(sheet.read_text("utf-8").replace(",,", ",4,", 1), "utf-8")
    found.append(_source("trail", ("history", FILE, "--verify"), trail))
    found.append(_source("sheet", ("rate", PROJECT, "--from", FILE), sheet))
    for name in sorted({*WRITE_FORMATS} & {*READ_FORMATS}):
        out = folder / f"export-{name}"
        with _unheard():
            main(["export", str(project), str(out), "--format", name, "--annotator", "gold"])
        # Of a folder one file is enough to begin with.
        file = max(out.rglob("*"), key=lambda one: one.stat().st_size) if out.is_dir() else out
        for more in ((), ("--format", name)):
            found.append(_source(f"import {name}", ("import", PROJECT, FILE, *more), file, out.is_dir()))
    return found


def _source(name: str, command: tuple[str, ...], file: Path, among: bool = False) -> Source:
    if among:
        return Source(name, command, file.read_bytes(), file.suffix, file.parent, file.stem)
    return Source(name, command, file.read_bytes(), file.suffix)


_CASE = {
    "id": "a", "present": ["HP:0001166"], "excluded": ["HP:0001250"], "diagnoses": ["OMIM:154700"],
    "publications": ["PMID:1"],
}  # fmt: skip
_MATCHED = {"patient": {"id": "m", "features": [{"id": "HP:0001166"}]}}
_PACKET = {
    "id": "p", "subject": {"id": "s"}, "metaData": {"phenopacketSchemaVersion": "2.0"},
    "phenotypicFeatures": [{"type": {"id": "HP:0001166", "label": "Arachnodactyly"}, "excluded": False}],
    "interpretations": [{"id": "i", "diagnosis": {"disease": {"id": "OMIM:154700", "label": "Marfan"}}}],
}  # fmt: skip
_ORPHAPACKET = {
    "Orphapacket": {
        "ORPHApacketId": "558", "version": "1.3.42", "ORPHAcode": "558", "Label": "Marfan syndrome",
        "DisorderType": {"value": "Disease"}, "Synonyms": [{"Synonym": "MFS"}],
        "ExternalReferences": [
            {"Source": "OMIM", "Reference": "154700", "DisorderMappingRelation": "E (Exact mapping)"}
        ],
        "Parents": [{"Parent": {"ORPHAcode": "98006", "Label": "Rare genetic disease"}}],
        "TextSection": {"TextSectionType": "Definition", "Contents": "A disorder of connective tissue."},
    }
}  # fmt: skip
_STUDY = ("study", "build", PROJECT)
_HPOA = (
    "#version: 2024-01-01\ndatabase_id\tdisease_name\tqualifier\thpo_id\treference\tevidence\tonset\t"
    "frequency\tsex\tmodifier\taspect\tbiocuration\n"
    "OMIM:1\tA\t\tHP:0001166\tPMID:1\tPCS\t\t30/70\t\t\tP\tx\nOMIM:1\tA\t\tHP:0001250\tPMID:1\tPCS\t\t10/70\t\t\tP\tx\n"
)
_OBO = (
    "format-version: 1.2\ndata-version: hp/releases/2024-01-01\nontology: hp\n\n[Term]\nid: HP:0000118\n"
    "name: Phenotypic abnormality\nalt_id: HP:0000002\n\n[Term]\nid: HP:0001166\nname: Arachnodactyly\n"
    'synonym: "Spider fingers" EXACT []\nis_a: HP:0000118 ! Phenotypic abnormality\nxref: UMLS:C0003706\n'
)
_GEM = (
    b"icd9cm,icd10cm,flags,approximate,no_map,combination,scenario,choice_list\n"
    b"25000,E119,10000,1,0,0,0,0\n4019,I10,00000,0,0,0,0,0\n"
)
_JDBOR = (
    '<?xml version="1.0"?><JDBOR date="2024-01-01" version="1"><DisorderList count="1"><Disorder id="1">'
    '<OrphaCode>558</OrphaCode><Name lang="en">Marfan syndrome</Name><SynonymList count="1">'
    '<Synonym lang="en">MFS</Synonym></SynonymList></Disorder></DisorderList></JDBOR>'
)
_TEXTS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "cases.jsonl": (("rank", FILE, "--json"), json.dumps(_CASE) + "\n"),
    "packet.json": (("rank", FILE, "--json"), json.dumps(_PACKET)),
    "matchmaker.json": (("rank", FILE), json.dumps(_MATCHED)),
    "rows.jsonl": (("rank", FILE), json.dumps({"Phenotype": ["HP:0001166"], "RareDisease": ["OMIM:154700"]})),
    "t4.jsonl": ((*_STUDY, "rarebench", "--task", "t4", "--from", FILE), json.dumps(_CASE) + "\n"),
    "phenotype.hpoa": ((*_STUDY, "ebmqa", "--hpoa", FILE), _HPOA),
    "names.tsv": (
        ("terminology", "import", "orphanet", FILE),
        "code\tname\taliases\nORPHA:558\tMarfan syndrome\tMFS\n",
    ),
    "labels.toml": (("labels", PROJECT, "--set", FILE), '[labels]\n"Sign" = "Neuro"\n'),
    "decisions.json": (
        ("resolve", PROJECT, "--left", "annotator-1", "--right", "annotator-2", "--by", "x", "--from", FILE),
        '[{"id": "PMC99000006/MSK", "take": "left", "reason": "slip", "note": ""}]\n',
    ),
}  # fmt: skip


def altered(raw: bytes, rng: Random) -> bytes:
    """The file changed at one to four places."""
    for _ in range(rng.randint(1, 4)):
        raw = rng.choice(_WAYS)(raw, rng)
    return raw


def _flip(raw: bytes, rng: Random) -> bytes:
    file = bytearray(raw)
    for _ in range(rng.choice((1, 3, 30))):
        if file:
            file[rng.randrange(len(file))] ^= 1 << rng.randrange(8)
    return bytes(file)


def _cut(raw: bytes, rng: Random) -> bytes:
    start = rng.randrange(len(raw) + 1)
    return raw[:start] + raw[start + rng.choice((1, 7, 100, len(raw))) :]


def _insert(raw: bytes, rng: Random) -> bytes:
    start = rng.randrange(len(raw) + 1)
    return raw[:start] + rng.choice(_PIECES) + raw[start + rng.choice((0, 0, 1, 5)) :]


def _repeat(raw: bytes, rng: Random) -> bytes:
    start = rng.randrange(len(raw) + 1)
    piece = raw[start : start + rng.choice((1, 20, 500))]
    return raw[:start] + piece * rng.choice((2, 3, 200)) + raw[start:]


def _swap_lines(raw: bytes, rng: Random) -> bytes:
    lines = raw.split(b"\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _other_json(raw: bytes, rng: Random) -> bytes:
    """One value somewhere in a JSON document, or in one of its lines, is another."""
    lines = raw.split(b"\n")
    place = rng.randrange(len(lines))
    for first, last in ((0, len(lines)), (place, place + 1)):
        try:
            value = json.loads(b"\n".join(lines[first:last]))
        except (ValueError, RecursionError):
            continue
        return b"\n".join((*lines[:first], json.dumps(_other(value, rng)).encode(), *lines[last:]))
    return _insert(raw, rng)


def _other(value: Any, rng: Random) -> Any:  # noqa: ANN401 (whatever JSON holds)
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {one: old for one, old in value.items() if one != key}
        return {**value, key: _other(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.85:
        place = rng.randrange(len(value))
        return [*value[:place], _other(value[place], rng), *value[place + 1 :]]
    return rng.choice(_ODD)


_Way: TypeAlias = Callable[[bytes, Random], bytes]
_WAYS: tuple[_Way, ...] = (_flip, _cut, _insert, _repeat, _swap_lines, _other_json, _other_json)


@contextlib.contextmanager
def _unheard() -> Iterator[io.StringIO]:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        yield said


def faults(
    found: Sequence[Source], project: Path, folder: Path, rng: Random, each: int
) -> Iterator[tuple[str, str]]:
    """Try each source as it is and `each` times altered: its name, and what went wrong, "" for nothing.

    What a command keeps for a user goes into `folder`.
    """
    os.environ["XDG_DATA_HOME"] = os.environ["APPDATA"] = str(folder / "home")
    outside = folder / "outside"
    kept = {*folder.iterdir(), folder / "home"}
    for number in range(each + 1):
        for source in found:
            outside.mkdir()
            work = Path(shutil.copyfile(project, outside / "work.casespan"))
            before = _acts(work)
            held = shutil.copytree(source.among, outside / "held") if source.among else outside
            file = held / f"{source.file}{source.suffix}"
            file.write_bytes(altered(source.raw, rng) if number else source.raw)
            names = {PROJECT: str(work), FILE: str(file), FOLDER: str(held)}
            fault = _fault([names.get(one, one) for one in source.command], file, work, before, not number)
            shutil.rmtree(outside)
            # A small terminology that was imported is not what others work with.
            shutil.rmtree(folder / "home", ignore_errors=True)
            beside = {*folder.iterdir()} - kept
            if strange := [one.name for one in beside if not one.name.startswith(("rescued.", "new."))]:
                fault += f"written: {strange}"
            for one in beside:
                one.unlink()
            yield source.name, fault


def _acts(project: Path) -> int:
    """How long its history is."""
    with contextlib.closing(sqlite3.connect(project)) as opened:
        (number,) = opened.execute("SELECT max(seq) FROM history").fetchone()
        return int(number)


def _fault(command: list[str], file: Path, work: Path, before: int, as_it_is: bool) -> str:
    try:
        with _unheard() as said:
            code = main(command)
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 2
    except BaseException:
        kept = Path(gettempdir()) / f"{sha256(file.read_bytes()).hexdigest()[:12]}{file.suffix}"
        shutil.copyfile(file, kept)
        return f"{' '.join(command)} [{kept}]\n{traceback.format_exc()}"
    if code not in _CODES:
        return f"{' '.join(command)}: code {code}"
    if code == 2 and as_it_is:
        return f"{' '.join(command)}: refused as it is: {said.getvalue()}"
    if code and not said.getvalue().strip():
        return f"{' '.join(command)}: nothing said"
    return f"{' '.join(command)}: refused, but done" if code == 2 and _acts(work) != before else ""
