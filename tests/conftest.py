"""What tests of every kind have in common."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from app.gui.shell.collector import collect_due
from tests.builders import Kept

# A busy machine is slow; tests measure no time. `make soak` draws what one short run does not.
settings.register_profile("short", deadline=None, max_examples=20)
settings.register_profile("long", deadline=None, max_examples=1_000)
settings.load_profile("short")
# Projects are written so that they outlast a power cut; those of tests go to memory where there is room.
_MEMORY, _ROOM = Path("/dev/shm"), 8 * 2**30
if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
# Else each call of the command line looks eight times for words of its parser in another language.
os.environ["LANGUAGE"] = "C"
_SHORT = {"unit", "extractors"}
# What is imported stays: looking for garbage among it took a third of the time of collecting the tests.
gc.disable()


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Builds projects once, for all processes that share the tests out, and hands out copies."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "kept"
    folder.mkdir(exist_ok=True)
    return Kept(folder)


@pytest.fixture(scope="module")
def one_reader() -> Iterator[None]:
    """A module's tests read all files in one process, as a folder is read: beginning it takes longest."""
    from app.formats.documents import outside

    reader = outside.Outside()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "close", lambda: None)
        patch.setattr(outside, "Outside", lambda: reader)
        yield
    reader.close()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Whoever runs the tests in the background may have Ctrl-C ignored, which children inherit."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_xdist_auto_num_workers() -> int:
    """One a processor: another would take as long to load all tests as it filled of what others wait."""
    return os.cpu_count() or 1


def pytest_configure(config: pytest.Config) -> None:
    """Every second process begins at the other end: what one has compiled of the tests the other need not."""
    if not config.getoption("--hypothesis-profile"):
        # Else it reads every module for numbers and words to draw now and then: two seconds a process.
        providers._get_local_constants = lambda: providers._local_constants
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is not None:
        # All has been told: taking the whole memory apart, piece by piece, would be waited for.
        atexit.register(os._exit, 0)
        if worker[-1] in "13579":
            config.args.reverse()
        _tell_little(config)


def _tell_little(config: pytest.Config) -> None:
    """Of a test that passes one event says so, and one that it is over: each takes both processes' time."""
    interactor: Any = next(one for one in config.pluginmanager.get_plugins() if hasattr(one, "sendevent"))
    send = interactor.sendevent

    def tell(name: str, **told: Any) -> None:  # noqa: ANN401 (whatever there is to tell)
        around = name == "testreport" and "passed" in told["data"] and told["data"]["when"] != "call"
        if not around and name not in ("logstart", "logfinish"):
            send(name, **told)

    interactor.sendevent = tell


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Rooms of many short tests go last: where one begun last is long, the other processors wait for it."""
    rooms = config.getini("testpaths")

    def place(item: pytest.Item) -> tuple[bool, list[bool], str]:
        file = item.nodeid.partition("::")[0]
        return _SHORT.issubset(item.path.parts), [not file.startswith(room) for room in rooms], file

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """All that was imported stays: the collector need not go through it, not even once."""
    gc.freeze()
    # At seven hundred new objects, as is usual, looking for garbage takes a tenth of the time.
    gc.set_threshold(20_000)


@pytest.hookimpl(tryfirst=True)
def pytest_report_to_serializable(
    report: pytest.TestReport | pytest.CollectReport,
) -> dict[str, object] | None:
    """Of what passed little is told to the main process, which else is busy with it a millisecond a test."""
    plain = isinstance(report, pytest.TestReport) and report.passed and not hasattr(report, "wasxfail")
    return {"passed": report.nodeid, "when": report.when, "duration": report.duration} if plain else None


@pytest.hookimpl(tryfirst=True)
def pytest_report_from_serializable(data: dict[str, Any]) -> pytest.TestReport | None:
    """The report of what passed, made anew."""
    if (name := data.pop("passed", None)) is None:
        return None
    where = name.partition("::")[0], None, name
    return pytest.TestReport(name, where, {}, "passed", None, **data)


def pytest_runtest_logfinish() -> None:
    """Circles are taken apart between tests, in the thread of the widgets among them."""
    collect_due()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """What lately became garbage is looked at; pytest would go twice through all that ever was read."""
    gc.collect(1)
    gc.freeze()
