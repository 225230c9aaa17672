"""Reasons to doubt a run or one of its results, derived from its document.

Pure: a document in, codes of the catalogue out. The agent's own observations arrive as `warnings`;
flags that follow from facts are added here, so that they apply to every sender.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from macmeter import catalog
from macmeter.catalog import Role
from macmeter.catalog.chips import STORAGE_TOLERANCE, fastest_storage
from macmeter.catalog.terms import Value
from macmeter.documents.document import Environment, RunDocument, Target

# Warnings about one direction don't affect transfers in the other.
_WARNING_DIRECTIONS = {
    "reads_may_be_cached": Role.READS,
    "host_cache_unknown": Role.READS,
    "writes_may_be_cached": Role.WRITES,
}
# Warnings about single figures: others of the run may be right.
_TOO_FAST = frozenset({"faster_than_link", "faster_than_storage"})
# Asks the server to compute a speed from times, and flags that speed alone.
DERIVED = "derived"
# Precomputed: looked up for each series of each upload.
_DIRECTIONS = {
    name: metric.roles & {Role.READS, Role.WRITES} for name, metric in catalog.METRICS.items()
}
_CROSSING_LINKS = frozenset(
    name for name, metric in catalog.METRICS.items() if Role.CROSSES_LINK in metric.roles
)
_LATENCY = "disk.latency"
# macOS caches smaller writes even when asked not to.
_LEAST_DIRECT_WRITE = 16384
_LATENCY_METHODS = frozenset({"latency", "latency-quick"})
# fio engines that exist on Linux only.
_LINUX_ENGINES = frozenset({"libaio", "io_uring", "io_uring_cmd", "e4defrag", "splice", "sg"})
_NEARLY_FULL = 0.10


def flags_of_run(document: RunDocument) -> list[str]:
    """Return codes that apply to the whole run, in catalogue order."""
    codes = _warned(document) - _WARNING_DIRECTIONS.keys() - _TOO_FAST
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
    return sort_flags(codes | {code for code, holds in conditions.items() if holds})


FlagsOfSeries = Callable[[str, Mapping[str, Value], list[float], float], list[str]]
"""Function from metric, parameters, samples and median to codes of that series alone."""


def flags_of_series(document: RunDocument) -> FlagsOfSeries:
    """Return the function that flags single series of this document."""
    warned = _warned(document)
    roles = {code: role for code, role in _WARNING_DIRECTIONS.items() if code in warned}
    # A guest can't see its host's cache. Only measured runs are flagged.
    environment = document.environment or Environment()
    if environment.virtual_machine and document.source == "measured":
        roles["host_cache_unknown"] = Role.READS
    roles |= _macos_cache_flags(document)
    limit = _limit(document)
    # If this server knows no limit of the storage, the agent's own warning counts.
    unchecked = warned & _TOO_FAST if limit is None else frozenset[str]()

    def flags(
        metric: str, parameters: Mapping[str, Value], samples: list[float], median: float
    ) -> list[str]:
        codes = set[str]()
        if roles:
            directions = _directions(metric, parameters)
            codes |= {code for code, role in roles.items() if role in directions}
        if metric in _CROSSING_LINKS:
            codes |= unchecked
            if limit is not None and median > limit.speed:
                codes.add(limit.code)
        if not catalog.METRICS[metric].is_possible(samples):
            codes.add(catalog.OUT_OF_RANGE)
        return sort_flags(codes) if codes else []  # as nearly always

    return flags


def _directions(metric: str, parameters: Mapping[str, Value]) -> frozenset[Role]:
    """Return whether a series reads or writes; latency series say so in their `test` parameter."""
    if metric != _LATENCY:
        return _DIRECTIONS[metric]
    test = str(parameters.get("test", ""))
    return frozenset(role for role in (Role.READS, Role.WRITES) if role.value[:-1] in test)


def _macos_cache_flags(document: RunDocument) -> dict[str, Role]:
    """Return flags for caching of direct transfers by macOS that the agent didn't report."""
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


def sort_flags(codes: set[str]) -> list[str]:
    """Sort `codes` in catalogue order, unknown ones last."""
    known = [code for code in catalog.FLAGS if code in codes]
    return known + sorted(codes - set(known))


def _warned(document: RunDocument) -> set[str]:
    """Return the document's warnings, except codes with a meaning of their own to the server."""
    return document.warning_codes - {DERIVED, catalog.WITHDRAWN}


def _nearly_full(target: Target) -> bool:
    if target.capacity_bytes is None or target.free_bytes is None:
        return False
    return target.free_bytes < _NEARLY_FULL * target.capacity_bytes


class _Limit(NamedTuple):
    """Maximum bytes per second of a target, and the flag for exceeding it."""

    speed: float
    code: str


def _limit(document: RunDocument) -> _Limit | None:
    """Return the limit; None if neither the link nor the chip's storage is known."""
    target = document.target
    if target is None:
        return None
    host = target.image.host if target.image else None
    storage = (host.storage if host else None) or target.storage
    rate = (host.link_speed if host else None) or target.link_speed
    speeds = [catalog.LINK_LIMIT.get(storage or ""), rate and rate / 8]
    limits = [speed for speed in speeds if speed]
    if limits:
        return _Limit(min(limits), "faster_than_link")
    fastest = fastest_storage(document.machine.chip) if storage == "internal" else None
    return _Limit(fastest * STORAGE_TOLERANCE, "faster_than_storage") if fastest else None
