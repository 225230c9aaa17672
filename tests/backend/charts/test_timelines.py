"""A machine over time in words."""

from __future__ import annotations

from typing import Any

import pytest
from macmeter.charts.hardware import LineWords, line_name, render_timeline
from macmeter.schemas.machines import LevelChange, Line, Point, Timeline

THIN = "\u2009"


def point(value: float, printed: str | None = None) -> Point:
    return Point("r", "2026-10-01T10:00:00+00:00", "26.4", value, 9, printed, [])


def line(*values: float, **more: Any) -> Line:
    fields: dict[str, Any] = {
        "metric": "disk.write_speed",
        "title": "Write speed",
        "unit": "B/s",
        "better": "higher",
        "parameters": {"file_size": 2e6},
        "source": "measured",
        "method": "write-read",
        "method_version": 1,
        "configuration": {"storage": "internal", "encryption": "filevault"},
        "points": [point(value) for value in values],
        "earlier": 0,
        "days": 20,
        "fewest_days": 14,
        "changes": [],
        "os_updates": [],
    }
    return Line(**{**fields, **more})


def told(*lines: Line) -> list[LineWords]:
    return render_timeline(Timeline("m", list(lines), 0)).words


def test_a_line_has_a_name_an_axis_and_digits() -> None:
    (words,) = told(line(points=[point(2.5e9), point(3e9, "3,000 MB/s")]))
    assert words.name == "Internal SSD · FileVault"
    assert (words.axis.title, words.axis.high, words.divisor) == ("GB/s", 3.0, 1e9)
    assert words.points == ("2.50", f"3,000{THIN}MB/s†")
    assert words.changed == "no change"


def test_lines_under_the_same_parameters_share_a_unit() -> None:
    slow, fast, other = told(
        line(2e6), line(2e9, configuration={}), line(2e6, parameters={"file_size": 4e6})
    )
    assert [item.axis.title for item in (slow, fast, other)] == ["GB/s", "GB/s", "MB/s"]
    assert (slow.points, other.points) == (("0.00200",), ("2.00",))


def test_levels_are_between_two_runs() -> None:
    (words,) = told(line(1.0, 2.0, 3.0, 4.0, 5.0, unit="s"))
    assert (words.p50.value, words.p50.text) == (3.0, f"3.00{THIN}s")
    assert words.p90.value == pytest.approx(4.6)


def test_a_change_says_from_where_to_where_and_under_which_system() -> None:
    change = LevelChange("r", "", 2e9, 2.5e9, 1.25, "26.3", "26.4")
    (words,) = told(line(2e9, 2.5e9, changes=[change]))
    assert words.changes[0].mark == f"+25{THIN}%"
    assert words.changes[0].text == f"new level, 2.00 to 2.50 (+25{THIN}%)"
    assert words.changed == f"+25{THIN}% with macOS 26.4"


def test_few_days_have_no_change() -> None:
    (words,) = told(line(1e9, days=1))
    assert words.changed == "1 of the 14 days needed to detect a change"


def test_a_line_is_named_by_what_it_was_measured_on() -> None:
    assert line_name({"simultaneous": 1}) == "All runs"
    assert line_name({"device_id": "published:Acme X5"}) == "device Acme X5"
    assert line_name({"device_id": "0123456789abcdef"}) == "device 01234567"
    assert line_name({"labels": {"iops": "3000"}, "power_mode": "low"}).endswith("iops: 3000")


def test_lines_under_the_same_parameters_are_told_apart_by_what_differs() -> None:
    small, large = ({"power_mode": "low", "labels": {"iops": value}} for value in ("3000", "12000"))
    slow, fast, other = told(
        line(1e9, configuration=small, parameters={"test": "build"}),
        line(2e9, configuration=large, parameters={"test": "build"}),
        line(3e9, configuration=large, parameters={"test": "link"}),
    )
    assert [item.parameters for item in (slow, fast, other)] == ["build", "build", "link"]
    assert [item.apart for item in (slow, fast, other)] == ["iops: 3000", "iops: 12000", "All runs"]


def test_lines_that_differ_in_their_method_alone_are_told_apart_by_it() -> None:
    first, second = told(line(1e9), line(2e9, method_version=2))
    assert (first.apart, second.apart) == ("write-read 1", "write-read 2")


def test_a_line_has_the_colour_of_its_storage() -> None:
    configurations = [{"storage": "disk_image"}, {"storage": "url(evil)"}, {}]
    words = told(*(line(1e9, configuration=storage) for storage in configurations))
    assert [item.colour for item in words] == ["storage-disk-image", "storage-other", "ink"]
