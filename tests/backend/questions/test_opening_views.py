"""What every view opens with on fleets that it wasn't written for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from macmeter.embedded import EmbeddedPostgres
from support import recomputed
from support.databases import fresh_database
from support.openings import VIEWS, opened
from support.said import faults
from support.server import Server, serving
from support.unlike.documents import documents
from support.unlike.fleets import FLEETS
from support.unlike.loading import store


@dataclass
class Fleet:
    server: Server
    known: list[recomputed.Result]


@pytest.fixture(scope="module", params=[*FLEETS.values()], ids=[*FLEETS])
async def fleet(cluster: EmbeddedPostgres, request: pytest.FixtureRequest) -> AsyncIterator[Fleet]:
    with fresh_database(cluster) as name:
        async with serving(cluster.url(name)) as server:
            await store(server.client, server.database_url, request.param)
            yield Fleet(server, recomputed.results(documents(request.param)))


@pytest.mark.every(4)
@pytest.mark.parametrize("view", VIEWS)
async def test_a_view_opens_with_all_its_cases(fleet: Fleet, view: str) -> None:
    view_opened = await opened(fleet.server, VIEWS[view])
    assert view_opened.keeps_cases
    assert view_opened.mixes == []


async def test_its_figures_are_what_documents_say(fleet: Fleet) -> None:
    views = [await opened(fleet.server, question) for question in VIEWS.values()]
    assert [wrong for view in views for wrong in view.differences(fleet.known)] == []
    assert sum(view.measured for view in views) > 50


async def test_what_its_titles_say_is_so(fleet: Fleet) -> None:
    shown = [(await opened(fleet.server, question)).shown for question in VIEWS.values()]
    findings = [(title, a) for a in shown if (title := a["figure"].get("finding"))]
    assert len(findings) >= len([a for a in shown if a["results"]]) // 3
    assert [(title, wrong) for title, a in findings if (wrong := faults(title, a))] == []
