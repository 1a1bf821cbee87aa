"""What ranking by likelihood costs beside the model's own time: planning, calls, ledger, scores."""

from __future__ import annotations

import contextlib
import io
import json
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from app.cli import main
from extractors.terminology.library import FOLDER
from tests.bench.measure import Measure
from tests.scripted_behaviours import Call
from tests.scripted_ollama import FakeModel, ScriptedOllama

# Cut so, the fixture's short titles have about seven tokens, as WHO's longer ones do.
_TOKENS_PER_SECOND, _LETTERS, _ITEMS = 50, 3, 20


def measures() -> list[Measure]:
    """Processor time of the thread that plans, calls, records and scores, to the time of the tokens.

    The scripted server and what reads from it have threads of their own, which are not told apart.
    """
    with TemporaryDirectory() as name:
        before = os.environ.get(FOLDER)
        os.environ[FOLDER] = str(Path(name) / "data")
        try:
            ratio = _overhead(Path(name))
        finally:
            os.environ.pop(FOLDER)
            if before is not None:
                os.environ[FOLDER] = before
    return [Measure("icd11: a rank run beside its model", ratio, 0.03, f"tokens at {_TOKENS_PER_SECOND}/s")]


def _overhead(folder: Path) -> float:
    mimic, project = folder / "mimic", str(folder / "p.casespan")
    _call("icd11", "fixture", str(mimic), "--admissions", "500")
    _call("terminology", "import", "ICD11", *map(str, sorted((mimic / "tables").iterdir())))
    _call("new", project)
    built = ("--mimic", str(mimic), "--min-count", "20", "--reports-from", str(mimic / "reports.csv"))
    _call("study", "build", project, "icd11", *built)
    tokens = 0

    def write(call: Call) -> None:
        nonlocal tokens
        (label,) = call.body["format"]["enum"]
        pieces = ['"', *(label[at : at + _LETTERS] for at in range(0, len(label), _LETTERS)), '"']
        tokens += len(pieces)
        for piece in pieces:
            call.piece(piece, logprobs=[{"token": piece, "logprob": -0.5}])
        call.done()

    with ScriptedOllama(models=[FakeModel("tiny", tokens=(), kinds=())]) as server:
        server.script(*[write] * 5000)
        how = ("--model", "tiny", "--host", server.url, "--arm", "rank", "--repeats", "1")
        # The first call loads libraries, and asks what labels cost without a report.
        _call("study", "run", project, "icd11", *how, "--count", "1")
        tokens = 0
        begun = time.thread_time()
        _call("study", "run", project, "icd11", *how, "--count", str(_ITEMS))
        _call("study", "score", project, "icd11", "--json")
        return (time.thread_time() - begun) / (tokens / _TOKENS_PER_SECOND)


def _call(*arguments: str) -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(list(arguments))
    if code:
        raise RuntimeError(json.dumps([arguments, said.getvalue()]))
