"""Filters as SQL: the only module that maps dimensions to columns of `runs`.

`key_table` gives a list of runs as a table to join with, so that each is looked up by its key.
"""

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Double,
    FromClause,
    Select,
    Uuid,
    and_,
    cast,
    func,
    literal,
    not_,
    or_,
    select,
)
from sqlalchemy import column as sql_column
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.selectable import TableValuedAlias
from sqlalchemy.types import Text

from macmeter import catalog
from macmeter.accounts.scope import Scope
from macmeter.accounts.visibility import visible
from macmeter.catalog import Kind
from macmeter.catalog.terms import Op, Term
from macmeter.models import Fleet, Result, Run, Series

Column = ColumnElement[Any] | InstrumentedAttribute[Any]


def column(name: str, parameters: Column | None = None) -> ColumnElement[Any]:
    """Return a dimension's column; NULL means not stated.

    Dimensions of samples are in `parameters` (jsonb), by default those of `series`.
    """
    if name == "machine":
        return cast(Run.machine_id, Text)
    if name == "fleet":
        return select(Fleet.name).where(Fleet.fleet_id == Run.fleet_id).scalar_subquery()
    if name.startswith(catalog.LABEL_PREFIX):
        label: ColumnElement[Any] = Run.labels[name.removeprefix(catalog.LABEL_PREFIX)].astext
        return label
    dimension = catalog.DIMENSIONS[name]
    if dimension.of == "sample":
        values = Series.parameters if parameters is None else parameters
        written: ColumnElement[Any] = func.jsonb_extract_path_text(values, name)
        return cast(written, Double()) if dimension.kind is Kind.NUMBER else written
    attribute: ColumnElement[Any] = getattr(Run, name)
    return attribute


def matches(terms: Iterable[Term], parameters: Column | None = None) -> ColumnElement[bool]:
    """Return the condition of filters: OR inside a dimension, AND across, exclusions always."""
    included: dict[str, list[ColumnElement[bool]]] = {}
    excluded: list[ColumnElement[bool]] = []
    for term in terms:
        condition = _condition(term, column(term.dimension, parameters))
        if term.op in (Op.NOT, Op.NOT_RANGE):
            # NULL doesn't match an excluded value, so it passes.
            excluded.append(func.coalesce(not_(condition), True))
        else:
            included.setdefault(term.dimension, []).append(condition)
    return and_(True, *(or_(*conditions) for conditions in included.values()), *excluded)


def results_of(metrics: Iterable[str], terms: Iterable[Term], scope: Scope) -> Select[Any]:
    """SELECT (no columns yet) FROM the results of these metrics that match and are in scope."""
    return (
        select()
        .select_from(_joined())
        .where(Series.metric.in_(metrics), visible(scope), matches(terms))
    )


def not_withdrawn() -> ColumnElement[bool]:
    """Whether a run isn't withdrawn; withdrawn runs are in no answer."""
    return Run.withdrawn_at.is_(None)


def in_answers(flagged: str) -> ColumnElement[bool]:
    """Whether a result counts: not withdrawn, and not doubtful unless `flagged` includes those."""
    return (
        not_withdrawn()
        if flagged == "include"
        else and_(not_withdrawn(), Result.doubtful.is_(False))
    )


def _joined() -> FromClause:
    series = Series.series_id == Result.series_id
    return Result.__table__.join(Series.__table__, series).join(Run.__table__, same_run(Result))


def _condition(term: Term, operand: ColumnElement[Any]) -> ColumnElement[bool]:
    if term.dimension == "machine" and term.value is not None:
        # Compared as a UUID, for which there is an index.
        return Run.machine_id == uuid.UUID(str(term.value))
    if term.op in (Op.RANGE, Op.NOT_RANGE):
        ends = []
        if term.low is not None:
            ends.append(operand >= term.low)
        if term.high is not None:
            ends.append(operand <= term.high)
        return and_(*ends)
    return operand.is_(None) if term.value is None else operand == term.value


Key = tuple[uuid.UUID, uuid.UUID]
"""Machine id and run id."""


def key_table(keys: Sequence[Key]) -> TableValuedAlias:
    """Return a table with one row per key."""
    arrays = (literal([key[index] for key in keys], ARRAY(Uuid)) for index in (0, 1))
    columns = (sql_column("machine_id", Uuid), sql_column("run_id", Uuid))
    return func.unnest(*arrays).table_valued(*columns, name="among").render_derived()


def same_run(one: Any, other: Any = Run) -> ColumnElement[bool]:
    """Whether two rows are of one run; each is a model or the columns of `key_table`."""
    return and_(one.machine_id == other.machine_id, one.run_id == other.run_id)
