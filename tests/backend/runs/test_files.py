"""Writes to a pipe arrive complete, whatever happens to the writer meanwhile."""

from __future__ import annotations

import array
import fcntl
import os
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import IO

import pytest
from macmeter.runs.transfer.files import created

WRITTEN = bytes(range(256)) * 4096
WRITER = """
from macmeter.runs.transfer.files import created
with created("-") as file:
    file.write(bytes(range(256)) * 4096)
"""


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_writer_that_is_stopped_meanwhile_loses_nothing(unbuffered: str) -> None:
    line = [sys.executable, "-c", WRITER]
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(line, stdout=subprocess.PIPE, env=environment) as writer:
        assert writer.stdout is not None
        wait_until_full(writer.stdout)
        writer.send_signal(signal.SIGSTOP)  # like Ctrl-Z
        os.waitid(os.P_PID, writer.pid, os.WSTOPPED | os.WNOWAIT)
        writer.send_signal(signal.SIGCONT)
        assert writer.stdout.read() == WRITTEN
    assert writer.returncode == 0


def test_a_reader_that_has_enough_ends_it_quietly() -> None:
    line = [sys.executable, "-c", WRITER]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stderr is not None
        wait_until_full(writer.stdout)
        writer.stdout.close()
        assert writer.stderr.read() == b""
    assert writer.returncode == 128 + signal.SIGPIPE


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        with created(str(pipe)) as file:
            file.write(b"a run")
        assert reader.communicate()[0] == b"a run"
    assert pipe.is_fifo()


def wait_until_full(pipe: IO[bytes]) -> None:
    """Wait until the writer is blocked, in the middle of its write."""
    size = fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        waiting = array.array("i", [0])
        fcntl.ioctl(pipe, termios.FIONREAD, waiting)
        if waiting[0] == size:
            return
        time.sleep(0.01)
    raise AssertionError("the pipe is never full")
