"""A mean of ratios says whose ratios they are."""

from __future__ import annotations

from typing import Any

import pytest
from macmeter.charts.sides import heading_of_mean


def row(metric: str, *, published: bool) -> Any:
    method = "stibium" if published else "graded-files"
    return {"metric": metric, "parameters": {}, "method": method, "published": published}


MEASURED = row("disk.read_average", published=False)
PRINTED = [row(metric, published=True) for metric in ("disk.read_average", "disk.write_average")]


@pytest.mark.parametrize(
    ("covers", "told"),
    [
        ([MEASURED, MEASURED], "Geometric mean of 2 ratios"),
        ([MEASURED, PRINTED[1]], "Geometric mean of 2 partly published ratios"),
        (PRINTED, "Geometric mean of 2 published ratios"),
    ],
)
def test_a_mean_of_printed_ratios_beside_measured_ones_says_so(covers: Any, told: str) -> None:
    rows = [MEASURED, *PRINTED]
    assert heading_of_mean(covers, rows) == f"{told}, above 100 % is better"
