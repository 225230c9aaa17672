"""Marks on the axes of lines: where a tier of cores is full, and where macOS changed."""

from __future__ import annotations

from typing import Any

import pytest
from macmeter.charts.axes import boundaries_of, dimension_axis, month_position

HIGH, SPILLED, BACKGROUND = (
    "Performance/high",
    "Performance+Efficiency/high",
    "Efficiency/background",
)


def answer(*chips: str, **more: Any) -> Any:
    where = [{"dimension": "chip", "op": "is", "value": chip} for chip in chips]
    return {"question": {"where": where}, "results": [], **more}


def told(fields: Any, *keys: dict[str, Any], most: float = 14) -> list[str]:
    across = dimension_axis([1.0, most], "Threads", str)
    groups = [{"key": key, "published": False} for key in keys]
    fields = fields | {"results": [{"groups": groups}]}
    return [boundary.text for boundary in boundaries_of(fields, "threads", keys, across)]


def key(threads: float, context: str = HIGH, **more: Any) -> dict[str, Any]:
    return {"threads": threads, "core_context": context, **more}


def test_a_chip_is_full_at_its_fast_cores_and_at_all() -> None:
    assert told(answer("Apple M1"), key(1)) == ["4 P cores", "8 cores"]
    assert told(answer(), key(1, chip="Apple M1")) == ["4 P cores", "8 cores"]


def test_configurations_of_a_chip_are_one_boundary() -> None:
    assert told(answer("Apple M4 Pro"), key(1)) == ["8–10 P cores", "12–14 cores"]


def test_a_configuration_that_no_mac_has_is_left_out() -> None:
    """Ten threads on Performance cores alone: no Mac here has eight of them, in any panel."""
    alone = [key(10), key(11, SPILLED)]
    assert told(answer("Apple M4 Pro"), *alone) == ["10 P cores", "14 cores"]
    empty = answer("Apple M4 Pro", results=[])
    across = dimension_axis([1.0, 14.0], "Threads", str)
    groups = [{"key": key_alone, "published": False} for key_alone in alone]
    empty["results"] = [{"groups": groups}]
    panel = boundaries_of(empty, "threads", alone[1:], across)
    assert [boundary.text for boundary in panel] == ["10 P cores", "14 cores"]
    keys = [*alone, key(9, SPILLED)]
    assert told(answer("Apple M4 Pro"), *keys) == ["8–10 P cores", "12–14 cores"]


def test_background_threads_fill_the_lowest_tier() -> None:
    assert told(answer("Apple M4 Max"), key(2, BACKGROUND)) == ["4 E cores"]
    assert told(answer("Apple M1"), key(1), key(2, BACKGROUND)) == [
        "4 P cores or E cores",
        "8 cores",
    ]


def test_what_lies_beyond_the_axis_is_not_marked() -> None:
    assert told(answer("Apple M1"), key(1), most=6) == ["4 P cores"]


@pytest.mark.parametrize(
    "found",
    [
        answer("Apple M1", "Apple M4"),
        answer("Apple M99"),
        answer(),
    ],
)
def test_several_chips_and_unknown_ones_have_no_boundary(found: Any) -> None:
    assert told(found, key(1)) == []


def test_a_vm_has_no_tiers() -> None:
    guest = "Apple M1 (Virtual)"
    assert told(answer("Apple M1"), key(1, virtual=True)) == []
    assert told(answer("Apple M1", guest), key(1, virtual=False)) == ["4 P cores", "8 cores"]


def test_months_are_marked_where_macs_were_updated() -> None:
    updates = [{"month": month, "os_version": "26.4"} for month in ("2026-01", "2026-09")]
    months = [month_position(month) for month in ("2025-12", "2026-03")]
    across = dimension_axis(months, "Month", str)
    (boundary,) = boundaries_of(answer(updates=updates), "month", [], across)
    assert (boundary.text, boundary.low - across.low) == ("macOS 26.4", 1.0)
    assert boundaries_of(answer(), "month", [], across) == ()
