"""A corpus whose workers, and then the whole run, are killed at any moment, and which is taken up again."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import psutil

from app.operations.corpus.extracting import CorpusOptions, extract_corpus
from app.operations.corpus.schema import TABLES, TableName, finished_parts, read_table
from extractors.model.progress import finished
from tests.corpora import write_archive

ROOT = Path(__file__).parents[2]
_PART = 10


def killed_corpora(folder: Path, reports: int, count: int, seed: int = 0) -> Iterator[str]:
    """After each of `count` kills what was left, and in the end what differs from an undisturbed run."""
    rng = Random(seed)
    archive = write_archive(folder / "bulk.tar.gz", reports)
    out, whole = folder / "killed", folder / "whole"
    finished(extract_corpus([archive], whole, CorpusOptions()))
    acts = f"corpus extract --with rules --part-size {_PART} --workers 2".split()
    command = [sys.executable, "-m", "app.cli", *acts, str(archive), "--out", str(out)]
    for number in range(count):
        before = len(finished_parts(out))
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            ahead = rng.randint(0, max(1, reports // _PART // count))
            while run.poll() is None and len(finished_parts(out)) <= before + ahead:
                time.sleep(0.05)
            for child in psutil.Process(run.pid).children()[-1:] if run.poll() is None else []:
                child.kill()
            time.sleep(rng.random())
            run.kill()
        yield f"kill {number + 1}: {before} parts before, {len(finished_parts(out))} after"
    code = subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode
    differing = [name for name in TABLES if _rows(out, name) != _rows(whole, name)]
    yield f"taken up to the end (exit {code}): {', '.join(differing) or 'nothing'} differs"


def _rows(folder: Path, name: TableName) -> list[str]:
    return sorted(map(str, read_table(folder, name).to_pylist()))
