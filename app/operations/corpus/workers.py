"""Parts read by Dask workers: each has one thread, and one process apart in which reports are read.

A worker only waits for its process, so those of this machine are threads of this program; scheduler, workers
and dashboard speak TLS on loopback. Dask alone shares out the parts, here or on a cluster.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import pickle
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from app.formats.documents.outside import Apart, BrokenDownError, Limits, TooLargeError, TooLongError
from app.operations.corpus.reading import Answer, Job, Passed, prepare
from extractors.model.errors import CallError, CasespanError, RemoteRefusedError, ServerError

if TYPE_CHECKING:
    from distributed import Client, Future, Worker

    from app.operations.corpus.inputs import Bundle, Unit

MAX_MEMORY = 540_000_000
_GROWN = 400_000_000
_TIMES = 2
# Processes killed in a row before one is ready, as happens where memory is short, until reading is given up.
_BEGINNINGS = 5
_NAME = "casespan"
_LOOPBACK = "127.0.0.1"
_WAIT_SECONDS = 0.2
# Parts begun ahead for each worker: while one hangs on a report, the others go on.
_AHEAD = 4


@dataclass(frozen=True, slots=True)
class Place:
    """Where parts are read: by so many `workers` of this machine, or on the cluster at an address."""

    workers: int = 1
    cluster: str = ""
    allow_remote: bool = False


class Reader:
    """Reads in one process apart whatever comes, and sets aside what does it harm. Closed, it gives up."""

    def __init__(self, job: Job, seconds: float) -> None:
        self._limits = Limits(seconds, MAX_MEMORY, _GROWN)
        self._apart = Apart(partial(_prepare_pickled, job), self._limits, "reader of reports")
        self._reading, self._closed = threading.Lock(), threading.Event()

    def read(self, unit: Unit) -> bytes:
        """What came of it: `Answer`s, pickled once for whoever writes them, since they are large.

        A process that broke down may have been ended by others: a second one tries, too.
        Raises what `prepare` raises, and CasespanError where no process can be begun.
        """
        with self._reading:
            tried = unready = 0
            while tried < _TIMES and unready < _BEGINNINGS:
                fresh = self._apart.asked == 0
                try:
                    return self._answer(unit)
                except BrokenDownError as error:
                    unready, last = 0 if error.ready else unready + 1, False
                    tried += error.ready
                    trouble = ("crashed", "Reading it ended the process that read it.")
                except TooLargeError:
                    # What came before may be what filled a process that is not fresh.
                    tried, last = tried + 1, fresh
                    trouble = ("memory limit", f"It takes more than {MAX_MEMORY // 1_000_000} MB of memory.")
                except TooLongError:
                    last = True
                    trouble = ("time limit", f"It takes more than {self._limits.seconds:g} seconds.")
                except CasespanError:
                    raise
                except Exception as error:  # a fault of ours costs this report alone
                    last = True
                    trouble = ("crashed", f"Please report this file ({type(error).__name__}).")
                if last:
                    break
        if unready == _BEGINNINGS:
            raise CasespanError("The process that reads reports could not be begun; is memory left?")
        return pickle.dumps([Passed(unit.payload.source, *trouble)])

    def close(self) -> None:
        """Give up what is being read, and end the process."""
        self._closed.set()
        with self._reading:
            self._apart.close()

    def _answer(self, unit: Unit) -> bytes:
        steps = self._apart.ask(unit)
        try:
            while not self._closed.is_set():
                next(steps)
        except StopIteration as end:
            found: bytes = end.value
            return found
        finally:
            steps.close()
        raise CasespanError("Reading was given up.")


def _prepare_pickled(job: Job) -> Callable[[Unit], bytes]:
    answer = prepare(job)
    return lambda unit: pickle.dumps(answer(unit))


class _Readers:
    """What gives each Dask worker its reader: a plugin as Dask wants it."""

    name = _NAME

    def __init__(self, job: Job, seconds: float) -> None:
        self._job, self._seconds = job, seconds
        self.reader: Reader | None = None

    def setup(self, worker: Worker) -> None:
        self.reader = Reader(self._job, self._seconds)

    def teardown(self, worker: Worker) -> None:
        if self.reader is not None:
            self.reader.close()


def read_units(units: Iterable[Unit]) -> list[bytes]:
    """The task of a Dask worker: a part, unit by unit."""
    from distributed import get_worker

    reader: Reader = get_worker().plugins[_NAME].reader
    return [reader.read(unit) for unit in units]


def read_in_order(
    bundles: Iterator[Bundle],
    wanted: Callable[[Bundle], bool],
    job: Job,
    seconds: float,
    place: Place,
    say: Callable[[str], None],
) -> Iterator[tuple[Bundle, list[Answer] | None] | None]:
    """What came of each part, in their order; None for one that is not wanted, and None while one is awaited.

    `say` hears where Dask shows what it does. No worker is begun before a part is wanted. Raises ServerError
    for a cluster that is not there.
    """
    waiting: deque[tuple[Bundle, Future | None]] = deque()
    with ExitStack() as stack:
        client: Client | None = None
        most = _AHEAD
        while True:
            for bundle in islice(bundles, most - len(waiting)):
                future = None
                if wanted(bundle):
                    if client is None:
                        client, workers = stack.enter_context(_dask(job, seconds, place, say))
                        most = _AHEAD * workers
                    key = f"part-{bundle.part}-{bundle.sha256[:8]}"
                    future = client.submit(read_units, bundle.units, key=key, pure=False)
                waiting.append((replace(bundle, units=()), future))
            if not waiting:
                return
            bundle, future = waiting[0]
            if future is not None and not _ended(future):
                yield None
                continue
            waiting.popleft()
            yield bundle, None if future is None else _result(future)


def _ended(future: Future) -> bool:
    """Wait a moment for a part."""
    from distributed import wait

    try:
        wait([future], timeout=_WAIT_SECONDS)
    except TimeoutError:
        return False
    except CancelledError:  # which its result says
        return True
    return True


def _result(future: Future) -> list[Answer]:
    from distributed import KilledWorker

    try:
        pickled: list[bytes] = future.result()
    except (KilledWorker, CancelledError) as error:
        raise ServerError(
            f"The cluster lost its scheduler or its workers ({type(error).__name__}); finished parts are "
            "kept, and the same command goes on from there."
        ) from None
    return [answer for one in pickled for answer in pickle.loads(one)]


def refuse_place(place: Place) -> None:
    """Raise CallError without Dask or for no address, RemoteRefusedError for a cluster elsewhere."""
    if find_spec("distributed") is None:
        raise CallError("This needs Dask: python -m pip install 'casespan[corpus]'.")
    host = urlsplit(place.cluster).hostname or ""
    if place.cluster and not host:
        raise CallError(f"{place.cluster} is no address of a cluster, like tls://127.0.0.1:8786.")
    if place.cluster and not (host == "localhost" or _is_loopback(host) or place.allow_remote):
        raise RemoteRefusedError(f"The reports' text would go to {host}; if it may, add --allow-remote.")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@contextmanager
def _dask(job: Job, seconds: float, place: Place, say: Callable[[str], None]) -> Iterator[tuple[Client, int]]:
    """A client with its number of workers, who have their readers."""
    import dask
    from distributed import Client, WorkerPlugin

    plugin = type("Readers", (_Readers, WorkerPlugin), {})(job, seconds)
    # What goes wrong is raised here; pages of Dask's that somebody looks at are no matter of this command.
    for name in ("distributed", "distributed.client", "bokeh"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        stack.enter_context(dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GB"}))
        if place.cluster:
            try:
                client = stack.enter_context(Client(place.cluster, timeout="10s"))
            except (OSError, ValueError, TypeError) as error:
                raise ServerError(
                    f"No Dask scheduler answers at {place.cluster} ({type(error).__name__}); "
                    "certificates for tls:// are those of Dask's own configuration."
                ) from None
        else:
            client = stack.enter_context(_here(place.workers))
        workers = len(client.scheduler_info(n_workers=-1)["workers"])
        if not workers:
            raise ServerError(f"The cluster at {place.cluster} has no workers; start some first.")
        client.register_plugin(plugin)
        if place.cluster:
            stack.callback(_forget, client)
        say(f"Dask shows what it does at {client.dashboard_link}")
        yield client, workers


def _forget(client: Client) -> None:
    """Have a cluster's workers end their processes; one that is gone has none."""
    with suppress(OSError, CancelledError):
        client.unregister_worker_plugin(_NAME)


@contextmanager
def _here(workers: int) -> Iterator[Client]:
    """Workers in this program, with certificates made for this run."""
    import dask
    import pandas  # noqa: F401 (Dask's page would import it in another thread, in the midst of our doing so)
    from distributed import Client, LocalCluster
    from distributed.security import Security

    security = Security.temporary()
    with tempfile.TemporaryDirectory(prefix="casespan-") as folder:
        files = {"cert": security.tls_scheduler_cert, "key": security.tls_scheduler_key}
        for name, content in files.items():
            (Path(folder) / name).touch(mode=0o600)
            (Path(folder) / name).write_text(content, encoding="ascii")
        tls = {f"distributed.scheduler.dashboard.tls.{name}": os.path.join(folder, name) for name in files}
        # Nobody looks at where these workers spend their time, which is waiting.
        settings = {**tls, "temporary-directory": folder, "distributed.worker.profile.enabled": False}
        with (
            dask.config.set(settings),
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=False,
                host=_LOOPBACK,
                protocol="tls://",
                security=security,
                dashboard_address=f"{_LOOPBACK}:0",
                worker_dashboard_address=f"{_LOOPBACK}:0",
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            ) as cluster,
            Client(cluster, security=security) as client,
        ):
            yield client
