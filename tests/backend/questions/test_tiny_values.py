"""Values that no instrument resolves: refused, and harmless if an older server stored them."""

from __future__ import annotations

import json
import math
import uuid
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest
from macmeter import catalog
from macmeter.catalog import Kind
from macmeter.documents.parse import parse
from macmeter.platform.errors import Problem
from support.documents import disk_run, encoded
from support.older import store_as_before
from support.server import Server
from support.thorough import some

POWER = "power.cpu_total"
QUIET, LOUD = "Apple M1", "Apple M4"


def power_run(watts: list[float], chip: str, machine: str | None = None) -> dict[str, Any]:
    series = {
        "metric": POWER,
        "parameters": {"threads": 1, "core_context": "Performance/high", "kernel": "fp64"},
        "values": watts,
    }
    run = disk_run(machine=machine or str(uuid.uuid4()), series=[series], suite="power")
    run["machine"]["chip"] = chip
    return run


@pytest.mark.parametrize("tiny", [5e-324, 1e-310, 1e-100, 9.9e-13, -1e-12, 1.1e5])
async def test_a_value_that_the_metric_cannot_have_is_refused(server: Server, tiny: float) -> None:
    response = await server.put(power_run([1.0, tiny], QUIET))
    assert response.status_code == 422, response.text
    assert (response.json()["code"], response.json()["pointer"]) == (
        "out_of_range",
        "/series/0/values/1",
    )


@pytest.mark.parametrize("value", [0, 1e-12, 1e5])
async def test_zero_and_the_ends_of_what_it_can_have_are_taken(
    server: Server, value: float
) -> None:
    await server.stored(power_run([value], QUIET))


@pytest.mark.parametrize("name", catalog.METRICS)
def test_every_metric_has_bounds_that_uploads_reach_and_do_not_pass(name: str) -> None:
    metric = catalog.METRICS[name]
    parameters = {
        parameter: 1 if catalog.DIMENSIONS[parameter].kind == Kind.NUMBER else "x"
        for parameter in metric.required
    }

    def read(value: float) -> None:
        series = {"metric": name, "parameters": parameters, "values": [value]}
        run = disk_run(series=[series], suite=metric.suite)
        parse(encoded(run), now=datetime.now(UTC))

    for value in (catalog.PLAUSIBLE_MINIMUM, metric.maximum):
        read(value)
    beyond = [catalog.PLAUSIBLE_MINIMUM / 2, math.nextafter(metric.maximum, math.inf), -1.0]
    for value in beyond if metric.zero else [*beyond, 0.0]:
        with pytest.raises(Problem) as refused:
            read(value)
        assert refused.value.errors[0].pointer == "/series/0/values/0"


def finite(text: str) -> Any:
    """JSON of an answer that must have no NaN or infinity."""
    assert "NaN" not in text
    assert "Infinity" not in text
    return json.loads(text)


WHERE = "metric=power.cpu_total&by=chip&where=threads:1"


OLD = [(5e-324, 1), (1e-310, 8), (1e-200, 2), (0.0, 1), (0.0, 8)]
OTHERS = [pair for pair in product([5e-324, 1e-310, 1e-200, 0.0], [1, 2, 8]) if pair not in OLD]


@pytest.mark.parametrize(
    ("tiny", "machines"),
    some([*OLD, *OTHERS], len(OLD)),
)
async def test_what_was_stored_before_breaks_no_answer(
    server: Server, tiny: float, machines: int
) -> None:
    runs = [power_run([tiny], QUIET) for _ in range(machines)]
    runs += [power_run([1e5], LOUD) for _ in range(machines)]
    await store_as_before(server, *map(encoded, runs))
    paths = [
        f"answer?{WHERE}&relative_to=chip:Apple+M1{flagged}&weight={weight}"
        for flagged in ("&flagged=include", "")
        for weight in ("machine", "run")
    ]
    paths += [f"answer.csv?{WHERE}&flagged=include", f"chart.svg?{WHERE}&flagged=include"]
    alone = f"{WHERE}&where=chip:Apple+M1&flagged=include"
    paths += [f"answer?{alone}", f"chart.svg?{alone}"]
    paths += [
        f"compare?side=1:chip:Apple+M1&side=2:chip:Apple+M4&metric={POWER}@threads:1&flagged=include",
        f"facets?metric={POWER}",
    ]
    for path in paths:
        response = await server.client.get(f"/api/v1/{path}")
        assert response.status_code == 200, f"{path}: {response.text}"
        if "json" in response.headers["Content-Type"]:
            finite(response.text)
    groups = await server.groups(f"{WHERE}&relative_to=chip:Apple+M1&flagged=include")
    for group in groups:
        for name, value in group.get("ratio", {}).items():
            if name in ("value", "ci_low", "ci_high") and value is not None:
                assert value < 1e30


async def test_stored_values_beyond_the_metric_are_flagged(server: Server) -> None:
    run = power_run([5e-324], QUIET)
    await store_as_before(server, encoded(run))
    page = (await server.client.get(f"/api/v1/runs/{run['id']}")).json()
    (result,) = page["results"]
    assert [flag["code"] for flag in result["flags"]] == ["out_of_range"]


async def test_one_mac_with_a_tiny_value_takes_no_ratio_from_the_others(server: Server) -> None:
    """Six Macs in both power modes, and one with a figure too small to divide by."""
    runs = []
    for watts in (10.0, 10.1, 10.2, 10.3, 10.4, 10.5, 1e-310):
        machine = str(uuid.uuid4())
        for mode, share in (("automatic", 1.0), ("low", 0.5)):
            run = power_run([watts * share], LOUD, machine)
            run["environment"] = {"power_mode": mode}
            runs.append(run)
    await store_as_before(server, *map(encoded, runs))
    groups = await server.groups(
        f"metric={POWER}&by=power_mode&where=threads:1&relative_to=power_mode:automatic"
        "&flagged=include"
    )
    (low,) = (group for group in groups if group["key"]["power_mode"] == "low")
    assert low["ratio"]["pairs"] == 6
    assert low["ratio"]["value"] == pytest.approx(0.5)
    assert low["ratio"]["ci_high"] == pytest.approx(0.5)
