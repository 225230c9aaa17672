"""The groups of an answer before any statistics: whose values, how many, with which flags.

PostgreSQL gathers, for each group, machine and setting, the medians of the runs and the bytes of
their samples; numpy reads those bytes. So a machine's hundred runs cost one row.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Text, Uuid, cast, func, literal_column, null
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.tokens import Bearer
from macmeter.models import Result, Run
from macmeter.queries.cost import MAX_CELLS, require_few
from macmeter.queries.mixes import (
    Setting,
    Values,
    open_determinants,
    setting_columns,
    setting_of,
    values_of,
)
from macmeter.queries.question import Question, Term, Value
from macmeter.queries.sql import Column, column, results_of, undoubted, vouched_host

Array = NDArray[np.float64]

# PostgreSQL's binary array: a header of 20 bytes, then length and value of each element.
_ARRAY_HEADER = 20
_ELEMENT = np.dtype([("length", ">i4"), ("value", ">f8")])
_VALUE = np.dtype(">f8")
_ID_BYTES = 16
_NO_BYTES: ColumnElement[bytes] = literal_column("''::bytea")
NO_FLAGS: ColumnElement[list[str]] = literal_column("'{}'::text[]")
# Groups of more runs than this are reached through the list of runs.
LINKED_RUNS = 8


@dataclass(frozen=True)
class Key:
    """What tells a group from another: the asked dimensions, and what never mixes."""

    by: tuple[Value, ...]
    published: bool
    method: str
    method_version: int


@dataclass(frozen=True)
class Cell:
    """What one machine measured on one device in one setting: a value for each of its results."""

    setting: Setting
    device_id: str | None
    # What is stated of the volume that holds the image or the guest's disk.
    holder: dict[str, str] | None
    host_machine_id: uuid.UUID | None
    run_ids: tuple[bytes, ...]
    run_values: Array
    samples: Array
    # A run's id and its codes, of results with flags.
    flags: tuple[tuple[str, ...], ...]
    # Run id, digits and qualifier of printed figures.
    printed: tuple[tuple[str, str, str | None], ...]
    citations: tuple[dict[str, Any], ...]
    # The oldest and the newest derivation of its results.
    derivations: tuple[int, int]


@dataclass(frozen=True)
class Unit:
    """One machine's part of a group: what counts once."""

    machine_id: uuid.UUID
    unspecified: bool
    cells: tuple[Cell, ...]

    @cached_property
    def run_values(self) -> Array:
        """Of all its results, ascending."""
        return np.sort(np.concatenate([cell.run_values for cell in self.cells]))

    @property
    def value(self) -> float:
        """The machine's value: the median of its run values."""
        return float(np.median(self.run_values))

    @property
    def samples(self) -> Array:
        return np.concatenate([cell.samples for cell in self.cells])

    @cached_property
    def run_ids(self) -> frozenset[bytes]:
        """One run may have several results in a group, where a parameter was left open."""
        return frozenset(run_id for cell in self.cells for run_id in cell.run_ids)

    @property
    def pooled(self) -> bool:
        """Whether several devices stand in this machine's value."""
        return len({cell.device_id for cell in self.cells} - {None}) > 1

    @property
    def flags(self) -> Counter[str]:
        """How many of its runs carry each code."""
        carried = {
            (run_id, code) for cell in self.cells for run_id, *codes in cell.flags for code in codes
        }
        return Counter(code for _, code in carried)

    @property
    def printed(self) -> list[tuple[str, str | None]]:
        """Digits and qualifiers in the order of runs."""
        found = sorted((figure for cell in self.cells for figure in cell.printed), key=str)
        return [(digits, qualifier) for _, digits, qualifier in found]

    @property
    def citations(self) -> list[dict[str, Any]]:
        return [citation for cell in self.cells for citation in cell.citations]


Groups = dict[Key, list[Unit]]


def pooled_by(units: Iterable[Unit]) -> Values:
    """The values of each determinant that stand in these units' figures."""
    return values_of(cell.setting for unit in units for cell in unit.cells)


def derivations_of(units: Iterable[Unit]) -> list[int]:
    """The versions by which these units' figures were derived, ascending."""
    return sorted({v for unit in units for cell in unit.cells for v in cell.derivations})


async def fetch_groups(
    connection: AsyncConnection,
    question: Question,
    metric: str,
    terms: Iterable[Term],
    reader: Bearer | None,
    *,
    hosts: bool = False,
) -> Groups:
    """The groups of one metric under `terms`; with `hosts`, guests are known by them.

    What is unspecified is a unit of its own, even of a machine that other runs name: it may have
    been another one.
    """
    by: list[Column] = [column(name).label(f"by_{i}") for i, name in enumerate(question.by)]
    method: list[Column] = [
        (Run.source == "published").label("published"),
        Run.method,
        Run.method_version,
    ]
    unit: list[Column] = [Run.machine_id, Run.unspecified]
    determinants = open_determinants(metric, question.by)
    host = vouched_host() if hosts else cast(null(), Uuid)
    device: list[Column] = [Run.device_id, Run.holder, host.label("host")]
    keys: list[Column] = [*by, *method, *unit, *device, *setting_columns(determinants)]
    query = (
        results_of(metric, terms, reader)
        .where(undoubted(question.flagged))
        .add_columns(*keys, *_gathered())
        .group_by(*keys)
    )
    found: dict[tuple[Key, uuid.UUID, bool], list[Cell]] = {}
    ends = np.cumsum([len(by), len(method), len(unit), len(device), len(determinants)])
    rows = (await connection.execute(query.limit(MAX_CELLS + 1))).all()
    require_few(question.by, rows, len(by) + len(method))
    for row in rows:
        of_by, of_method, of_unit, of_device, of_setting, gathered = _parts(row, ends)
        setting = setting_of(determinants, of_setting, question.by)
        key = Key(of_by, *of_method)
        found.setdefault((key, *of_unit), []).append(_cell(setting, of_device, gathered))
    groups: Groups = {}
    for (key, machine_id, unspecified), cells in found.items():
        groups.setdefault(key, []).append(Unit(machine_id, unspecified, tuple(cells)))
    return groups


def _parts(row: Sequence[Any], ends: Iterable[int]) -> list[tuple[Any, ...]]:
    starts = [0, *ends]
    return [tuple(row[a:b]) for a, b in zip(starts, [*starts[1:], None], strict=True)]


def _gathered() -> list[ColumnElement[Any]]:
    flags = Run.flags.op("||")(func.coalesce(Result.flags, NO_FLAGS))
    run_id = cast(Run.run_id, Text)
    told = func.jsonb_build_array(run_id, Result.printed, Result.qualifier)
    return [
        func.string_agg(func.uuid_send(Run.run_id), _NO_BYTES),
        func.string_agg(func.float8send(Result.median), _NO_BYTES),
        func.string_agg(
            func.substring(func.array_send(Result.samples), _ARRAY_HEADER + 1), _NO_BYTES
        ),
        func.string_agg(func.concat_ws(",", run_id, func.array_to_string(flags, ",")), ";").filter(
            flags != NO_FLAGS
        ),
        func.jsonb_agg(told).filter(Result.printed.is_not(None)),
        func.jsonb_agg(Run.citation).filter(Run.citation.is_not(None)),
        func.min(Run.derivation_version),
        func.max(Run.derivation_version),
    ]


def _cell(setting: Setting, device: tuple[Any, ...], gathered: tuple[Any, ...]) -> Cell:
    device_id, holder, host_machine_id = device
    run_ids, medians, samples, flags, printed, citations, *derivations = gathered
    return Cell(
        setting,
        device_id,
        holder,
        host_machine_id,
        run_ids=tuple(
            run_ids[start : start + _ID_BYTES] for start in range(0, len(run_ids), _ID_BYTES)
        ),
        run_values=np.frombuffer(medians, _VALUE).astype(np.float64),
        samples=np.frombuffer(samples, _ELEMENT)["value"].astype(np.float64),
        flags=tuple(tuple(part.split(",")) for part in flags.split(";")) if flags else (),
        printed=tuple(map(tuple, printed or ())),
        citations=tuple(citations or ()),
        derivations=(derivations[0], derivations[1]),
    )
