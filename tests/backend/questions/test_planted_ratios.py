"""Like-with-like ratios on invented fleets: the planted one, or the name of what prevents it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

import pytest
from support.recomputed import results
from support.server import Server
from support.thorough import some
from support.unlike.confounded import DESIGNS
from support.unlike.documents import documents
from support.unlike.fleets import school
from support.unlike.loading import store
from support.unsaid import Json, unsaid

ENCRYPTION = ("encryption:none", "encryption:apfs_encrypted")
WRITE = "disk.write_average"


@dataclass(frozen=True)
class Case:
    """Two sides of a design: the verdict, what is named, and the planted ratio if it shows."""

    design: str
    verdict: str
    named: tuple[str, ...] = ()
    ratio: float | None = None
    sides: tuple[str, str] = ENCRYPTION
    metric: str = WRITE
    pairs: int | None = None


CASES = (
    Case("wholly", "confounded", ("chip",)),
    Case("uneven", "different", ratio=0.9),
    Case("one shared", "not_enough", ratio=0.9),
    Case("macOS within", "confounded", ("os_version",)),
    Case(
        "device",
        "different",
        ("device",),
        sides=("storage:usb4", "storage:thunderbolt5"),
    ),
    Case("nothing", "different", ratio=0.9),
    Case("seasons", "confounded", ("month",)),
    Case(
        "two drives",
        "different",
        ratio=0.9,
        sides=("device:Fast SSD", "device:Slow SSD"),
        pairs=10,
    ),
    Case("one pair", "different", ratio=0.9),
    Case(
        "updated",
        "different",
        ratio=1 / 0.85,
        sides=("os_version:26.3", "os_version:26.4"),
        metric="compression.duration@threads:4",
    ),
)


@pytest.mark.parametrize("case", some(CASES, 5), ids=lambda case: case.design)
async def test_what_was_planted_is_found_or_what_hides_it_is_named(
    server: Server, case: Case
) -> None:
    await store(server.client, server.database_url, DESIGNS[case.design])
    sides = [("side", f"{number}:{filters}") for number, filters in enumerate(case.sides, 1)]
    query = urlencode([("metric", case.metric), *sides, ("version", "2")])
    response = await server.client.get(f"/api/v1/compare?{query}")
    assert response.status_code == 200, response.text
    rows = [row for row in response.json()["rows"] if not row["published"]]
    ratio = rows[0]["cells"][1]["ratio"]
    assert ratio["verdict"]["answer"] == case.verdict, ratio
    assert {*case.named} <= {difference["dimension"] for difference in ratio["unlike"]}
    if not case.named:
        assert ratio["unlike"] == []
    assert ratio.get("pairs") == case.pairs
    if case.ratio is not None and case.verdict == "different":
        assert ratio["ci_low"] <= case.ratio * 1.02
        assert ratio["ci_high"] >= case.ratio * 0.98
        assert ratio["value"] == pytest.approx(case.ratio, rel=0.04)


async def test_models_that_are_all_others_are_never_called_different(server: Server) -> None:
    await store(server.client, server.database_url, DESIGNS["clusters"])
    query = f"metric={WRITE}&side=1:{ENCRYPTION[0]}&side=2:{ENCRYPTION[1]}&version=2"
    comparison = (await server.client.get(f"/api/v1/compare?{query}")).json()
    ratio = comparison["rows"][0]["cells"][1]["ratio"]
    assert "model" in [difference["dimension"] for difference in ratio["unlike"]]
    assert ratio["verdict"]["answer"] != "different"


async def test_no_verdict_of_an_unlike_fleet_hides_what_else_differs(server: Server) -> None:
    """The short form of `make bench ONLY=unsaid`."""
    design = school()
    await store(server.client, server.database_url, design)

    async def ask(query: str) -> Json:
        response = await server.client.get(f"/api/v1/compare?{query}")
        assert response.status_code == 200, response.text
        comparison: Json = response.json()
        return comparison

    hidden, judged = await unsaid(results(documents(design)), ask)
    assert hidden == []
    assert judged > 0
