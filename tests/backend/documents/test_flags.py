"""Flags follow from facts, for the metrics whose roles they speak of."""

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
