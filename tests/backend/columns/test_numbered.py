"""Things that are bytes keep their numbers when they are written down, and new ones follow."""

from __future__ import annotations

import pytest
from macmeter.columns.numbered import NumberedBytes

THINGS = [b"second", b"", b"first", b"sec", b"\xff", b"third"]


@pytest.fixture(params=range(len(THINGS) + 1))
def numbered(request: pytest.FixtureRequest) -> NumberedBytes:
    """All of them, of which some were written down before the others were met."""
    found = NumberedBytes()
    for number, thing in enumerate(THINGS):
        if number == request.param:
            found = NumberedBytes(found.written())
        assert found.of(thing) == number
    return found


def test_each_thing_has_one_number(numbered: NumberedBytes) -> None:
    assert [numbered.of(thing) for thing in THINGS] == [*range(len(THINGS))]
    assert [numbered.known(thing) for thing in THINGS] == [*range(len(THINGS))]
    assert [*numbered] == THINGS
    assert len(numbered) == len(THINGS)
    assert numbered.content().tobytes() == b"".join(THINGS)


def test_what_was_not_met_has_none(numbered: NumberedBytes) -> None:
    for thing in (b"s", b"\xff\xff", b"fourth"):
        assert numbered.known(thing) is None
    assert numbered.of(b"fourth") == len(THINGS)
    assert numbered[len(THINGS)] == b"fourth"
