"""The agent and the server use the same words for metrics, storage and flags."""

from __future__ import annotations

import re

import pytest
from macmeter import catalog
from macmeter.catalog import chips
from macmeter.documents.methods import counted_as
from macmeter.platform.settings import CHECKOUT

DOCUMENT = CHECKOUT / "agent/Sources/Document"
WORDS = (DOCUMENT / "OpenNameWords.swift").read_text(encoding="utf-8")
TITLES = (DOCUMENT / "MetricTitles.swift").read_text(encoding="utf-8")
METRICS = (DOCUMENT / "Metric.swift").read_text(encoding="utf-8")
WARNINGS = (DOCUMENT / "WarningCode.swift").read_text(encoding="utf-8")


def entries(swift: str) -> dict[str, str]:
    return dict(re.findall(r'"([\w.]+)": "([^"]+)"', swift))


def of_kind(kind: str) -> dict[str, str]:
    """Words in one extension of OpenNameWords.swift."""
    _, _, body = WORDS.partition(f"extension {kind} {{")
    return entries(body.partition("\n}\n")[0])


def test_metrics_have_the_titles_of_the_catalogue() -> None:
    names = re.findall(r'Metric\("([\w.]+)"\)', (DOCUMENT / "Metric.swift").read_text())
    assert entries(TITLES) == {name: catalog.METRICS[name].title for name in names}


def test_storage_is_called_what_the_catalogue_calls_it() -> None:
    inside = {name: words.lower() for name, words in of_kind("Storage").items()}
    # "other" alone would not say what it is.
    assert inside == {
        name: words.lower()
        for name, words in (
            catalog.DIMENSIONS["storage"].values | {"other": "other storage"}
        ).items()
    }


@pytest.mark.parametrize(
    ("kind", "name"), [("Encryption", "encryption"), ("ImageFormat", "image_format")]
)
def test_no_value_is_without_words(kind: str, name: str) -> None:
    assert set(of_kind(kind)) == set(catalog.DIMENSIONS[name].values)


def test_file_systems_have_the_names_of_the_catalogue() -> None:
    _, _, body = WORDS.partition("func fileSystemWords")
    assert entries(body) == catalog.DIMENSIONS["file_system"].values


def test_every_warning_of_the_agent_is_a_flag_and_has_words() -> None:
    codes = dict(re.findall(r'static let (\w+) = WarningCode\("(\w+)"\)', WARNINGS))
    assert set(codes.values()) <= set(catalog.FLAGS)
    assert set(re.findall(r"^    \.(\w+): \(", WARNINGS, re.MULTILINE)) == set(codes)


def test_the_agent_doubts_what_the_server_doubts() -> None:
    limits = (CHECKOUT / "agent/Sources/MacTools/StorageLimit.swift").read_text(encoding="utf-8")
    figures = {
        name: float(figure) for name, figure in re.findall(r'"([\w ]+)": ([\d.]+e9)', limits)
    }
    assert figures == catalog.LINK_LIMIT | chips.MAX_STORAGE_SPEEDS
    assert f"tolerance = {chips.STORAGE_TOLERANCE}" in limits
    names = dict(re.findall(r'static let (\w+) = Metric\("([\w.]+)"\)', METRICS))
    _, _, listed = limits.partition("crossingLinks: Set<Metric> = [")
    crossing = {names[name] for name in re.findall(r"\.(\w+)", listed.partition("]")[0])}
    # The agent sends averages of quick runs under the usual names.
    renamed = counted_as("graded-files-quick", 2).metrics.values()
    assert crossing == {
        name
        for name, metric in catalog.METRICS.items()
        if catalog.Role.CROSSES_LINK in metric.roles and name not in renamed
    }
