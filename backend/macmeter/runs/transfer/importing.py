"""`macmeter-server import`: stores files of runs, with one process per core.

It keeps no state: stored runs are skipped, so repeating the command continues after any
interruption, even a kill.
"""

import asyncio
import signal
import time
from collections.abc import Sequence
from dataclasses import replace

from macmeter.platform.errors import Problem
from macmeter.platform.progress import Progress, duration, number_of
from macmeter.platform.settings import available_cores
from macmeter.platform.worker_pool import FaultError, Pool
from macmeter.runs.transfer.files import InputError
from macmeter.runs.transfer.importer import OWNER_MISSING, BatchResult, Refusal, store_lines
from macmeter.runs.transfer.lines import STDIN, Batch, batches, numbered, opened, total_bytes
from macmeter.runs.transfer.owners import Destination
from macmeter.runs.transfer.record import is_exported

# Modules to preload in the worker processes.
MODULES = (store_lines.__module__,)
REFUSED, USAGE = 1, 2
_BATCH_SECONDS = 600.0
# A restarted PostgreSQL or killed process is back within seconds.
_OUTAGE_SECONDS = 60.0
_RETRY_SECONDS = 1.0
_TRANSIENT_CODES = ("database_unavailable", "server_full")
# Used instead of the problem's text, which says that nothing was stored.
_REASONS = {
    "disk_full": "the disk of the database is full: make room on it",
    "database_unavailable": "the database does not answer any more: start it",
}


def check(files: Sequence[str], *, owned: bool) -> None:
    """Raise InputError for the first unusable file, before anything is stored.

    Unless the command says who owns the runs (`owned`), each line must state its fleet and
    visibility.
    """
    for name in files:
        if name == STDIN:
            continue
        with opened(name) as reader:
            first = next(numbered(reader), None)
        is_bare_document = first is not None and first.content and not is_exported(first.content)
        if is_bare_document and not owned:
            raise InputError(f"{name}: {OWNER_MISSING}")


def import_files(url: str, files: Sequence[str], destination: Destination) -> int:
    """Import `files`; return the exit status: 0, REFUSED, USAGE, or 128 plus a signal's number."""
    return asyncio.run(_Import(url, destination, total_bytes(files)).run(files))


class _Import:
    """State of one import."""

    def __init__(self, url: str, destination: Destination, total: int | None) -> None:
        self._url = url
        self._destination = destination
        self._total = total
        self._progress = Progress("import", "runs")
        self._processes = available_cores()
        self._pool = Pool(self._processes, MODULES, _BATCH_SECONDS)
        self._began = time.monotonic()
        self._stored = self._already_stored = self._refused = 0
        self._status = 0
        self._has_bad_file = False
        # Set when all batches have begun, or no more should.
        self._finishing = asyncio.Event()

    async def run(self, files: Sequence[str]) -> int:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._stop, 128 + number)
        try:
            async with asyncio.TaskGroup() as tasks:
                reading = tasks.create_task(self._begin_batches(files, tasks))
                await self._finishing.wait()
                reading.cancel()
        finally:
            await self._pool.close()
        self._report()
        return self._status or self._files_status()

    def _files_status(self) -> int:
        if self._has_bad_file and not (self._stored or self._already_stored):
            return USAGE
        return REFUSED if self._has_bad_file or self._refused else 0

    def _stop(self, status: int) -> None:
        """Finish current batches and begin no more."""
        self._status = self._status or status
        self._finishing.set()

    async def _begin_batches(self, files: Sequence[str], tasks: asyncio.TaskGroup) -> None:
        """Begin all batches, at most one per process at a time."""
        free_processes = asyncio.Semaphore(self._processes)
        async for item in batches(files):
            if isinstance(item, InputError):
                self._progress.say(f"import: {item}")
                self._has_bad_file = True
                continue
            await free_processes.acquire()
            tasks.create_task(self._store(item)).add_done_callback(
                lambda _: free_processes.release()
            )
        self._finishing.set()

    async def _store(self, batch: Batch) -> None:
        """Store a batch; retry if only the connection to the database failed."""
        end = time.monotonic() + _OUTAGE_SECONDS
        while True:
            try:
                result = await self._pool.run(
                    store_lines, self._url, batch.lines, self._destination
                )
            except Problem as problem:
                is_transient = problem.code in _TRANSIENT_CODES and time.monotonic() < end
                if not is_transient or self._status:
                    self._give_up(problem)
                    return
                await asyncio.sleep(_RETRY_SECONDS)
            except FaultError as error:
                await self._store_lines_singly(batch, error)
                return
            else:
                self._count(batch, result)
                return

    async def _store_lines_singly(self, batch: Batch, error: FaultError) -> None:
        """Store each line separately, because one of them raises an unexpected error."""
        if len(batch.lines) > 1:
            for line in batch.lines:
                await self._store(replace(batch, lines=[line]))
            return
        reason = str(error).strip().splitlines()[-1]
        self._count(batch, BatchResult(refused=[Refusal(batch.lines[0].number, "", reason)]))

    def _give_up(self, problem: Problem) -> None:
        """Report the problem once, even if several batches meet it."""
        if not self._status:
            self._progress.say(f"import: {_REASONS.get(problem.code, problem.detail)}")
        self._stop(REFUSED)

    def _count(self, batch: Batch, result: BatchResult) -> None:
        self._stored += result.stored
        self._already_stored += result.present
        self._refused += len({refusal.line for refusal in result.refused})
        for refusal in result.refused:
            pointer = f" {refusal.pointer}:" if refusal.pointer else ""
            self._progress.say(f"{batch.file}:{refusal.line}:{pointer} {refusal.reason}")
        share = min(1.0, batch.position / self._total) if self._total else None
        self._progress.show(self._stored + self._already_stored, share)

    def _report(self) -> None:
        seconds = time.monotonic() - self._began
        counts = [f"{number_of(self._stored, 'run')} stored"]
        if self._already_stored:
            counts.append(f"{self._already_stored:,} already stored")
        if self._refused:
            counts.append(f"{number_of(self._refused, 'line')} refused")
        rate = f" ({self._stored / max(1e-3, seconds):,.0f} runs/s)" if self._stored else ""
        self._progress.say(f"import: {', '.join(counts)} in {duration(seconds)}{rate}")
        if self._status:
            self._progress.say("import: stopped; the same command goes on from here")
