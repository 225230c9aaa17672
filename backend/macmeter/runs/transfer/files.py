"""Output files that appear once they are complete."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from macmeter.platform import progress

STDOUT = "-"


@contextlib.contextmanager
def created(target: str) -> Iterator[BinaryIO]:
    """Yield a file that has another name until it is complete.

    `-` is standard output. An existing pipe or device is written to. Only the owner may read the
    file, since it may hold a fleet's private data.
    """
    if target == STDOUT:
        yield from _standard_output()
        return
    if Path(target).is_dir():
        raise InputError(f"{target} is a directory: name a file in it.")
    if Path(target).exists() and not Path(target).is_file():
        # Replacing /dev/null by a file would break the system.
        with Path(target).open("wb") as existing:
            yield existing
        return
    temporary = Path(f"{target}.part")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except OSError as error:
        raise InputError(f"{target}: {error.strerror}.") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        raise Interrupted(f"{target}: {error.strerror}. Nothing was kept of it.") from None
    finally:
        temporary.unlink(missing_ok=True)


def _standard_output() -> Iterator[BinaryIO]:
    try:
        with progress.open_output() as output:
            yield output
    except BrokenPipeError:
        # The reader, such as `head`, has all it wants; Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), progress.STANDARD_OUTPUT)
        sys.exit(128 + signal.SIGPIPE)


class InputError(Exception):
    """The input can't be used, and nothing was done. The message says why and what to do."""


class Interrupted(Exception):
    """Work was not finished. The message says why, what remains of it and what to do."""
