"""Ratios of an answer's groups to a reference: paired where pairs exist, else said to be unpaired.

In each group's key the dimensions of `relative_to` are replaced and the figure is divided by
the answer there. A pair is the same machine and device measured under both; with
`relative_to=virtual:…` it is a guest and the host that its machine names.
"""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.tokens import Bearer
from macmeter.queries.groups import Array, Key, Unit, fetch_groups
from macmeter.queries.question import Question, Value
from macmeter.stats.figures import Ratio, ratio_of_medians, ratio_of_pairs
from macmeter.stats.verdict import verdict

Pair = tuple[Any, ...]

# What settles what: a chip is of one family. Compared with another family, a group can't keep its
# chip, so the reference is of all chips there.
_SETTLES = {
    "chip": {"chip_family", "chip_variant"},
    "machine": {"chip", "chip_family", "chip_variant", "model"},
    "model": {"chip", "chip_family", "chip_variant"},
    "os_version": {"os_major"},
}


async def ratios_of(
    connection: AsyncConnection, question: Question, metric: str, reader: Bearer | None
) -> dict[Key, dict[str, Any]]:
    """A ratio for each group that has a reference; groups without one are missing."""
    if not question.relative_to:
        return {}
    replaced = {term.dimension: term.value for term in question.relative_to}
    kept = tuple(
        term
        for term in question.where
        if term.dimension not in replaced and not _settles(term.dimension, replaced)
    )
    asked = replace(question, by=_kept_by(question, replaced))
    groups = await fetch_groups(
        connection, question, metric, question.where, reader, pairs=replaced
    )
    references = await fetch_groups(
        connection, asked, metric, kept + question.relative_to, reader, pairs=replaced
    )
    found: dict[Key, dict[str, Any]] = {}
    for key, units in groups.items():
        reference_key = _reference_key(question, key, replaced)
        reference = known(references.get(reference_key, []))
        if not reference or not known(units):
            continue
        to_host = replaced.get("virtual") is False
        ratio = ratio_of_units(known(units), reference, question.weight, to_host=to_host)
        if ratio is not None:
            reference_by = dict(zip(asked.by, reference_key.by, strict=True))
            found[key] = {**described(ratio), "reference_key": reference_by}
    return found


def ratio_of_units(
    units: list[Unit],
    reference: list[Unit],
    weight: str,
    *,
    to_host: bool = False,
) -> Ratio | None:
    """Paired where pairs exist; with `to_host` a guest's pair is its host.

    None where the reference's figure is 0: nothing can be told relative to it.
    """
    above = _by_pair(units, to_host=to_host)
    below = _by_pair(reference, any_device=to_host)
    shared = sorted(above.keys() & below.keys(), key=str)
    if any(not below[pair].min() > 0 for pair in below):
        return None
    # Where all that is shared is the very same runs, the group only contains its reference:
    # that is no pair, unless the group is the reference.
    itself = all(np.array_equal(above[pair], below[pair]) for pair in shared)
    if shared and not (itself and above.keys() != below.keys()):
        ratios = [float(np.median(above[pair]) / np.median(below[pair])) for pair in shared]
        return ratio_of_pairs(np.array(ratios))
    return ratio_of_medians(_by_machine(units), _by_machine(reference), weight)


def _by_pair(
    units: list[Unit], *, to_host: bool = False, any_device: bool = False
) -> dict[Pair, Array]:
    """Run values by what makes a pair: the machine (a guest's host), the device, the series.

    A guest that knows its host but not the device below it is compared with all of the
    host's: `any_device` puts every unit under "device not stated" as well.
    """
    values: dict[Pair, list[Array]] = {}
    for unit in units:
        machine_id = unit.machine_id
        if to_host and unit.host_machine_id is not None:
            machine_id = unit.host_machine_id
        pairs = {unit.pair, (None, *unit.pair[1:])} if any_device else {unit.pair}
        for pair in pairs:
            values.setdefault((machine_id, *pair), []).append(unit.run_values)
    return {pair: np.sort(np.concatenate(runs)) for pair, runs in values.items()}


def _by_machine(units: list[Unit]) -> list[Array]:
    values: dict[uuid.UUID, list[Array]] = {}
    for unit in units:
        values.setdefault(unit.machine_id, []).append(unit.run_values)
    return [np.sort(np.concatenate(values[machine_id])) for machine_id in sorted(values)]


def known(units: list[Unit]) -> list[Unit]:
    """Without machines that the source does not name: they can't be anybody's pair."""
    return [unit for unit in units if not unit.unspecified]


def _reference_key(question: Question, key: Key, replaced: dict[str, Value]) -> Key:
    kept = _kept_by(question, replaced)
    by = tuple(
        replaced.get(name, value)
        for name, value in zip(question.by, key.by, strict=True)
        if name in kept
    )
    return replace(key, by=by)


def _kept_by(question: Question, replaced: dict[str, Value]) -> tuple[str, ...]:
    """The dimensions that a reference shares with its groups, replaced or not."""
    return tuple(name for name in question.by if name in replaced or not _settles(name, replaced))


def _settles(name: str, replaced: dict[str, Value]) -> bool:
    return not _SETTLES.get(name, set()).isdisjoint(replaced)


def described(ratio: Ratio) -> dict[str, Any]:
    """A ratio with its interval and what it says, as JSON."""
    told: dict[str, Any] = {
        "value": ratio.value,
        "pairing": "unpaired" if ratio.pairs is None else "paired",
    }
    if ratio.pairs is not None:
        told["pairs"] = ratio.pairs
    if ratio.interval is not None:
        told |= {
            "ci_low": ratio.interval.low,
            "ci_high": ratio.interval.high,
            "interval": ratio.interval.of,
        }
    found = verdict(ratio.value, told.get("ci_low"), told.get("ci_high"), ratio.fewest)
    told["verdict"] = {"answer": found.answer.value}
    if found.smallest_visible is not None:
        told["verdict"]["smallest_visible"] = found.smallest_visible
    return told
