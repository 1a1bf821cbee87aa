"""Bad input gets one clear sentence, the rest is done, and the project stays as it was."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import main
from app.store import database
from app.store.project import Project
from tests.builders import Kept
from tests.e2e.conftest import ROOT, SAMPLES, Casespan, Outcome

GOOD = SAMPLES / "reports" / "PMC99000001.xml"
BYTES = str(ROOT / "tests" / "data" / "projects" / "v01.casespan.xz")
ARTICLE = (
    "<article><front><article-meta><title-group><article-title>T</article-title></title-group>"
    "</article-meta></front>"
)

BAD_FILES = {
    "not-xml.xml": b"<article><front>",
    "not-an-article.xml": b"<recipe><step>Stir.</step></recipe>",
    "no-body.xml": f"{ARTICLE}</article>".encode(),
    "bomb.xml": b'<!DOCTYPE article [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    + b"]><article><body><p>&j;</p></body></article>",
    "external.xml": b'<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    b"<article><body><sec><title>Case</title><p>&x;</p></sec></body></article>",
    "wrong-encoding.xml": b'<?xml version="1.0" encoding="UTF-8"?>'
    b"<article><body><p>caf\xe9</p></body></article>",
    "binary.txt": bytes(range(256)) * 8,
    "empty.xml": b"",
}


def _is_one_sentence(outcome: Outcome) -> bool:
    lines = outcome.err.strip().splitlines()
    return len(lines) == 1 and lines[0].startswith("casespan: ") and "Traceback" not in outcome.err


@pytest.fixture
def project(casespan: Casespan, tmp_path: Path) -> Path:
    path = tmp_path / "p.casespan"
    casespan("new", path)
    return path


def write_good(path: Path) -> None:
    assert main(["new", str(path)]) == 0
    assert main(["import", str(path), str(GOOD)]) == 0


@pytest.fixture
def good(kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = kept.copy(write_good, tmp_path / "p.casespan")
    capsys.readouterr()
    return path


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_named_and_the_good_one_imported(
    casespan: Casespan, project: Path, tmp_path: Path, name: str
) -> None:
    bad = tmp_path / name
    bad.write_bytes(BAD_FILES[name])
    outcome = casespan("import", project, bad, GOOD, "--json")
    assert outcome.code == 1
    assert len(outcome.json["added"]) == 1
    assert len(outcome.json["left_out"]) == 1
    assert name in outcome.json["left_out"][0]["source"]
    assert outcome.json["left_out"][0]["reason"]
    assert os.uname().nodename not in outcome.out


def test_a_missing_file_is_named_and_the_good_one_imported(casespan: Casespan, project: Path) -> None:
    outcome = casespan("import", project, "nowhere.xml", GOOD, "--json")
    assert outcome.code == 1
    assert len(outcome.json["added"]) == 1
    assert "nowhere.xml" in outcome.json["left_out"][0]["source"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("agree", "{project}", "--left", "nobody", "--right", "nobody"), "nobody"),
        (("extract", "{project}", "--with", "rules", "--category", "Heart"), "Heart"),
        (("extract", "{project}", "--with", "rules", "--document", "PMC1"), "PMC1"),
        (("export", "{project}", "{folder}/x", "--format", "crb", "--annotator", "nobody"), "nobody"),
        (("list", "{folder}/missing.casespan"), "missing.casespan"),
        (("list", "{folder}"), "folder"),
        (("list", "{project}/x"), "cannot be read: Not a directory"),
        (("rescue", "{project}", "{project}"), "exists already"),
        (("export", "{project}", "{folder}", "--format", "csv", "--annotator", "gold"), "folder"),
        (("queue", "{project}", "--left", "a", "--right", "b", "--below", "nan"), "nan"),
        (("frobnicate",), "frobnicate"),
        (("new", ""), "name"),
        (("figures", "{project}", "--save", ""), "empty name"),
        (("import", "{project}", ""), "empty name"),
        (("study", "build", "{project}", "ebmqa", "--from", "{project}"), "say what it is"),
        (("study", "import", "{project}", "ebmqa", os.devnull), "no items"),
        (("figures", "{project}", "--csv", "{folder}/no/x"), "folder"),
        (("figures", "{project}", "--save", "{folder}/no/x"), "directory"),
        (("history", "{project}", "--out", "{folder}/no/x"), "directory"),
        (("history", "{folder}/missing", "--verify"), "(No such file or directory)"),
        (("rescue", "{project}", "{folder}/no/x"), "folder"),
        (("restore", ""), "folder"),
        (("restore", "{project}", "--folder", "{folder}/no"), "folder"),
        (("labels", "{project}", "--set", "{folder}/no"), "(No such file or directory)"),
        (("terminology", "import", "orphanet", "{folder}/no"), ": No such file or directory"),
        (("examine", "{project}", "--model", "x", "--html", "{folder}/no/x"), "folder"),
        (("corpus", "summary", "{folder}"), "no corpus"),
        (("study",), "list, build"),
        (("list", "{project}", "--passphrase-file", "{folder}/no"), "/no: No such file"),
        (("list", "{project}", "--passphrase-file", BYTES), "not UTF-8"),
        (("code", "{project}", "--terminology", "HPO", "--suggest"), "no annotator"),
        (("code", "{project}", "--terminology", "HPO", "--suggest", "--beside"), "goes with --set"),
        (
            ("code", "{project}", "--terminology", "HPO", "--span", "x", "--clear", "--annotator", "A"),
            "--annotator is for --suggest",
        ),
        (("phenotypes", "{project}", "--model", "m", "--entities", "A"), "goes with --level ges"),
        (
            ("code", "{project}", "--terminology", "HPO", "--span", "x", "--clear", "--model", "m"),
            "--suggest",
        ),
        (("profile", "{project}", "--document", "x"), "no annotator"),
        (("profile", "{project}", "--document", "x", "--onset", "P3Y"), "--onset goes with"),
        (("view", "{project}", "--track", "T1", "--tick"), "name their report"),
        (("icd11", "map", os.devnull, "--from", "text", "--json", "--top", "0"), "--top must be"),
        (("history", "{project}", "--verify", "--key", "{folder}/no"), "/no cannot be read"),
        (("history", "{project}", "--verify", "--key", os.devnull), "is empty"),
        (("history", "{project}", "--key-file", os.devnull), "goes with --out or --verify"),
        (
            ("export", "{project}", "r", "--format", "replies", "--annotator", "m", "--document", "R"),
            "--document is not for replies",
        ),
        (("spans", "{project}", "--annotator", "A", "--delete", "--csv", "x"), "--csv is for a list"),
        (("restore", "."), "name the .casespan file"),
        (("gold", "{project}"), "--left and --right"),
        (("plant", "{project}", "--run", "r", "--share", "x"), "above 0"),
        (("queue", "{project}", "--left", "a", "--right", "b", "--below", "x"), "from 0 to 100"),
        (("bias", "{project}"), "no people"),
        (("agree", "{project}", "--concepts", "HPO", "--left", "a", "--right", "b"), "there is none yet"),
        (("study", "export", "{project}", "ebmqa", "{folder}/x"), "no items"),
        (("study", "build", "{project}", "rarebench"), "Name the cases"),
        (
            ("study", "build", "{project}", "rarebench", "--task", "t4", "--from", "{folder}/no"),
            "to build from",
        ),
        (("terminology", "import", "snomed", os.devnull), "HPO, ICD11 and Orphanet can"),
        (("terminology", "import", "hpo", os.devnull, os.devnull), "HPO is one file"),
        (("study", "build", "{project}", "mmrarebench", "--sheet", "{folder}/x"), "build them first"),
        (("new", "{project}"), "exists"),
        (("new", "{folder}/no/such/folder/p"), "folder"),
        (("new", "{folder}/q.casespan", "--scheme", "{folder}"), "scheme.toml"),
    ],
)
def test_a_wrong_call_gets_one_sentence_and_exit_code_2(
    casespan: Casespan, good: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    before = good.read_bytes()
    outcome = casespan(*(argument.format(project=good, folder=tmp_path) for argument in arguments))
    assert outcome.code == 2
    assert outcome.out == ""
    assert _is_one_sentence(outcome)
    assert said in outcome.err
    assert good.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"no database at all, only words" * 50])
def test_a_file_that_is_no_project_is_refused_and_untouched(
    casespan: Casespan, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "x.casespan"
    path.write_bytes(content)
    outcome = casespan("import", path, GOOD)
    assert outcome.code == 2
    assert _is_one_sentence(outcome)
    assert path.read_bytes() == content


def test_another_database_is_refused(casespan: Casespan, tmp_path: Path) -> None:
    path = tmp_path / "x.casespan"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE t (a)")
    db.close()
    outcome = casespan("list", path)
    assert outcome.code == 2
    assert _is_one_sentence(outcome)


def test_a_newer_project_is_refused(casespan: Casespan, project: Path) -> None:
    db = sqlite3.connect(project)
    db.execute("PRAGMA user_version = 9999")
    db.close()
    outcome = casespan("list", project)
    assert outcome.code == 2
    assert _is_one_sentence(outcome)
    assert "newer" in outcome.err


def test_a_project_open_elsewhere_is_refused(
    casespan: Casespan, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_BUSY_SECONDS", 0.1)
    db = sqlite3.connect(project, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    outcome = casespan("import", project, GOOD)
    db.execute("ROLLBACK")
    db.close()
    assert outcome.code == 1
    assert _is_one_sentence(outcome)
    assert casespan("import", project, GOOD).code == 0


def test_what_only_reads_or_is_a_dry_run_goes_on_beside_who_writes(casespan: Casespan, good: Path) -> None:
    with Project.open(good, write=True):
        assert casespan("list", good).code == 0
        assert casespan("import", good, GOOD, "--dry-run").code == 0
        refused = casespan("import", good, GOOD)
    assert (refused.code, _is_one_sentence(refused)) == (1, True)


def test_an_export_to_a_folder_that_is_not_there_is_one_sentence(casespan: Casespan, study: Path) -> None:
    out = study.parent / "no" / "x.json"
    outcome = casespan("export", study, out, "--format", "crb", "--annotator", "gold")
    assert outcome.code == 2
    assert _is_one_sentence(outcome)


def test_help_new_and_list_load_no_heavy_library_and_import_nothing_that_draws(
    project: Path, tmp_path: Path
) -> None:
    script = """
import contextlib, io, sys
from app.cli import main
new, other, report = sys.argv[1:]
heavy = {"spacy", "pandas", "numpy", "scipy", "PySide6", "lxml", "jinja2", "reportlab", "PIL"}
for arguments in (["--help"], ["new", new], ["list", other], ["import", new, report]):
    heavy -= {"lxml"} if "import" in arguments else set()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main(arguments)
    if loaded := heavy & sys.modules.keys():
        sys.exit(f"{arguments} loaded {sorted(loaded)}")
"""
    report = SAMPLES / "reports" / "alkaptonuria-letter.txt"
    arguments = [sys.executable, "-c", script, str(tmp_path / "new.casespan"), str(project), str(report)]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "demo",
        "new",
        "import",
        "list",
        "extract",
        "agree",
        "queue",
        "export",
        "check",
        "undo",
        "redo",
        "history",
    ],
)
def test_every_command_explains_itself_with_an_example(casespan: Casespan, command: str) -> None:
    outcome = casespan(command, "--help")
    assert outcome.code == 0
    assert f"Example: casespan {command}" in " ".join(outcome.out.split())
