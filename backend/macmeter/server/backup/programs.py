"""PostgreSQL's own programs, called for one database."""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

from psycopg.conninfo import make_conninfo

from macmeter.embedded.cluster import Account, find_binaries
from macmeter.platform import database
from macmeter.runs.transfer.files import Interrupted

# Lines to show of what a failed program says.
_MOST_LINES = 5
_CHUNK = 1024 * 1024


@contextmanager
def running(
    program: str, arguments: Sequence[str], url: str | None = None, *, takes_input: bool = False
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program on the database at `url`, with pipes for its output and, if asked, its input.

    Raise Interrupted if it fails. An exception kills it, and PostgreSQL undoes what it began.
    """
    path = find_binaries(Account(os.geteuid(), os.getegid(), switch=False)) / program
    if not path.is_file():
        raise Interrupted(f"{path.parent} has no {program}: MACMETER_PG_BIN needs all programs.")
    address, secret = _address(url) if url else ([], {})
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [str(path), *arguments, *address],
            stdin=subprocess.PIPE if takes_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=os.environ | secret | {"LC_ALL": "C.UTF-8"},
            start_new_session=True,  # only we handle Ctrl-C, and end it
        )
        try:
            yield process
            if process.stdin is not None:
                process.stdin.close()
        except _PeerEndedError as ended:
            if ended.process is not process:
                process.kill()
                raise
        except BaseException:
            process.kill()
            raise
        finally:
            for pipe in (process.stdout, process.stdin):
                with contextlib.suppress(BrokenPipeError):
                    pipe and pipe.close()
            process.wait()
        if process.returncode:
            raise Interrupted(f"{program} failed: {_error_output(errors) or process.returncode}")


class _PeerEndedError(Exception):
    """A program stopped reading. It says why itself."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process


def output(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """Yield what the program writes."""
    assert process.stdout is not None
    while chunk := process.stdout.read(_CHUNK):
        yield chunk


def put(process: subprocess.Popen[bytes], chunk: bytes) -> None:
    """Write to the program."""
    assert process.stdin is not None
    try:
        process.stdin.write(chunk)
    except BrokenPipeError:
        raise _PeerEndedError(process) from None


def feed(process: subprocess.Popen[bytes], chunks: Iterator[bytes]) -> None:
    """Write all of `chunks` to the program, in a thread, while its output is read."""
    assert process.stdin is not None
    try:
        for chunk in chunks:
            put(process, chunk)
    finally:
        with contextlib.suppress(OSError):
            process.stdin.close()


def _error_output(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return " ".join(lines[-_MOST_LINES:])


def _address(url: str) -> tuple[list[str], dict[str, str]]:
    """Argument that names the database, and its password for the environment: lists of processes
    show arguments.
    """
    options = database.connection_options(url)
    password = options.pop("password", None)
    secret = {"PGPASSWORD": str(password)} if password is not None else {}
    return [f"--dbname={make_conninfo(**options)}"], secret
