"""A private fleet beside the public's Macs: the planted ratio, whatever the two consist of."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from support.fleet_runs import Cohort, documents, some_weeks_ago, upload
from support.people import make_fleet, make_person, sign_in, uploader_of
from support.server import Server

WEEKS, NAME, OURS = 4, "northern offices", 0.95
M1, M4 = 2.6e9, 5.6e9
# Ours are mostly slow chips, the public's mostly fast ones: together they differ by far more.
PRIVATE = [
    Cohort("Apple M1", 16, speed=OURS * M1, fleet=NAME),
    Cohort("Apple M4 Pro", 6, speed=OURS * M4, fleet=NAME),
]
PUBLIC = [Cohort("Apple M1", 6, speed=M1), Cohort("Apple M4 Pro", 16, speed=M4)]
SIDES = [
    *(
        ("metric", "disk.write_average"),
        ("where", "storage:internal"),
        ("baseline", "2"),
        ("version", "2"),
    ),
    *(("side", f"1:fleet:{NAME}"), ("label", f"1:{NAME}"), ("side", "2:"), ("label", "2:Public")),
]


@pytest.fixture
async def asking(server: Server) -> dict[str, dict[str, str]]:
    """Headers of a viewer of the private fleet, and of nobody."""
    url, begin = server.database_url, some_weeks_ago(WEEKS)
    fleet_id = make_fleet(url, NAME)
    for fleet, cohorts in ((fleet_id, PRIVATE), (make_fleet(url, "theirs", "public"), PUBLIC)):
        secret = uploader_of(url, fleet)
        for week in range(WEEKS):
            await upload(server.client, secret, [*documents(cohorts, week, begin)])
    vera = make_person(url, "Vera", roles={fleet_id: "viewer"})
    return {"viewer": await sign_in(url, vera), "nobody": {}}


async def test_ours_relative_to_the_publics_is_what_was_planted(
    server: Server, asking: dict[str, dict[str, str]]
) -> None:
    async def compared(reader: str) -> Any:
        path = f"/api/v1/compare?{urlencode(SIDES)}"
        answer = await server.client.get(path, headers=asking[reader])
        assert answer.status_code == 200, answer.text
        return answer.json()

    (row,) = (await compared("viewer"))["rows"]
    own, public = row["cells"]
    assert (own["machines"], public["machines"]) == (22, 22)
    assert own["median"] / public["median"] < 0.6, "as they are, chips decide"
    ratio = own["ratio"]
    assert ratio["value"] == pytest.approx(OURS, abs=0.005)
    assert ratio["ci_low"] < OURS < ratio["ci_high"] < 1
    assert ratio["verdict"]["answer"] == "different"
    # Who isn't in the fleet finds none of it, on either side.
    (row,) = (await compared("nobody"))["rows"]
    assert [cell.get("machines") for cell in row["cells"]] == [None, 22]


async def test_the_fleet_that_a_page_is_of_is_counted_among_the_others(
    server: Server, asking: dict[str, dict[str, str]]
) -> None:
    async def fleets(reader: str, where: str = f"&where=fleet:{NAME}") -> dict[Any, int]:
        path = f"/api/v1/facets?metric=disk.write_average{where}"
        content = (await server.client.get(path, headers=asking[reader])).json()
        facets = [facet for facet in content["dimensions"] if facet["name"] == "fleet"]
        return {value["value"]: value["runs"] for facet in facets for value in facet["values"]}

    assert await fleets("viewer") == {NAME: 22 * WEEKS, "theirs": 22 * WEEKS}
    assert await fleets("viewer", "") == {"theirs": 22 * WEEKS}, "public pages are the same to all"
    assert NAME not in await fleets("nobody")
