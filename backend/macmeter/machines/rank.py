"""Rank of a run's drive among those of similar Macs, for people who have run a single test.

The speed is one that quick and full runs have in common: the median over files of RANKED_SIZES,
which varies less than that of any one size. Only public runs count as others, so everybody gets the
same rank, and nobody learns about private fleets from it.
"""

import uuid
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.accounts.scope import COMMONS, Principal
from macmeter.catalog.terms import Op, Term
from macmeter.charts.words import systems_text
from macmeter.documents.methods import RANKED_SIZES
from macmeter.machines.peers import sample_of
from macmeter.machines.queries import MIN_OTHERS
from macmeter.platform.errors import not_found
from macmeter.questions.grouped import Key
from macmeter.questions.groups import groups_of
from macmeter.questions.question import Question
from macmeter.results.context import Reading, begin_reading
from macmeter.results.dataset.sql import machine_number
from macmeter.results.results import medians_of, results_of_run
from macmeter.results.runs import StoredRun, with_id
from macmeter.schemas.machines import Among, Rank, Ranks
from macmeter.statistics import summary
from macmeter.statistics.intervals import place
from macmeter.statistics.summary import Array

METRICS = ("disk.write_speed", "disk.read_speed")
_SIZES = [Term("file_size", Op.IS, float(size)) for size in RANKED_SIZES]
# Storage that belongs to a Mac, so that its model and chip say what to expect.
_BUILT_IN = ("internal", "internal_hard_disk", "fusion_drive", "virtual_disk")
# Other drives are compared on the same kind of link, through the same dock or hub or none.
_EXTERNAL = (*catalog.LINK_LIMIT, "sd_card")


async def rank_of_run(
    connection: AsyncConnection, run_id: uuid.UUID, reader: Principal | None
) -> Ranks:
    """Rank the run's write and read speed; 404 if it doesn't exist or isn't readable."""
    reading = await begin_reading(connection, reader)
    run = await with_id(reading, run_id)
    if run is None:
        raise not_found("run")
    result = Ranks(run_id=str(run_id), quick="quick" in run.flags, ranks=[])
    if flag := catalog.WITHDRAWN if run.withdrawn_at else _first_doubt(run.flags):
        return replace(result, flag=flag)
    if run.source == "published" or run.unspecified:
        return replace(result, unranked="published")
    if run.storage not in (*_BUILT_IN, *_EXTERNAL):
        return replace(result, unranked="storage")
    public = replace(reading, scope=COMMONS)
    for metric in METRICS:
        values = await medians_of(reading, run.key, metric, _SIZES, doubts=False)
        if len(values) == len(RANKED_SIZES):
            value = float(np.median(values))
            result.ranks.append(_rank_speed(public, _Speed(run, metric, value)))
    ranked = {rank.metric for rank in result.ranks}
    doubted = [
        flag
        for measured in await results_of_run(reading, run.key)
        if measured.metric in METRICS and measured.metric not in ranked
        for flag in measured.flags or []
    ]
    if flag := _first_doubt(doubted):
        return replace(result, flag=flag)
    return result if result.ranks else replace(result, unranked="sizes")


def _first_doubt(flags: Iterable[str]) -> str | None:
    return next(filter(catalog.is_doubt, flags), None)


class _Speed(NamedTuple):
    """A run's speed: the median over RANKED_SIZES."""

    run: StoredRun
    metric: str
    value: float


def _rank_speed(reading: Reading, speed: _Speed) -> Rank:
    """Rank a speed among Macs on the run's version of macOS, or on any if those are too few: else
    the first Mac with an update that slows all would seem slow itself.
    """
    version = speed.run.os_version
    same = _rank_on(reading, speed, [Term("os_version", Op.IS, version)]) if version else None
    if same is not None and same.percentile is not None:
        return same
    return _rank_on(reading, speed, [])


def _rank_on(reading: Reading, speed: _Speed, system: list[Term]) -> Rank:
    """Rank a speed among Macs of the run's model, or of its chip if those are too few.

    External drives are ranked among those with the same link.
    """
    run = speed.run
    if run.storage in _EXTERNAL:
        return _rank_among(reading, speed, "link", [*system, Term("via", Op.IS, run.via)])
    shared = [*system, Term("chip", Op.IS, run.chip)]
    by_model = (
        _rank_among(reading, speed, "model", [*shared, Term("model", Op.IS, run.model)])
        if run.model is not None
        else None
    )
    if by_model is not None and by_model.percentile is not None:
        return by_model
    by_chip = _rank_among(reading, speed, "chip", shared)
    return replace(by_chip, model=run.model, of_model=by_model.macs) if by_model else by_chip


def _rank_among(reading: Reading, speed: _Speed, among: Among, shared: Iterable[Term]) -> Rank:
    run, metric = speed.run, catalog.METRICS[speed.metric]
    terms = [
        *shared,
        Term("storage", Op.IS, run.storage),
        Term("encryption", Op.IS, run.encryption),
        Term("virtual", Op.IS, run.virtual),
    ]
    others = _other_speeds(reading, speed, terms)
    is_enough = len(others) >= MIN_OTHERS
    systems = _systems(reading, speed, terms) if is_enough else ""
    return Rank(
        metric=metric.name,
        title=metric.title,
        unit=metric.unit.value,
        value=speed.value,
        file_sizes=[*RANKED_SIZES],
        storage=run.storage or "",
        among=among,
        name=f"{_peers_text(run, among)}{systems}",
        where=sorted(map(str, terms)),
        macs=len(others),
        minimum=MIN_OTHERS,
        percentile=place(speed.value, others).percentile if is_enough else None,
        others=sample_of(others),
    )


def _other_speeds(reading: Reading, speed: _Speed, terms: list[Term]) -> Array:
    """Return the speed of each other Mac that has measured every size by the run's method."""
    where = tuple(sorted([*terms, *_SIZES], key=str))
    groups = groups_of(reading, Question((speed.metric,), ("file_size",), where))
    key = Key((), False, speed.run.method, speed.run.method_version)
    by_size = [group.named for other, group in groups.items() if replace(other, by=()) == key]
    if len(by_size) < len(RANKED_SIZES):
        return np.zeros(0)
    machine_numbers = np.concatenate([group.machine_numbers for group in by_size])
    values = np.concatenate([group.machine_values for group in by_size])
    order = np.lexsort((values, machine_numbers))
    distinct, starts, counts = np.unique(
        machine_numbers[order], return_index=True, return_counts=True
    )
    is_other = (counts == len(RANKED_SIZES)) & (distinct != machine_number(speed.run.machine_id))
    others: Array = summary.medians_of(values[order], starts, counts)[is_other]
    return others


def _systems(reading: Reading, speed: _Speed, terms: Iterable[Term]) -> str:
    """Name the systems of the Macs that it is ranked among: " on macOS 26.3 and 26.4"."""
    where = tuple(sorted([*terms, _SIZES[0]], key=str))
    groups = groups_of(reading, Question((speed.metric,), ("os_version",), where))
    key = Key((), False, speed.run.method, speed.run.method_version)
    own = machine_number(speed.run.machine_id)
    versions = {
        str(other.by[0])
        for other, group in groups.items()
        if replace(other, by=()) == key
        and other.by[0] is not None
        and (group.named.machine_numbers != own).any()
    }
    return f" on {systems_text(versions)}" if versions else ""


def _peers_text(run: StoredRun, among: Among) -> str:
    """Name the Macs that it is ranked among: "MacBook Air (M2)", "Macs with M2"."""
    chip = (run.chip or "a chip that is not stated").removeprefix("Apple ")
    if among == "model":
        return f"{run.model} ({chip})"
    storage = run.storage or ""
    link = catalog.DIMENSIONS["storage"].values.get(storage, storage)
    connection = f" through {run.via}" if run.via else ""
    return f"Macs with {chip}" if among == "chip" else f"Macs with a drive on {link}{connection}"
