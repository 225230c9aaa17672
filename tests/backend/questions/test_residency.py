"""Frequency against residency, pooled from traces."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from macmeter.questions import residency
from macmeter.questions.residency import points_of, tier_of
from support.documents import disk_run, sampled_run
from support.server import InThisProcess, Server, serving


async def ask(server: Server, query: str = "") -> Any:
    response = await server.client.get(f"/api/v1/residency?{query}")
    assert response.status_code == 200, response.text
    return response.json()


async def test_points_of_many_runs_are_pooled_and_fitted(server: Server) -> None:
    machine = str(uuid.uuid4())
    await server.stored(
        sampled_run(machine=machine), sampled_run(machine=machine), sampled_run(chip="Apple M1")
    )
    answer = await ask(server, "fit=linear")
    m1, m4 = answer["groups"]
    assert m4["key"] == {"chip": "Apple M4 Pro", "power_mode": None, "tier": "Performance"}
    assert (m4["runs"], m4["machines"], m4["samples"]) == (2, 1, 10)
    assert m4["points"][:5] == [[0, 4.4e9], [0.5, 4.35e9], [1, 4.3e9], [1.5, 4.25e9], [2, 4.2e9]]
    assert m4["fit"]["coefficients"] == pytest.approx([4.4e9, -1e8])
    assert (m4["fit"]["low"], m4["fit"]["high"], m4["fit"]["points"]) == (0, 2, 10)
    assert m1["key"]["chip"] == "Apple M1"
    assert (await ask(server))["groups"][0]["fit"] is None


async def test_what_lies_outside_the_range_is_counted_and_not_fitted(server: Server) -> None:
    await server.stored(sampled_run())
    (group,) = (await ask(server, "active=1..1.5&fit=linear"))["groups"]
    assert [active for active, _ in group["points"]] == [1, 1.5]
    assert (group["samples"], group["outside"]) == (2, 3)
    assert group["fit"] is None  # two points determine no curve that could fail


async def test_runs_without_cores_doubted_and_filtered_ones_are_left_out(server: Server) -> None:
    clusters_only = sampled_run()
    clusters_only["traces"] = clusters_only["traces"][:1]
    await server.stored(
        sampled_run(),
        clusters_only,
        sampled_run(warnings=[{"code": "incomplete"}], state="incomplete"),
        disk_run(),
    )
    answer = await ask(server)
    assert (answer["runs"], answer["without"], answer["doubted"]) == (1, 1, 1)
    assert (await ask(server, "flagged=include"))["runs"] == 2
    assert (await ask(server, "where=chip:Apple%20M1"))["groups"] == []


async def test_many_points_are_thinned_and_many_runs_left_out(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(residency, "MAX_POINTS", 10)
    monkeypatch.setattr(residency, "MAX_RUNS", 2)
    async with serving(database_url, questions=InThisProcess()) as server:
        await server.stored(*(sampled_run(samples=40) for _ in range(3)))
        answer = await ask(server, "fit=quadratic")
    (group,) = answer["groups"]
    assert (answer["runs"], answer["older"]) == (2, 1)
    assert (group["samples"], len(group["points"]), group["fit"]["points"]) == (80, 10, 80)


def test_a_sample_with_a_core_that_was_not_read_is_no_point() -> None:
    document = sampled_run(samples=2)
    document["traces"][1]["rows"][0][3] = None
    assert [point for _, point in points_of(document)] == [(2.0, 4.2e9)]


@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        (["t"], [[0]]),
        (["t", "cluster", "active_residency"], [[0, "P"], [0], [], [None, "P", 1], [0, 5, 1]]),
        (["=t", "cluster", "active_residency"], [[0, "P", 1]]),
    ],
)
def test_odd_traces_have_no_points(columns: list[str], rows: list[list[Any]]) -> None:
    document = sampled_run()
    document["traces"][1] |= {"columns": columns, "rows": rows}
    assert list(points_of(document)) == []


def test_tiers_are_told_by_the_cluster_and_the_chip() -> None:
    assert tier_of("P1-Cluster", ["Performance", "Efficiency"]) == "Performance"
    assert tier_of("P0-Cluster", ["Super", "Performance"]) == "Super"
    assert tier_of("M0-Cluster", ["Super", "Performance"]) == "Performance"
    assert tier_of("E-Cluster", []) == "Efficiency"
    assert tier_of("", []) == "other"


async def test_power_modes_are_never_pooled(server: Server) -> None:
    """A curve through both goes where neither has a sample."""
    for mode in ("automatic", "low"):
        await server.stored(sampled_run(environment={"power_mode": mode}))
    answer = (await ask(server, "fit=linear"))["groups"]
    assert {group["key"]["power_mode"] for group in answer} == {"automatic", "low"}
    assert {group["runs"] for group in answer} == {1}
