"""What every view opens with on fleets that it wasn't written for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from macmeter.catalog.terms import MOST_GROUPED
from macmeter.embedded import EmbeddedPostgres
from support import recomputed
from support.databases import fresh_database
from support.planted import speaks_of
from support.server import Server, serving
from support.unlike.documents import documents
from support.unlike.fleets import FLEETS
from support.unlike.loading import store
from support.views import default_questions

Json = dict[str, Any]
VIEWS = {
    f"{view['page']} {view['view']}": view["question"] for view in default_questions()["views"]
}


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


async def opened(server: Server, question: str) -> tuple[Json, Json]:
    """Return the answer to a view's question, and to what its page opens with."""
    response = await server.client.get(f"/api/v1/starting-point?{question}")
    return await server.answer(question), await server.answer(response.json()["canonical"])


def cases(answer: Json, by: list[str]) -> set[tuple[Any, ...]]:
    """Return what the view shows side by side: metric and values, but not points on an axis."""
    told = [name for name in by if name not in ("threads", "active_cores", "file_size")]
    return {
        (result["metric"], *(group["key"][name] for name in told))
        for result in answer["results"]
        for group in result["groups"]
    }


@pytest.mark.parametrize("view", VIEWS)
async def test_a_view_opens_with_all_its_cases(fleet: Fleet, view: str) -> None:
    everything, shown = await opened(fleet.server, VIEWS[view])
    by = everything["question"]["by"]
    # A question that groups by three dimensions can't show a fourth side by side.
    assert cases(shown, by) == cases(everything, by) or (
        len(by) == MOST_GROUPED and cases(shown, by)
    )
    if not shown["question"]["relative_to"]:
        groups = [group for result in shown["results"] for group in result["groups"]]
        assert [group["mixes"] for group in groups] == [[] for _ in groups]


async def test_its_figures_are_what_documents_say(fleet: Fleet) -> None:
    wrong, groups = [], 0
    for question in VIEWS.values():
        _, shown = await opened(fleet.server, question)
        asked = shown["question"]
        if asked["relative_to"]:
            continue  # tests of planted ratios have those
        for result in shown["results"]:
            measured = [group for group in result["groups"] if not group["published"]]
            where = tuple(
                (term["dimension"], term["op"] == "not", term["value"])
                for term in asked["where"]
                if speaks_of(result["metric"], term["dimension"])
            )
            own = recomputed.Asked(result["metric"], tuple(asked["by"]), where)
            answer = {"results": [{"groups": measured}]}
            wrong += recomputed.differences(fleet.known, own, answer)
            groups += len(measured)
    assert wrong == []
    assert groups > 50
