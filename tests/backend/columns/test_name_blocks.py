"""Names as bytes: what is known is not made again, and what has changed is noticed."""

from __future__ import annotations

import pytest
from macmeter.columns.devices import Device
from macmeter.columns.name_blocks import NO_THINGS, packed, unpacked
from macmeter.columns.names import Names

MACHINES = [number.to_bytes(16, "big") for number in range(10_000)]


def names(machines: list[bytes], months: int = 1) -> Names:
    found = Names()
    for machine in machines:
        found.machines.of(machine)
    found.devices.of(Device("disk", (("storage", "internal"),)))
    for number in range(months):
        found.months.of(str(number))
    return found


def test_names_are_as_they_were() -> None:
    content, told = packed(names(MACHINES))
    found, _ = unpacked(memoryview(content), told, NO_THINGS)
    assert [*found.machines] == MACHINES
    assert found.machine_ids().tolist() == MACHINES
    assert found.machines.known(MACHINES[-1]) == len(MACHINES) - 1
    assert found.devices[1] == Device("disk", (("storage", "internal"),))
    assert found.months.things == ["0"]
    assert found.setups.things == []


def test_what_is_known_is_not_made_again() -> None:
    content, told = packed(names(MACHINES, 10_000))
    earlier, known = unpacked(memoryview(content), told, NO_THINGS)
    content, told = packed(names(MACHINES, 10_001))
    found, later = unpacked(memoryview(content), told, known)
    assert found.months.things == [*map(str, range(10_001))]
    both = zip(found.months.things, earlier.months.things, strict=False)
    assert sum(one is other for one, other in both) == 8192  # two blocks; the third has changed
    # Of machines and devices, which are the same.
    assert later.arrays.keys() == known.arrays.keys()
    assert all(later.arrays[digest] is known.arrays[digest] for digest in known.arrays)


def test_what_is_new_has_the_next_number() -> None:
    content, told = packed(names(MACHINES))
    found, _ = unpacked(memoryview(content), told, NO_THINGS)
    other, none = Device("disk", None), Device(None, None)
    assert (found.machines.of(MACHINES[7]), found.machines.known(b"new" * 6)) == (7, None)
    assert [found.machines.of(b"%16d" % number) for number in (5, 4, 5)] == [10_000, 10_001, 10_000]
    assert [found.devices.of(one) for one in (found.devices[1], other, none)] == [1, 2, 0]
    assert found.device_ids().tolist() == [0, 1, 1]  # of the same drive
    content, told = packed(found)
    again, _ = unpacked(memoryview(content), told, NO_THINGS)
    assert [*again.machines] == [*MACHINES, b"%16d" % 5, b"%16d" % 4]
    assert again.machines.known(b"%16d" % 4) == 10_001
    assert again.devices[2] == other
    assert again.device_ids().tolist() == [0, 1, 1]


@pytest.mark.parametrize("harm", ["cut", "changed"])
def test_what_is_not_as_it_was_written_is_refused(harm: str) -> None:
    content, told = packed(names(MACHINES))
    harmed = bytearray(content)
    if harm == "cut":
        del harmed[-1]
    else:
        harmed[len(harmed) // 2] ^= 1
    with pytest.raises(ValueError, match="changed"):
        unpacked(memoryview(harmed), told, NO_THINGS)
