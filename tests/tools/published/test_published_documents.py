"""The documents made of published figures: valid, exact, only measurements."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from macmeter import catalog
from macmeter.documents.derive import derive
from macmeter.documents.parse import Parsed, parse
from published.build import documents
from published.figures import STORED, Disposition, articles
from published.pairs import pairs

Json = dict[str, Any]

NOW = datetime(2026, 11, 20, tzinfo=UTC)
RUNS = {run["citation"]["row"]: run for run in documents()}
FIGURES = {figure.row: figure for article in articles() for figure in article.figures}


def parsed(row: str) -> Parsed:
    return parse(json.dumps(RUNS[row]).encode(), now=NOW)


@pytest.mark.parametrize("row", RUNS)
def test_the_server_takes_it(row: str) -> None:
    run = derive(*parsed(row))
    # Times whose article prints no speed have a derived one.
    derived = [result for result in run.results if "derived" in (result.flags or [])]
    assert len(run.results) - len(derived) + len(run.published_figures) == 1
    assert bool(derived) == (row in {f"m{n:03}" for n in range(86, 95)})
    assert not run.columns["started_at"]


def test_always_the_same_with_ids_of_their_own() -> None:
    again = {run["citation"]["row"]: run for run in documents()}
    assert again == RUNS
    assert len({run["id"] for run in RUNS.values()}) == len(RUNS)
    # Links and frozen comparisons use these ids: they never change.
    assert RUNS["m005"]["id"] == str(uuid.uuid5(uuid.UUID(NAMESPACE), "m005"))


NAMESPACE = "6f1c6f0e-0d0b-5b52-9d5e-0a8e1c1f7d21"


def test_only_results_are_in_series() -> None:
    for row, run in RUNS.items():
        kind = FIGURES[row].disposition
        assert ("series" in run) == (kind is Disposition.RESULT), row
        assert ("published_ratios" in run) == (kind is Disposition.RATIO), row
        assert ("published_ranges" in run) == (kind is Disposition.RANGE), row
    kept_out = {row for row, figure in FIGURES.items() if figure.disposition not in STORED}
    assert not kept_out & RUNS.keys()


def test_the_digits_are_the_printed_ones() -> None:
    for row, run in RUNS.items():
        for series in run.get("series", []):
            assert series["printed"] == [FIGURES[row].printed]
            assert series.get("qualifier") == FIGURES[row].qualifier


def test_cautions_never_hide_a_result() -> None:
    """Doubtful figures are claims, which aren't stored; everything stored is shown by default."""
    for row in RUNS:
        run = derive(*parsed(row))
        flags = [*run.columns["flags"], *(code for r in run.results for code in r.flags or [])]
        assert not any(map(catalog.is_doubt, flags)), row


SPEEDS = {
    "m005": ("disk.read_average", 6.57e9, "6.57 GB/s", "internal", "filevault"),
    "m006": ("disk.write_average", 7.66e9, "7.66 GB/s", "internal", "filevault"),
    "m007": ("disk.read_average", 6.62e9, "6.62 GB/s", "virtual_disk", "none"),
    "m008": ("disk.write_average", 5.91e9, "5.91 GB/s", "virtual_disk", "none"),
    "m009": ("disk.read_average", 4.66e9, "4.66 GB/s", "virtual_disk", "filevault"),
    "m010": ("disk.write_average", 3.11e9, "3.11 GB/s", "virtual_disk", "filevault"),
    "m013": ("disk.read_average", 2.85e9, "2.85 GB/s", "disk_image", "image_aes256"),
    "m014": ("disk.write_average", 1.76e9, "1.76 GB/s", "disk_image", "image_aes256"),
    "m019": ("disk.read_average", 5.3e9, "5.3 GB/s", "thunderbolt5", "none"),
    "m020": ("disk.write_average", 5.3e9, "5.3 GB/s", "thunderbolt5", "none"),
    "m026": ("disk.write_average", 4.7e9, "4.7 GB/s", "thunderbolt5", "apfs_encrypted"),
    "m028": ("hash.sha256_speed", 3e9, "3 GB/s", "internal", None),
    "m043": ("disk.write_average", 57e6, "57 MB/s", "disk_image", "unknown"),
    "m061": ("disk.write_speed", 7.69e9, "7.69 GB/s", "internal", "hardware"),
    "m062": ("disk.write_speed", 7.35e9, "7.35 GB/s", "disk_image", "none"),
    "m115": ("disk.write_average", 422e6, "422 MB/s", "thunderbolt3", None),
}


@pytest.mark.parametrize("row", SPEEDS)
def test_speeds_by_name(row: str) -> None:
    metric, value, printed, storage, encryption = SPEEDS[row]
    run = RUNS[row]
    series = run["series"][0]
    assert (series["metric"], series["values"], series["printed"]) == (metric, [value], [printed])
    assert run["target"]["storage"] == storage
    assert run["target"].get("encryption") == encryption


def test_a_printed_ratio_stays_a_ratio() -> None:
    run = RUNS["m025"]
    assert run["published_ratios"] == [
        {
            "metric": "disk.write_average",
            "value": 0.97,
            "of": {"encryption": "apfs_encrypted"},
            "to": {"encryption": "none"},
            "printed": "97%",
        }
    ]
    encrypted_usb4 = [
        r
        for r in RUNS.values()
        if r.get("target", {}).get("storage") == "usb4"
        and r["target"].get("encryption") == "apfs_encrypted"
        and any(s["metric"].endswith("_average") for s in r.get("series", []))
    ]
    assert not encrypted_usb4


def test_a_ratio_stands_in_the_group_that_it_is_of() -> None:
    for row, run in RUNS.items():
        for ratio in run.get("published_ratios", []):
            facts = derive(*parsed(row)).columns | ratio.get("parameters", {})
            for name, value in ratio["of"].items():
                assert facts[name] == value, row


def test_a_guest_names_its_host() -> None:
    host = RUNS["m005"]["machine"]["id"]
    assert RUNS["m007"]["environment"]["virtual_machine"] == {
        "vcpus": 5,
        "memory_bytes": 17179869184,
        "software": "Viable and Vimy",
        "host_machine_id": host,
    }
    assert RUNS["m007"]["target"]["image"]["host"]["encryption"] == "filevault"
    assert RUNS["m007"]["machine"]["id"] not in (host, RUNS["m009"]["machine"]["id"])


def test_claims_by_name() -> None:
    """The claims that sceptical readers look for first are not stored as results."""
    for row in ("m050", "m053", "m116", "m119", "m151", "m199", "m228", "m272", "m273", "m293"):
        assert FIGURES[row].disposition is Disposition.CLAIM


def test_pairs_are_as_listed() -> None:
    listed = {(pair.of, pair.to) for pair in pairs()}
    assert {("m026", "m020"), ("m016", "m015"), ("m018", "m017")} <= listed
    assert {("m007", "m005"), ("m008", "m006"), ("m235", "m236"), ("m091", "m087")} <= listed
    assert len(listed) == 19


def test_every_method_name_stands_for_one_protocol() -> None:
    """Results of another method, or with another corpus, are never in one series."""
    by_method: dict[str, set[str]] = {}
    for run in RUNS.values():
        by_method.setdefault(run["method"]["name"], set()).add(run["citation"]["article"])
    for name, used_in in by_method.items():
        if name.startswith("unstated-"):
            (slug,) = used_in
            assert name.startswith(f"unstated-{slug}")
    sizes = {
        (run["method"]["name"], series["parameters"]["file_size"])
        for run in RUNS.values()
        for series in run.get("series", [])
        if series["metric"].startswith("compression.")
    }
    assert len(sizes) == len({name for name, _ in sizes})
