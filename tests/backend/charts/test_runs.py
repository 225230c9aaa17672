"""Runs in words: in lists, on their own page and in link previews."""

from __future__ import annotations

from typing import Any

import pytest
from macmeter.charts.runs import render_run, render_runs, run_in_words
from macmeter.charts.words import parameters_text

THIN = "\u2009"


def chief(**more: Any) -> dict[str, Any]:
    figure = {"metric": "disk.write_average", "unit": "B/s", "low": 7.656e9, "high": 7.81e9}
    return {**figure, "results": 2, "printed": None, "ratio": False, **more}


def run(**more: Any) -> Any:
    return {
        "id": "0193f2a1-0000",
        "suite": "disk",
        "source": "measured",
        "method": "write-read",
        "method_version": 1,
        "machine": {"id": "0193f2a1-7000", "model_name": None, "unspecified": False},
        "os_version": "26.4",
        "storage": "internal",
        "encryption": "filevault",
        "image_format": None,
        "virtual": False,
        "chief": [chief()],
        "flags": [],
        "withdrawn": None,
        "citation": None,
        "environment": {},
        "target": None,
        "stated_method": "write-read 1",
        "method_parameters": {},
        "tool": None,
        "agent": None,
        "labels": {},
        "traces": [],
        "results": [],
        "published": [],
        "document_bytes": 12_345,
        **more,
    }


def result(**more: Any) -> dict[str, Any]:
    digits = dict.fromkeys(("p10", "p50", "p90", "min", "max", "mean"), 2.5e9)
    return {
        "metric": "disk.write_speed",
        "title": "Write speed by file size",
        "unit": "B/s",
        "parameters": {"file_size": 2_000_000.0},
        "n": 12_400,
        **digits,
        "values": [2e9, 3e9],
        "positions": [1, 2],
        "printed": None,
        "qualifier": None,
        **more,
    }


def listed(**more: Any) -> Any:
    return render_runs({"items": [run(**more)], "total": 1, "next": None})["items"][0]["words"]


def test_a_list_tells_case_machine_system_and_figures() -> None:
    words = listed(virtual=True)
    assert words.case == "Internal SSD · FileVault"
    assert words.machine == "Mac 0193f2a1"
    assert words.around == "in a VM, macOS 26.4"
    (figure,) = words.figures
    assert figure.text == f"7.66–7.81{THIN}GB/s"
    assert figure.of == "write speed"


@pytest.mark.parametrize(
    ("figure", "text", "of"),
    [
        (chief(low=7e9, high=7e9), f"7.00{THIN}GB/s", "write speed"),
        (chief(printed="4,415 MB/s"), f"4,415{THIN}MB/s†", "write speed"),
        (
            chief(low=None, high=None, printed="98%", ratio=True),
            f"98{THIN}%†",
            "write speed, a ratio",
        ),
    ],
)
def test_printed_figures_stay_as_printed(figure: dict[str, Any], text: str, of: str) -> None:
    (figure_told,) = listed(chief=[figure]).figures
    assert (figure_told.text, figure_told.of) == (text, of)


def test_other_systems_and_articles_name_themselves() -> None:
    machine = {"id": "0193f2a1", "model_name": None, "unspecified": True}
    words = listed(os_version="Debian 12", machine=machine, storage=None, encryption=None)
    assert (words.around, words.machine, words.case) == ("Debian 12", "Mac not stated", "disk")


def test_a_preview_has_the_digits_of_the_list() -> None:
    preview = run_in_words(run(os_version="Debian 12"))
    assert preview == f"Write speed: 7.66–7.81{THIN}GB/s. Internal SSD, FileVault, Debian 12."


def test_a_page_tells_results_in_one_unit_for_each_metric() -> None:
    slow = result(p50=2e6, parameters={"file_size": 4_000_000.0, "threads": 1.0})
    published = result(printed="2.5 GB/s", qualifier="about")
    words = render_run(run(results=[result(), slow, published]))["words"]
    first, second, third = words.results
    assert (first.unit, first.parameters) == ("GB/s", f"2{THIN}MB")
    assert first.name == f"Write speed by file size, 2{THIN}MB"
    assert (first.cells["n"], first.cells["p50"]) == ("12,400", "2.50")
    assert (second.cells["p50"], second.parameters) == ("0.00200", f"4{THIN}MB and 1 thread")
    assert (third.cells["p50"], third.cells["p10"]) == ("about 2.5†", "–")
    assert words.title == "Internal SSD · FileVault"
    assert words.document == f"12.3{THIN}kB"


def test_a_run_without_a_target_is_called_by_its_suite() -> None:
    words = render_run(run(suite="cores", storage=None, encryption=None))["words"]
    assert words.title == "Cores on Mac 0193f2a1"


def test_samples_that_know_their_order_have_a_panel() -> None:
    unknown = result(metric="disk.read_speed", positions=None)
    words = render_run(run(results=[result(), unknown]))["words"]
    (panel,) = words.samples
    assert (panel.metric, panel.divisor, panel.decimals) == ("disk.write_speed", 1e9, 2)
    assert (panel.up.title, panel.up.high, panel.across.high) == ("GB/s", 3.0, 2.0)


def test_panels_of_one_unit_share_their_axis_upwards() -> None:
    fast = result(metric="disk.read_speed", values=[2e9, 9e9])
    first, second = render_run(run(results=[result(), fast]))["words"].samples
    assert first.up.high == second.up.high == 10.0


def test_a_printed_ratio_says_of_what() -> None:
    ratio = {
        "metric": "disk.write_average",
        "kind": "ratio",
        "printed": "98%",
        "qualifier": "about",
    }
    words = render_run(run(published=[{**ratio, "to": {"storage": "internal"}}]))["words"]
    assert words.published == ("about 98%† of Internal SSD",)


def test_a_bare_number_says_of_what() -> None:
    assert parameters_text({"threads": 4.0}) == "4 threads"
    assert parameters_text({}) == ""


def test_what_all_results_of_a_metric_share_is_said_once() -> None:
    swept = [
        result(parameters={"qos": "user-interactive", "threads": float(threads)}, flags=[])
        for threads in (1, 2)
    ]
    swept.append(result(parameters={"threads": 0.0}, flags=[]))
    alone = result(metric="power.cpu_max", parameters={"threads": 4.0}, flags=[])
    words = render_run(run(results=[*swept, alone]))["words"].results
    assert [(metric.parameters, metric.shared) for metric in words] == [
        ("1 thread", "user-interactive"),
        ("2 threads", "user-interactive"),
        ("0 threads", "user-interactive"),
        ("4 threads", ""),
    ]
    assert words[1].name.endswith(", user-interactive, 2 threads")


def test_a_published_run_cites_its_article() -> None:
    citation = {"author": "Ada", "title": "Which drive?", "publisher": "The Journal"}
    rendered = render_run(run(citation=citation))
    assert rendered["words"].citation == "Ada, “Which drive?”, The Journal, undated"
    assert render_run(run())["words"].citation == ""
