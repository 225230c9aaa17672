"""Failing tests of the contract with random requests, many more than the tests themselves try."""

from __future__ import annotations

from load.figure import Figure
from load.outcomes import failures, pytest

EXAMPLES = 300


def figures() -> list[Figure]:
    outcomes = pytest("tests/contract/test_any_request.py", CONTRACT_EXAMPLES=str(EXAMPLES))
    return [failures("contract.faults", outcomes)]
