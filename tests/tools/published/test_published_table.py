"""docs/published.md agrees with the data."""

from __future__ import annotations

import re

from published import table


def test_it_has_every_row_once() -> None:
    rows = re.findall(r"^\| (m\d{3}) \|", table.table(), flags=re.MULTILINE)
    assert sorted(rows) == [f"m{number:03}" for number in range(1, 303)]


def test_every_row_says_where_or_why() -> None:
    for line in table.table().splitlines():
        if re.match(r"\| m\d{3} \|", line):
            assert len(line.split(" | ")[-1]) > 5, line
