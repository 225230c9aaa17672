"""Flags follow from facts, for metrics with the right roles."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from macmeter import catalog
from macmeter.catalog import Role
from macmeter.documents.derive import derive
from macmeter.documents.parse import parse_stored
from support.documents import disk_run, encoded
from support.server import Server

VM = {"os_version": "26.4", "virtual_machine": {"vcpus": 4}}


def series(metric: catalog.Metric) -> dict[str, Any]:
    kinds = {catalog.Kind.NUMBER: 1, catalog.Kind.TEXT: "x", catalog.Kind.BOOLEAN: True}
    parameters = {name: kinds[catalog.DIMENSIONS[name].kind] for name in metric.required}
    return {"metric": metric.name, "parameters": parameters, "values": [1.0]}


@pytest.mark.parametrize("metric", catalog.METRICS.values(), ids=lambda metric: metric.name)
def test_what_is_said_of_reads_is_said_of_no_other_metric(metric: catalog.Metric) -> None:
    """A thread is not a read, though its name contains one."""
    warnings = [{"code": "reads_may_be_cached"}]
    run = disk_run(series=[series(metric)], environment=VM, warnings=warnings)
    (result,) = derive(*parse_stored(encoded(run))).results
    reads = Role.READS in metric.roles
    assert set(result.flags or []) == (
        {"reads_may_be_cached", "host_cache_unknown"} if reads else set()
    )
    assert result.doubtful is reads


MAC = {"version": "0.1.0", "platform": "macos-arm64"}


def latency(*tests: str) -> list[dict[str, Any]]:
    return [
        {"metric": "disk.latency", "parameters": {"test": test}, "values": [1e-4]} for test in tests
    ]


def speeds(read: float, write: float) -> list[dict[str, Any]]:
    return [
        {"metric": "disk.read_average", "values": [read]},
        {"metric": "disk.write_average", "values": [write]},
    ]


def flags(**content: Any) -> list[set[str]]:
    """Flags of each result; the run has none."""
    run = disk_run(environment={"os_version": "26.4"}, **content)
    derived = derive(*parse_stored(encoded(run)))
    assert derived.columns["flags"] == []
    return [set(result.flags or []) for result in derived.results]


@pytest.mark.parametrize(
    ("agent", "version", "cached"),
    [
        (MAC, 1, True),
        (MAC, 2, False),
        ({"version": "0.1.0", "platform": "linux-x86_64"}, 1, False),
        ({"version": "0.1.0"}, 1, False),
    ],
)
@pytest.mark.parametrize("name", ["latency", "latency-quick"])
def test_macs_cached_the_small_writes_of_the_first_version(
    name: str, agent: dict[str, str], version: int, cached: bool
) -> None:
    read, *writes = derive(
        *parse_stored(
            encoded(
                disk_run(
                    agent=agent,
                    environment={"os_version": "26.4"},
                    method={"name": name, "version": version, "parameters": {"direct": True}},
                    series=latency("random_read_qd1", "random_write_qd1", "random_write_qd32"),
                )
            )
        )
    ).results
    assert read.flags is None
    assert not read.doubtful
    for write in writes:
        assert write.flags == (["writes_may_be_cached"] if cached else None)
        assert write.doubtful is cached


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        (
            {"direct": True, "block_size": 4096},
            [{"cache_state_unstated"}, {"writes_may_be_cached"}],
        ),
        ({"direct": True, "block_size": 16384}, [{"cache_state_unstated"}, set()]),
        ({"direct": True}, [{"cache_state_unstated"}, set()]),
        ({"direct": True, "block_size": 4096, "io_engine": "libaio"}, [set(), set()]),
        ({"block_size": 4096}, [set(), set()]),
    ],
)
def test_direct_imports_of_macs_say_less_than_they_seem(
    parameters: dict[str, Any], expected: list[set[str]]
) -> None:
    method = {"name": "fio-randrw", "version": 1, "parameters": parameters}
    imported = {"source": "imported", "tool": {"name": "fio"}, "method": method}
    assert flags(agent=MAC, series=speeds(1e9, 1e9), **imported) == expected


def test_what_is_said_of_one_direction_leaves_the_other_alone() -> None:
    series = latency("random_read_qd1", "random_write_16k_qd1") + speeds(1e9, 1e9)
    for code, doubted in (("reads_may_be_cached", {0, 2}), ("writes_may_be_cached", {1, 3})):
        found = flags(series=series, warnings=[{"code": code}])
        assert {at for at, one in enumerate(found) if one == {code}} == doubted
        assert all(one in ({code}, set()) for one in found)


@pytest.mark.parametrize("source", ["measured", "imported"])
@pytest.mark.parametrize(
    ("target", "chip", "speed", "code"),
    [
        ({"storage": "usb3", "link_speed": 480e6}, "Apple M4", 5.187e9, "faster_than_link"),
        ({"storage": "other", "link_speed": 480e6}, "Apple M4", 70e6, "faster_than_link"),
        # Published speeds of each variant: another of its generation can be faster.
        ({"storage": "internal"}, "Apple M1", 8e9, "faster_than_storage"),
        ({"storage": "internal"}, "Apple M1", 3.4e9, None),
        ({"storage": "internal"}, "Apple M1 Max", 8e9, None),
        ({"storage": "internal"}, "Apple M4 Max", 14.2e9, "faster_than_storage"),
        ({"storage": "internal"}, "Apple M5 Max", 25e9, "faster_than_storage"),
        (
            {"storage": "disk_image", "image": {"host": {"storage": "internal"}}},
            "Apple M2",
            12e9,
            "faster_than_storage",
        ),
        # Within a source's figure, chips without a published one, and a server.
        ({"storage": "internal"}, "Apple M5 Max", 17.8e9, None),
        ({"storage": "internal"}, "Apple M9", 40e9, None),
        ({"storage": "internal"}, "Apple M3 Ultra", 40e9, None),
        ({"storage": "network"}, "Apple M1", 40e9, None),
    ],
)
def test_what_storage_cannot_reach_is_doubted(
    source: str, target: dict[str, Any], chip: str, speed: float, code: str | None
) -> None:
    found = flags(
        source=source,
        target=target,
        chip=chip,
        series=speeds(speed, 1e6),
        **({"tool": {"name": "fio"}} if source == "imported" else {}),
    )
    assert found == [{code} - {None}, set()]


def test_the_agents_doubt_counts_where_this_server_knows_no_limit() -> None:
    warnings = [{"code": "faster_than_storage", "detail": "Read speed 90 GB/s"}]
    series = [*speeds(9e10, 1e9), *latency("random_read_qd1")]
    unknown = {"chip": "Apple M9", "target": {"storage": "internal"}}
    code = {"faster_than_storage"}
    assert flags(series=series, warnings=warnings, **unknown) == [code, code, set()]
    known = {"chip": "Apple M4", "target": {"storage": "internal"}}
    assert flags(series=series, warnings=warnings, **known) == [code, set(), set()]


async def test_a_documents_own_warning_does_not_withdraw_it(server: Server) -> None:
    run = disk_run(warnings=[{"code": "withdrawn", "detail": "says its agent"}])
    await server.stored(run)
    (group,) = await server.groups("metric=disk.write_average")
    assert (group["runs"], group["flags"]) == (1, [])
    told = (await server.client.get(f"/api/v1/runs/{run['id']}")).json()
    assert (told["flags"], told["withdrawn"]) == ([], None)


async def test_a_withdrawn_run_is_told_as_withdrawn_whatever_its_document_says(
    server: Server,
) -> None:
    run, other = disk_run(machine=str(uuid.uuid4())), disk_run()
    token = server.token()
    assert (await server.put(run, token)).status_code == 201
    await server.stored(other)
    response = await server.client.put(
        f"/api/v1/runs/{run['id']}/withdrawal",
        json={"reason": "the drive was failing"},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert response.status_code == 204, response.text
    (result,) = (await server.answer("metric=disk.write_average"))["results"]
    assert result["groups"][0]["runs"] == 1
    assert result["excluded"] == [{"reason": "withdrawn", "severity": "doubt", "runs": 1}]
