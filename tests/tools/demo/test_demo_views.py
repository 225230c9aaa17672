"""A small demo's views show what was planted; `make bench ONLY=demo` checks the whole one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from demo.fleet import fleet
from demo.loading import load
from macmeter.embedded import find_running
from macmeter.platform import demo as mark
from macmeter.platform.demo import Scale, monday
from support.live_server import ForkedServer
from support.planted import Planted
from support.seeds import seeded
from support.views import PRINTED_ONLY, Asking, Row, default_questions, rows_of_questions, table
from support.views_beside import rows_beside_questions

SMALL = Scale(machines=40, every=10)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Row]]:
    directory = tmp_path_factory.mktemp("views")
    with ForkedServer(seeded(directory)) as server:
        running = find_running(directory)
        assert running is not None
        whole = fleet(SMALL, mark.claim(running.url(), SMALL, monday(datetime.now(UTC))).base)
        load(running.url(), server.url, mark.Mark(SMALL, whole.base), directory)
        asking, planted = Asking(server.url), Planted(whole)
        # With only forty machines, some cases have no machine with the most common chip.
        of_questions = rows_of_questions(asking, planted, complete=False)
        yield of_questions + rows_beside_questions(asking, planted)


def test_every_figure_of_every_view_is_the_one_planted(rows: list[Row]) -> None:
    assert sum(row.groups for row in rows) > 500
    assert not [row for row in rows if row.wrong], table(rows)


def test_no_view_is_left_out(rows: list[Row]) -> None:
    told = default_questions()
    asked = len(told["views"]) - len(PRINTED_ONLY) + len(told["findings"])
    assert len([row for row in rows if row.is_question]) == asked
    assert {name for row in rows for name in re.findall(r"V\d+", row.view)} == {
        f"V{number}" for number in range(1, 23)
    }
