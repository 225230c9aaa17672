"""A reading of 0 is a figure: answers include it, and nothing is divided by it."""

from __future__ import annotations

from typing import Any

import pytest
from macmeter import catalog
from support.documents import Document, disk_run
from support.server import Server

PARAMETERS = {"kernel": "int64", "core_context": "Efficiency/background", "threads": 1}
ZEROES = [catalog.METRICS[name] for name in ("power.cpu_total", "workload.user_time")]


def reading(metric: str, value: float, power_mode: str, **more: Any) -> Document:
    parameters = {n: PARAMETERS[n] for n in catalog.METRICS[metric].required}
    series = [{"metric": metric, "parameters": parameters, "values": [value]}]
    environment = {"power_mode": power_mode}
    suite = catalog.METRICS[metric].suite
    return disk_run(suite=suite, series=series, environment=environment, target=None, **more)


def fixed(metric: str) -> str:
    return "".join(f"&where={n}:{PARAMETERS[n]}" for n in catalog.METRICS[metric].required)


@pytest.mark.every(3)
@pytest.mark.parametrize("metric", ZEROES, ids=lambda metric: metric.name)
@pytest.mark.parametrize(("automatic", "low"), [(0.0, 0.0), (2.0, 0.0), (0.0, 2.0)])
async def test_nothing_is_told_relative_to_zero(
    server: Server,
    metric: catalog.Metric,
    automatic: float,
    low: float,
) -> None:
    name = metric.name
    await server.stored(
        *(reading(name, automatic, "automatic") for _ in range(6)),
        *(reading(name, low, "low") for _ in range(6)),
    )
    question = f"metric={name}{fixed(name)}"
    relative = f"{question}&by=power_mode&relative_to=power_mode:automatic"
    (result,) = (await server.answer(relative))["results"]
    low_group = result["groups"][1]
    assert low_group["median"] == low
    assert "ratio" not in low_group
    assert "zero" in {note["code"] for note in result["notes"]}
    sides = f"{question}&side=1:power_mode:automatic&side=2:power_mode:low"
    comparison = (await server.client.get(f"/api/v1/compare?{sides}")).json()
    assert comparison["rows"][0]["cells"][1]["no_ratio"]["code"] == "zero"
    for path in (f"chart.svg?{relative}", f"chart.svg?{sides}", f"answer.csv?{relative}"):
        assert (await server.client.get(f"/api/v1/{path}")).status_code == 200, path


async def test_a_pair_with_a_zero_has_no_ratio_and_leaves_those_of_others(server: Server) -> None:
    machines = [disk_run()["machine"]["id"] for _ in range(7)]
    await server.stored(
        *(reading("power.cpu_total", 2.0, "automatic", machine=machine) for machine in machines),
        *(
            reading("power.cpu_total", float(i > 0), "low", machine=machine)
            for i, machine in enumerate(machines)
        ),
    )
    question = f"metric=power.cpu_total{fixed('power.cpu_total')}"
    for reference in ("automatic", "low"):
        relative = f"{question}&by=power_mode&relative_to=power_mode:{reference}"
        (result,) = (await server.answer(relative))["results"]
        (other,) = (g for g in result["groups"] if g["key"]["power_mode"] != reference)
        ratio = 0.5 if reference == "automatic" else 2.0
        assert (other["ratio"]["pairs"], other["ratio"]["value"]) == (6, ratio)


async def test_zeroes_are_fitted_and_drawn(server: Server) -> None:
    series = [
        {"metric": "power.cpu_total", "parameters": {"threads": n}, "values": [0.0]}
        for n in (1, 2, 3, 4)
    ]
    await server.stored(disk_run(suite="power", series=series, target=None))
    for model in ("linear", "power", "quadratic", "theil_sen"):
        question = f"metric=power.cpu_total&by=threads&fit={model}"
        await server.answer(question)
        assert (await server.client.get(f"/api/v1/chart.svg?{question}")).status_code == 200, model
