"""Names as bytes: what is known is not made again, and what has changed is noticed."""

from __future__ import annotations

import pytest
from macmeter.columns.name_blocks import packed, unpacked
from macmeter.columns.names import Device, Names

MACHINES = [number.to_bytes(16, "big") for number in range(10_000)]


def names(machines: list[bytes]) -> Names:
    found = Names()
    for machine in machines:
        found.machines.of(machine)
    found.devices.of(Device("disk", (("storage", "internal"),)))
    found.months.of(None)
    return found


def test_names_are_as_they_were() -> None:
    content, told = packed(names(MACHINES))
    found, _ = unpacked(memoryview(content), told, {})
    assert found.machines.things == MACHINES
    assert found.machines.known(MACHINES[-1]) == len(MACHINES) - 1
    assert found.devices.things[1] == Device("disk", (("storage", "internal"),))
    assert found.months.things == [None]
    assert found.setups.things == []


def test_what_is_known_is_not_made_again() -> None:
    content, told = packed(names(MACHINES))
    earlier, known = unpacked(memoryview(content), told, {})
    content, told = packed(names([*MACHINES, b"a new machine"]))
    found, _ = unpacked(memoryview(content), told, known)
    assert found.machines.things == [*MACHINES, b"a new machine"]
    both = zip(found.machines.things, earlier.machines.things, strict=False)
    assert sum(one is other for one, other in both) == 8192  # two blocks; the third has changed


@pytest.mark.parametrize("harm", ["cut", "changed"])
def test_what_is_not_as_it_was_written_is_refused(harm: str) -> None:
    content, told = packed(names(MACHINES))
    harmed = bytearray(content)
    if harm == "cut":
        del harmed[-1]
    else:
        harmed[len(harmed) // 2] ^= 1
    with pytest.raises(ValueError, match="changed"):
        unpacked(memoryview(harmed), told, {})
