"""A run's results as lines along file sizes and threads."""

from __future__ import annotations

from typing import Any

from macmeter.charts.figure import Chart
from macmeter.charts.run_curves import curves_of

THIN = "\u2009"
SPEED = "disk.write_speed"
MB = 1_000_000.0


def result(metric: str, value: float, unit: str = "B/s", **parameters: Any) -> dict[str, Any]:
    ends = {"p10": 0.9 * value, "p50": value, "p90": 1.1 * value}
    more: dict[str, Any] = {"printed": None, "flags": []}
    return {"metric": metric, "unit": unit, "parameters": parameters, **ends, **more}


def curves(
    *results: dict[str, Any], storage: str | None = "usb4", virtual: bool = False
) -> tuple[Chart, ...]:
    tiers = [{"name": "Performance", "cores": 8}, {"name": "Efficiency", "cores": 4}]
    machine = {"core_tiers": tiers}
    facts = {"storage": storage, "machine": machine, "virtual": virtual}
    run: Any = {"results": list(results), **facts}
    return curves_of(run)


def sizes(metric: str = SPEED) -> list[dict[str, Any]]:
    return [result(metric, size * 1e3, file_size=size) for size in (4 * MB, 2 * MB, 800 * MB)]


def test_speeds_by_file_size_are_a_line_for_each_metric() -> None:
    (chart,) = curves(*sizes(), *sizes("disk.read_speed"), result("disk.write_average", 5e9))
    assert chart.title == "Write and read speed by file size"
    assert chart.across is not None
    assert (chart.across.log, chart.across.title) == (True, "File size")
    assert [panel.title for panel in chart.panels] == [
        "Write speed by file size",
        "Read speed by file size",
    ]
    (line,) = chart.panels[0].series
    assert line.colour == "storage-usb4"
    assert [(point.x, point.text) for point in line.points] == [
        (2 * MB, f"2.00{THIN}GB/s"),
        (4 * MB, f"4.00{THIN}GB/s"),
        (800 * MB, f"800{THIN}GB/s"),
    ]
    assert line.points[0].band == (1.8, 2.2)
    assert len({point.lane for panel in chart.panels for point in panel.series[0].points}) == 6


def test_times_by_threads_have_a_line_for_each_core_context() -> None:
    times = [
        result("compression.duration", 8 / threads, "s", threads=threads, core_context=context)
        for context in ("Performance/high", "Efficiency/background")
        for threads in (1.0, 2.0, 4.0)
    ]
    (chart,) = curves(*times)
    (panel,) = chart.panels
    assert [(line.label, line.colour) for line in panel.series] == [
        ("Efficiency/background", "tier-efficiency"),
        ("Performance/high", "tier-performance"),
    ]
    assert len({line.mark for line in panel.series}) == 2


def test_lines_of_one_colour_have_dashes_of_their_own() -> None:
    rates = [
        result("cores.loop_rate", 1e8, "1/s", threads=threads, kernel=kernel)
        for kernel in ("fp64", "int64")
        for threads in (1.0, 2.0, 4.0)
    ]
    (chart,) = curves(*rates, storage=None)
    assert len({line.dash for line in chart.panels[0].series}) == 2


def test_what_another_parameter_tells_already_is_no_name() -> None:
    rates = [
        result(
            "cores.loop_rate", 1e8, "1/s", threads=threads, kernel=kernel, loops=loops, qos="high"
        )
        for kernel, loops in (("fp64", 3e8), ("int64", 4e8))
        for threads in (1.0, 2.0, 4.0)
    ]
    (chart,) = curves(*rates, storage=None)
    assert [line.label for line in chart.panels[0].series] == ["fp64", "int64"]


def test_two_places_are_no_curve() -> None:
    assert curves(*sizes()[:2]) == ()


def test_what_is_printed_is_no_curve() -> None:
    assert curves(*({**size, "printed": "2 GB/s"} for size in sizes())) == ()


def test_doubted_results_are_crossed() -> None:
    doubt = [{"severity": "doubt"}]
    (chart,) = curves(*sizes()[:2], {**sizes()[2], "flags": doubt})
    assert [point.doubted for point in chart.panels[0].series[0].points] == [False, False, True]
    assert [entry.sign for entry in chart.key] == ["band", "crossed"]


def test_a_curve_by_file_size_is_marked_where_it_bends() -> None:
    speeds = {2: 3e9, 4: 5e9, 10: 6.8e9, 100: 7e9}
    (chart,) = curves(*(result(SPEED, v, file_size=size * MB) for size, v in speeds.items()))
    (boundary,) = chart.panels[0].boundaries
    assert boundary.low == 10 * MB
    assert "dotted: smallest file at 90 % of a line’s highest speed" in texts(chart)


def test_times_by_threads_are_marked_where_the_tiers_of_this_mac_are_full() -> None:
    times = [
        result("compression.duration", 8 / threads, "s", threads=threads, core_context=context)
        for context in ("Performance/high", "Efficiency/background")
        for threads in (1.0, 2.0, 4.0, 8.0, 12.0)
    ]
    (chart,) = curves(*times)
    (panel,) = chart.panels
    assert [mark.text for mark in panel.boundaries] == ["4 E cores", "8 P cores", "12 cores"]
    assert "dotted: core counts" in texts(chart)
    (guest,) = curves(*times, virtual=True)
    assert guest.panels[0].boundaries == ()


def texts(chart: Chart) -> list[str]:
    return [entry.text for entry in chart.key]
