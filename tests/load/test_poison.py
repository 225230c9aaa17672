"""A stranger's poison harms nobody else; short form of `make bench ONLY=poison`."""

from __future__ import annotations

import math

import pytest

from load import poison


@pytest.mark.thorough
def test_everybody_else_gets_what_is_theirs_and_gets_it_once() -> None:
    slowest, doubled, failed = poison.measured(each=len(poison.PLANTS))
    assert failed == []
    assert doubled == 0
    assert [kind for kind, seconds in slowest.items() if math.isinf(seconds)] == []
