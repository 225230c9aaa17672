"""Reduction of a link to what everybody may still read.

A public link depends on what was public when it was saved. If a fleet behind it no longer is, its
ids are removed, and so is every figure with too few other Macs; if nothing is left, the link
closes.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple, TypeVar, cast

from sqlalchemy import Row, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.visibility import PUBLIC
from macmeter.catalog.terms import Value
from macmeter.comparisons.kinds import Figure, figures_of, machines_behind, refers_to
from macmeter.comparisons.pinned import IN_QUESTION
from macmeter.comparisons.stored import FEWEST_MACHINES
from macmeter.models import ComparisonMachines, Fleet
from macmeter.questions.question import Question
from macmeter.results.runs import NamedRun, named_runs
from macmeter.schemas.answer import Answer, Group, MetricAnswer, Note
from macmeter.schemas.comparisons import FrozenAnswer
from macmeter.schemas.sides import Cell, Compared, FilledCell, compares_sides, is_filled
from macmeter.schemas.sides import Row as RowOfSides

T = TypeVar("T", Group, FilledCell)


@dataclass(frozen=True)
class Narrowed:
    """Parts to hide in a comparison's answer."""

    hidden: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Numbers of machines that aren't public, and of all, by figure."""
    fleets: frozenset[uuid.UUID] = frozenset()
    """Fleets of these machines."""
    machines: frozenset[str] = frozenset()
    run_ids: frozenset[str] = frozenset()
    """Runs that must not be named."""

    def __bool__(self) -> bool:
        return bool(self.hidden or self.run_ids)

    @property
    def spoils_ratios(self) -> bool:
        """Whether a reference has too few other Macs."""
        return any(figure < 0 and self.is_of_few(figure) for figure in self.hidden)

    def is_of_few(self, figure: int) -> bool:
        hidden, total = self.hidden.get(figure, (0, 0))
        return hidden > 0 and total - hidden < FEWEST_MACHINES

    def hides(self, figure: Figure, number: int, *, published: bool) -> bool:
        """Whether too few other Macs are left, or it is a single Mac with unnameable runs."""
        key = cast(Mapping[str, Value], figure.get("key", {}))
        is_one = "machine" in key and figure["machines"] == 1
        is_named = is_one and any(run_id in self.run_ids for run_id in figure.get("run_ids", ()))
        return is_named or self.is_of_few(number)

    def shown(self, figure: T, number: int, reference: Reference) -> T:
        """Return the figure without hidden ids, and without a ratio of too few machines."""
        copy = figure.copy()
        if "run_ids" in copy:
            copy["run_ids"] = [run_id for run_id in copy["run_ids"] if run_id not in self.run_ids]
            if not copy["run_ids"]:
                copy.pop("run_ids")
        ratio = copy.get("ratio")
        if ratio is not None:
            pairs = ratio.get("pairs", FEWEST_MACHINES)
            few_pairs = self.hidden.get(number, (0, 0))[0] > pairs - FEWEST_MACHINES
            if reference.is_hidden or self.spoils_ratios or ("pairs" in ratio and few_pairs):
                copy.pop("ratio")
        return copy

    def missing(self) -> Note:
        return self.notes(1)[0]

    def notes(self, figures: int) -> list[Note]:
        what = "1 figure is" if figures == 1 else f"{figures} figures are"
        text = f"{what} hidden. A fleet is no longer public, and too few other Macs are left."
        return [{"code": "narrowed", "text": text}]


async def narrowed(connection: AsyncConnection, row: Row[Any]) -> Narrowed:
    """Return what a stored comparison must hide, except for fleets it was shared for."""
    hidden, fleets, machines = await _hidden(connection, row)
    named_ids = named_in(row.answer)
    if not named_ids or not (hidden or row.without_ids_of or not row.knows_fleets):
        return Narrowed(hidden, fleets, machines)
    runs = {run.run_id: run for run in await named_runs(connection, named_ids)}
    private = [
        run for run in runs.values() if not run.is_public and run.fleet_id not in row.fleet_ids
    ]
    if not row.knows_fleets and private:
        hidden = _by_names(row.answer, {str(run.run_id): run for run in private})
        fleets = frozenset(run.fleet_id for run in private if run.fleet_id is not None)
        machines = frozenset(str(run.machine_id) for run in private)
    withheld = {run.run_id for run in runs.values() if run.fleet_id in row.without_ids_of}
    deleted = named_ids - runs.keys() if hidden or row.without_ids_of else set()
    run_ids = {run.run_id for run in private} | withheld | deleted
    return Narrowed(hidden, fleets, machines, frozenset(map(str, run_ids)))


async def _hidden(
    connection: AsyncConnection, row: Row[Any]
) -> tuple[dict[int, tuple[int, int]], frozenset[uuid.UUID], frozenset[str]]:
    public = select(Fleet.fleet_id).where(Fleet.visibility == PUBLIC)
    shown_on_purpose = list(row.fleet_ids)
    query = select(
        ComparisonMachines.figure,
        func.sum(ComparisonMachines.machines).label("machines"),
        func.max(ComparisonMachines.total).label("total"),
        func.array_agg(ComparisonMachines.fleet_id.distinct()).label("fleets"),
        func.array_agg(ComparisonMachines.machine_id).label("machine_ids"),
    ).where(
        ComparisonMachines.slug == row.slug,
        ComparisonMachines.fleet_id.not_in(public),
        ComparisonMachines.fleet_id.not_in(shown_on_purpose),
    )
    rows = (await connection.execute(query.group_by(ComparisonMachines.figure))).all()
    return (
        {entry.figure: (entry.machines, entry.total) for entry in rows},
        frozenset(fleet_id for entry in rows for fleet_id in entry.fleets),
        frozenset(str(id_) for entry in rows for id_ in entry.machine_ids if id_ is not None),
    )


def named_in(answer: FrozenAnswer) -> set[uuid.UUID]:
    """Return the ids of runs that an answer names."""
    return {uuid.UUID(id_) for figure in figures_of(answer) for id_ in figure.get("run_ids", ())}


def _by_names(answer: FrozenAnswer, private: Mapping[str, NamedRun]) -> dict[int, tuple[int, int]]:
    """Count hidden machines by named runs: older comparisons don't record their fleets."""
    counts = {}
    for number, figure in enumerate(figures_of(answer)):
        runs = [private[run_id] for run_id in figure.get("run_ids", ()) if run_id in private]
        if runs:
            counts[number] = (len({run.machine_id for run in runs}), figure["machines"])
    return counts


async def names_hidden(
    connection: AsyncConnection, questions: Iterable[Question], hidden: Narrowed
) -> bool:
    """Whether a question names a hidden fleet or machine, even to exclude it."""
    if IN_QUESTION in hidden.hidden:
        return True
    # Older comparisons didn't record this, so check what they show.
    terms = [term for question in questions for term in (*question.where, *question.relative_to)]
    if any(term.dimension == "machine" and str(term.value) in hidden.machines for term in terms):
        return True
    names = {term.value for term in terms if term.dimension == "fleet"}
    if not names:
        return False
    hidden_names = select(Fleet.name).where(Fleet.fleet_id.in_(hidden.fleets))
    return bool(names & set((await connection.scalars(hidden_names)).all()))


# --- an answer without some of its figures


class Reference(NamedTuple):
    """Whether a figure's reference is among the remaining figures, and among the hidden ones."""

    stays: bool
    is_hidden: bool


@dataclass(frozen=True)
class OfSeveral:
    """Cut that removes figures of fewer machines, and ids of runs."""

    fewest: int

    def hides(self, figure: Figure, number: int, *, published: bool) -> bool:
        return not published and figure["machines"] < self.fewest

    def shown(self, figure: T, number: int, reference: Reference) -> T:
        copy = figure.copy()
        copy.pop("run_ids", None)
        ratio = copy.get("ratio")
        if ratio is not None and not (
            reference.stays and machines_behind(ratio, self.fewest) >= self.fewest
        ):
            copy.pop("ratio")
        return copy

    def missing(self) -> Note:
        text = f"Fewer than {self.fewest} machines, which this link does not show."
        return {"code": "few_machines", "text": text}

    def notes(self, figures: int) -> list[Note]:
        return []


Cut = Narrowed | OfSeveral


def _cut(answer: FrozenAnswer, cut: Cut) -> tuple[FrozenAnswer, int]:
    return _cut_sides(answer, cut) if compares_sides(answer) else _cut_groups(answer, cut)


def shown_of(answer: FrozenAnswer, hidden: Narrowed) -> tuple[FrozenAnswer, int]:
    """Return the answer without what is hidden, and the number of figures removed."""
    visible, removed = _cut(answer, hidden)
    if removed and compares_sides(visible):
        # The mean over common metrics would include hidden ones.
        left_out = visible["geometric_mean"]["left_out"]
        visible["geometric_mean"] = {"covers": [], "left_out": left_out, "sides": []}
        visible["notes"] = [*visible["notes"], *hidden.notes(removed)]
    return visible, removed


def of_several(answer: FrozenAnswer, fewest: int) -> FrozenAnswer:
    """Return the answer without figures of fewer machines, and without run ids."""
    visible, _ = _cut(answer, OfSeveral(fewest))
    if not compares_sides(visible):
        # In all results, for the same hash as earlier saved comparisons.
        visible["results"] = [{**r, "fits": r.get("fits", [])} for r in visible["results"]]
    return visible


def _cut_groups(answer: Answer, cut: Cut) -> tuple[Answer, int]:
    numbers, removed = count(), 0
    results: list[MetricAnswer] = []
    for result in answer["results"]:
        visible: dict[int, Group] = {}
        lost: list[Group] = []
        for group in result["groups"]:
            number = next(numbers)
            if cut.hides(group, number, published=group["published"]):
                lost.append(group)
            else:
                visible[number] = group
        groups = [
            cut.shown(g, n, Reference(refers_to(g, visible.values()), refers_to(g, lost)))
            for n, g in visible.items()
        ]
        reduced: MetricAnswer = {**result, "groups": groups}
        if lost:
            removed += len(lost)
            # Fits include all groups.
            reduced = {**reduced, "fits": [], "notes": [*result["notes"], *cut.notes(len(lost))]}
        results.append(reduced)
    return {**answer, "results": results}, removed


def _cut_sides(compared: Compared, cut: Cut) -> tuple[Compared, int]:
    numbers, removed, rows = count(), 0, list[RowOfSides]()
    baseline = compared["comparison"]["baseline"]
    for row in compared["rows"]:
        published = bool(row["published"])
        numbered = [(next(numbers) if is_filled(cell) else 0, cell) for cell in row["cells"]]
        lost = {
            cell["side"]
            for number, cell in numbered
            if is_filled(cell) and cut.hides(cell, number, published=published)
        }
        reference = Reference(baseline not in lost, baseline in lost)
        cells: list[Cell] = []
        for number, cell in numbered:
            if cell["side"] in lost:
                cells.append({"side": cell["side"], "missing": cut.missing()})
            else:
                cells.append(cut.shown(cell, number, reference) if is_filled(cell) else cell)
        removed += len(lost)
        rows.append({**row, "cells": cells})
    return {**compared, "rows": rows}, removed
