"""Run documents for tests, as short stories: `disk_run(storage="usb4", write=3.7e9)`."""

from __future__ import annotations

import json
import uuid
from math import inf
from typing import Any

from macmeter.catalog.chips import fastest_storage

Document = dict[str, Any]
_WRITE, _READ = 5e9, 6e9


def disk_run(
    *,
    write: float | list[float] | None = _WRITE,
    read: float | list[float] | None = _READ,
    machine: str | None = None,
    chip: str = "Apple M4 Pro",
    storage: str = "internal",
    encryption: str = "filevault",
    **changes: Any,
) -> Document:
    """A measured graded-files run; `changes` replace top-level keys, None leaves one out.

    Default speeds are capped at what the chip's storage can reach.
    """
    series = []
    fastest = fastest_storage(chip) or inf
    for metric, values, default in (
        ("disk.write_average", write, _WRITE),
        ("disk.read_average", read, _READ),
    ):
        if values is not None:
            values = min(values, fastest) if values is default else values
            listed = values if isinstance(values, list) else [values]
            series.append({"metric": metric, "values": listed})
    document: Document = {
        "schema": "macmeter.run/1",
        "id": str(uuid.uuid4()),
        "suite": "disk",
        "source": "measured",
        "state": "complete",
        "method": {"name": "graded-files", "version": 1, "parameters": {"sets": 1}},
        "started_at": "2026-11-20T10:00:00Z",
        "machine": {"id": machine or str(uuid.uuid4()), "chip": chip},
        "environment": {"os_version": "26.4"},
        "target": {"storage": storage, "encryption": encryption},
        "series": series,
    }
    document.update(changes)
    return {name: value for name, value in document.items() if value is not None}


def sampled_run(samples: int = 5, **changes: Any) -> Document:
    """A power run of a two-core cluster whose frequency falls by 0.1 GHz for each active core."""
    cpu: list[list[Any]] = []
    core: list[list[Any]] = []
    for sample in range(samples):
        share = sample / max(1, samples - 1)
        cpu.append([sample / 10, "P0-Cluster", 4.4e9 - 0.2e9 * share])
        core += [[sample / 10, "P0-Cluster", number, share] for number in (4, 5)]
    columns = ["t", "cluster", "frequency"], ["t", "cluster", "core", "active_residency"]
    traces = [
        {"kind": "cpu", "columns": columns[0], "rows": cpu},
        {"kind": "core", "columns": columns[1], "rows": core},
    ]
    return disk_run(
        **{
            "suite": "power",
            "write": None,
            "read": None,
            "target": None,
            "traces": traces,
            **changes,
        }
    )


def encoded(document: Document) -> bytes:
    return json.dumps(document).encode()


def by_file_size(
    speeds: dict[int, list[float]], metric: str = "disk.write_speed"
) -> list[dict[str, Any]]:
    """Series of one metric: bytes of the file -> speeds."""
    return [
        {"metric": metric, "parameters": {"file_size": size}, "values": values}
        for size, values in speeds.items()
    ]
