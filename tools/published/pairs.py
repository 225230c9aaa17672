"""The pairs among published figures: one device encrypted and plain, a VM and its host.

Nothing is guessed: devices pair by their `device_id` in devices.json, a VM with the host that its
setup names. A figure without a counterpart has no pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from macmeter import Json

from published.build import documents


@dataclass(frozen=True)
class Pair:
    """Two rows whose figures may be divided: `of` the case in question, `to` its reference."""

    what: str
    metric: str
    of: str
    to: str


def pairs() -> Iterator[Pair]:
    results = [run for run in documents() if "series" in run]
    for run in results:
        for other in results:
            if run["method"]["name"] == other["method"]["name"] and _same_series(run, other):
                kind = _encryption(run, other) or _host(run, other)
                if kind is not None:
                    yield Pair(kind, run["series"][0]["metric"], _row(run), _row(other))


def _encryption(run: Json, other: Json) -> str | None:
    target, reference = run.get("target", {}), other.get("target", {})
    if run["machine"]["id"] != other["machine"]["id"] or "device_id" not in target:
        return None
    if target["device_id"] != reference.get("device_id"):
        return None
    encryptions = (target.get("encryption"), reference.get("encryption"))
    if encryptions[1] != "none" or encryptions[0] in (None, "none"):
        return None
    return f"{target['device_id'].removeprefix('published:')}: {encryptions[0]} to none"


def _host(run: Json, other: Json) -> str | None:
    guest = run.get("environment", {}).get("virtual_machine", {})
    if guest.get("host_machine_id") != other["machine"]["id"]:
        return None
    if run.get("target", {}).get("device_id") != other.get("target", {}).get("device_id"):
        return None
    return "VM to its host"


def _same_series(run: Json, other: Json) -> bool:
    a, b = run["series"][0], other["series"][0]
    return bool(a["metric"] == b["metric"] and a.get("parameters") == b.get("parameters"))


def _row(run: Json) -> str:
    return str(run["citation"]["row"])
