"""PostgreSQL ends with its owner, whatever happens while it starts."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from macmeter.embedded.watcher import watched_command

# Like PostgreSQL, it ignores INT while it starts, and after TERM alone would wait for sessions.
SLOW_TO_HEAR = """
import os, pathlib, signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
pathlib.Path("pid").write_text(str(os.getpid()))
time.sleep(0.1)
signal.signal(signal.SIGINT, lambda *_: sys.exit(pathlib.Path("asked").touch()))
signal.signal(signal.SIGTERM, lambda *_: None)
pathlib.Path("hears").touch()
while True:
    signal.pause()
"""
COMMAND = watched_command([sys.executable, "-S", "-E", "-c", SLOW_TO_HEAR])
GONE_SECONDS = 20.0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_all_of_them_leaves_none_behind(number: signal.Signals, tmp_path: Path) -> None:
    """Signals arrive at various moments in the first milliseconds."""
    for index, delay in enumerate(itertools.islice(itertools.count(0, 0.0003), 20)):
        directory = tmp_path / str(index)
        directory.mkdir()
        reading, lifeline = os.pipe()
        watcher = subprocess.Popen(COMMAND, stdin=reading, cwd=directory, start_new_session=True)
        os.close(reading)
        time.sleep(delay)
        os.killpg(watcher.pid, number)
        # A signal before the program exists has no effect on it.
        while watcher.poll() is None and not (directory / "pid").exists():
            time.sleep(0.001)
        os.close(lifeline)
        watcher.wait(GONE_SECONDS)
        assert eventually_gone(directory / "pid"), f"{number.name} after {delay} s"


def eventually_gone(file: Path) -> bool:
    """Return whether the process whose number is in the file ends, if it has started."""
    end = time.monotonic() + GONE_SECONDS
    while time.monotonic() < end:
        if not file.exists() or not psutil.pid_exists(int(file.read_text() or 0)):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("hears", [False, True])
def test_an_owner_that_ends_ends_it(hears: bool, tmp_path: Path) -> None:
    reading, lifeline = os.pipe()
    with subprocess.Popen(COMMAND, stdin=reading, cwd=tmp_path) as watcher:
        os.close(reading)
        while not (tmp_path / ("hears" if hears else "pid")).exists():
            time.sleep(0.01)
        os.close(lifeline)
        watcher.wait(GONE_SECONDS)
    assert (tmp_path / "asked").exists() == hears
