"""Reasons to doubt a run or one of its results, derived from what its document says.

Pure: a document in, codes of the catalogue out. What the agent itself noticed comes in as
`warnings`; what follows from the facts is added here, so that it holds for every sender.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from macmeter import catalog
from macmeter.catalog import Role
from macmeter.catalog.chips import STORAGE_TOLERANCE, fastest_storage
from macmeter.catalog.terms import Value
from macmeter.documents.document import Environment, RunDocument, Target

# Warnings that speak of one direction leave the same run's other transfers alone.
_OF_DIRECTION = {
    "reads_may_be_cached": Role.READS,
    "host_cache_unknown": Role.READS,
    "writes_may_be_cached": Role.WRITES,
}
# Warnings of single figures: the others of the run may be right.
_BEYOND = frozenset({"faster_than_link", "faster_than_storage"})
# Asks for a speed to be computed; it holds for that speed alone.
DERIVED = "derived"
# Looked up for each series of each upload.
_DIRECTIONS = {
    name: metric.roles & {Role.READS, Role.WRITES} for name, metric in catalog.METRICS.items()
}
_CROSSING_LINKS = frozenset(
    name for name, metric in catalog.METRICS.items() if Role.CROSSES_LINK in metric.roles
)
_LATENCY = "disk.latency"
# macOS lets no smaller write past its cache, whatever it is asked.
_LEAST_DIRECT_WRITE = 16384
_LATENCY_METHODS = frozenset({"latency", "latency-quick"})
# Of fio: these exist on Linux alone.
_LINUX_ENGINES = frozenset({"libaio", "io_uring", "io_uring_cmd", "e4defrag", "splice", "sg"})
_NEARLY_FULL = 0.10


def flags_of_run(document: RunDocument) -> list[str]:
    """Codes that hold for everything the run measured, in the catalogue's order."""
    codes = _warned(document) - _OF_DIRECTION.keys() - _BEYOND
    environment = document.environment or Environment()
    target = document.target
    conditions = {
        "incomplete": document.state == "incomplete",
        "simulated": document.simulated,
        "quick": document.method.name.endswith("-quick"),
        "on_battery": environment.power_source == "battery",
        "low_power_mode": environment.power_mode == "low",
        "hot": environment.thermal_state not in (None, "nominal"),
        "busy_system": environment.busy,
        "rosetta": environment.rosetta,
        "nearly_full": target is not None and _nearly_full(target),
    }
    return in_order(codes | {code for code, holds in conditions.items() if holds})


FlagsOfSeries = Callable[[str, Mapping[str, Value], list[float], float], list[str]]
"""The codes that hold for a series alone, by its metric, parameters, samples and median."""


def flags_of_series(document: RunDocument) -> FlagsOfSeries:
    warned = _warned(document)
    of_direction = {code: role for code, role in _OF_DIRECTION.items() if code in warned}
    # A guest cannot see its host's cache; only a VM that we measured can say more.
    environment = document.environment or Environment()
    if environment.virtual_machine and document.source == "measured":
        of_direction["host_cache_unknown"] = Role.READS
    of_direction |= _on_macos(document)
    limit = _limit(document)
    # Of storage that this server knows no limit of, the agent may.
    unchecked = warned & _BEYOND if limit is None else frozenset[str]()

    def flags(
        metric: str, parameters: Mapping[str, Value], samples: list[float], median: float
    ) -> list[str]:
        codes = set[str]()
        if of_direction:
            directions = _directions(metric, parameters)
            codes |= {code for code, role in of_direction.items() if role in directions}
        if metric in _CROSSING_LINKS:
            codes |= unchecked
            if limit is not None and median > limit.speed:
                codes.add(limit.code)
        if not catalog.METRICS[metric].is_possible(samples):
            codes.add(catalog.OUT_OF_RANGE)
        return in_order(codes) if codes else []  # as nearly always

    return flags


def _directions(metric: str, parameters: Mapping[str, Value]) -> frozenset[Role]:
    """Whether a metric's series reads or writes; that of small transfers says it in its test."""
    if metric != _LATENCY:
        return _DIRECTIONS[metric]
    test = str(parameters.get("test", ""))
    return frozenset(role for role in (Role.READS, Role.WRITES) if role.value[:-1] in test)


def _on_macos(document: RunDocument) -> dict[str, Role]:
    """What macOS's cache did to transfers that were to bypass it, and agents did not say."""
    method, parameters = document.method, document.method.parameters or {}
    if not (document.agent and (document.agent.platform or "").startswith("macos")):
        return {}
    if document.source == "measured":
        is_old = method.name in _LATENCY_METHODS and method.version == 1
        return {"writes_may_be_cached": Role.WRITES} if is_old else {}
    if (
        document.source != "imported"
        or document.suite != "disk"
        or document.machine.unspecified
        or parameters.get("direct") is not True
        or parameters.get("io_engine") in _LINUX_ENGINES
    ):
        return {}
    size = parameters.get("block_size")
    is_small = isinstance(size, int) and size < _LEAST_DIRECT_WRITE
    writes = {"writes_may_be_cached": Role.WRITES} if is_small else {}
    return {"cache_state_unstated": Role.READS, **writes}


def in_order(codes: set[str]) -> list[str]:
    """`codes` in the catalogue's order, those it does not know after it."""
    known = [code for code in catalog.FLAGS if code in codes]
    return known + sorted(codes - set(known))


def _warned(document: RunDocument) -> set[str]:
    """The codes that a document may give itself: its withdrawal is not one of them."""
    return document.warned - {DERIVED, catalog.WITHDRAWN}


def _nearly_full(target: Target) -> bool:
    if target.capacity_bytes is None or target.free_bytes is None:
        return False
    return target.free_bytes < _NEARLY_FULL * target.capacity_bytes


class _Limit(NamedTuple):
    """Bytes a second that a target can move at most, and what more than that is called."""

    speed: float
    code: str


def _limit(document: RunDocument) -> _Limit | None:
    """None where neither the target's link nor its chip's storage is known."""
    target = document.target
    if target is None:
        return None
    host = target.image.host if target.image else None
    storage = (host.storage if host else None) or target.storage
    rate = (host.link_speed if host else None) or target.link_speed
    carried = [catalog.LINK_LIMIT.get(storage or ""), rate and rate / 8]
    known = [limit for limit in carried if limit]
    if known:
        return _Limit(min(known), "faster_than_link")
    fastest = fastest_storage(document.machine.chip) if storage == "internal" else None
    return _Limit(fastest * STORAGE_TOLERANCE, "faster_than_storage") if fastest else None
