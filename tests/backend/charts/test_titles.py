"""Words of titles: what figures are relative to."""

from __future__ import annotations

from typing import Any

import pytest
from macmeter.charts.words import question_title, uncapitalised


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"chip_family": "M1", "core_context": "Performance/high"}, "M1 Performance cores"),
        ({"core_context": "Efficiency/background"}, "Efficiency cores"),
        ({"core_context": "Efficiency/high"}, "Efficiency cores at high quality of service"),
        ({"encryption": "none", "storage": "usb4"}, "not encrypted, USB4"),
    ],
)
def test_a_title_says_its_reference_as_people_do(values: dict[str, str], text: str) -> None:
    question: Any = {
        "metrics": ["cores.loop_rate"],
        "by": ["chip"],
        "relative_to": [{"dimension": name, "value": value} for name, value in values.items()],
    }
    assert question_title(question) == f"Loops per second by chip, relative to {text}"


def test_a_mac_keeps_its_capital() -> None:
    assert uncapitalised("Mac") == "Mac"
    assert uncapitalised("Macs") == "Macs"
    assert uncapitalised("Machine learning") == "machine learning"
