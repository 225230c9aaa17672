"""Calls in a separate process: their results, and how they end."""

from __future__ import annotations

import subprocess
import sys

import pytest
from macmeter.platform.processes import template

# Without threads, like a supervisor that starts its template.
CALLS = """
import os
from macmeter.platform.database import migrate
from macmeter.platform.processes.process import run_in_subprocess
from macmeter.platform.processes.template import forking
from macmeter.questions.question import parse_query

def outcome(*call):
    try:
        return run_in_subprocess("apart", *call)
    except Exception as error:
        return error

before = os.nice(0)
with forking([]):
    os.nice(7)
    assert outcome(os.getpid) != os.getpid()
    assert outcome(os.nice, 0) == min(before + 7, 19)
    refused = outcome(parse_query, "metric=none")
    assert (refused.status, refused.errors[0].pointer) == (422, "?metric"), refused
    assert "/nowhere" in str(outcome(migrate, "postgresql:///none?host=/nowhere").orig)
    assert isinstance(outcome(os._exit, 0), OSError)
    assert outcome(divmod, 7, 2) == (3, 1)
"""


@pytest.mark.skipif(not template.CAN_FORK, reason="forking is unsound here")
def test_a_call_apart_gives_way_and_ends_as_one_here_does() -> None:
    call = subprocess.run([sys.executable, "-c", CALLS], capture_output=True, text=True, timeout=60)
    assert call.returncode == 0, call.stderr
