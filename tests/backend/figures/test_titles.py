"""Words of titles: what figures are relative to."""

from __future__ import annotations

import pytest
from macmeter.figures.words import reference_text, uncapitalised


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"chip_family": "M1", "core_context": "Performance/high"}, "M1 Performance cores"),
        ({"core_context": "Efficiency/background"}, "Efficiency cores"),
        ({"core_context": "Efficiency/high"}, "Efficiency cores at high quality of service"),
        ({"encryption": "none", "storage": "usb4"}, "not encrypted and USB4"),
    ],
)
def test_a_reference_is_read_as_people_say_it(values: dict[str, str], text: str) -> None:
    assert reference_text(values) == text


def test_a_mac_keeps_its_capital() -> None:
    assert uncapitalised("Mac") == "Mac"
    assert uncapitalised("Macs") == "Macs"
    assert uncapitalised("Machine learning") == "machine learning"
