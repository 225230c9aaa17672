"""The offered question about VMs' ratios to their hosts."""

from __future__ import annotations

import pytest
from macmeter.charts.filters import host_ratio_query
from macmeter.questions.answer import describe
from macmeter.questions.question import parse_query


def offered(query: str) -> str:
    return host_ratio_query(describe(parse_query(query)))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (
            "metric=disk.write_average&by=storage&where=chip:Apple%20M4&where=storage:usb4",
            "metric=disk.write_average&by=storage&by=virtual&where=chip:Apple%20M4"
            "&where=storage:virtual_disk&relative_to=virtual:false&version=2",
        ),
        (
            "metric=compression.speed&by=threads&by=virtual&where=file_size:1e9..2e9&where=virtual:true&fit=linear"
            "&weight=run&flagged=include",
            "metric=compression.speed&by=threads&by=virtual&where=file_size:1e9..2e9"
            "&relative_to=virtual:false&weight=run&flagged=include&version=2",
        ),
    ],
)
def test_an_answer_offers_the_ratios_of_vms_to_their_hosts(asked: str, expected: str) -> None:
    assert parse_query(offered(asked)) == parse_query(expected)


@pytest.mark.parametrize(
    "asked",
    [
        "metric=disk.write_average&by=storage&by=chip&by=encryption",
        "metric=disk.write_average&by=storage&relative_to=storage:usb4",
    ],
)
def test_nothing_is_offered_without_room_for_it(asked: str) -> None:
    assert offered(asked) == ""
