"""SQL for values, filters, ids and ranges of machines."""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.catalog import DETERMINES_WHERE, LABEL_PREFIX
from macmeter.catalog.terms import Op, Term, Value
from macmeter.results.dataset.relations import PER_RUN_DIMENSIONS, month_number, number_of


def _halves(id_column: str) -> tuple[str, str]:
    """Return SQL for both halves of an id: integers are faster to read and compare."""
    digits = f"replace({id_column}::VARCHAR, '-', '')"
    return f"('0x' || left({digits}, 16))::UBIGINT", f"('0x' || right({digits}, 16))::UBIGINT"


HALVES = dict(zip(("id_high", "id_low"), _halves("run_id"), strict=True))
MACHINE_HALVES = dict(zip(("id_high", "id_low"), _halves("machine_id"), strict=True))


def ids_of(halves: Mapping[str, NDArray[np.uint64]]) -> list[uuid.UUID]:
    """Join the halves of ids."""
    pairs = zip(*(halves[name].tolist() for name in HALVES), strict=True)
    return [uuid.UUID(int=high << 64 | low) for high, low in pairs]


def literal(value: Value) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(float(value))


def timestamp_literal(at: datetime) -> str:
    return f"TIMESTAMPTZ '{at.isoformat()}'"


def listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def expression(name: str) -> str:
    """Return the column of a dimension; NULL means not stated."""
    if name.startswith(LABEL_PREFIX):
        return f"labels[{literal(name.removeprefix(LABEL_PREFIX))}]"
    return name


def determinant(name: str) -> str:
    """Return SQL for a determinant's value; NULL if it isn't stated or doesn't matter."""
    if name in DETERMINES_WHERE:
        other, value = DETERMINES_WHERE[name]
        return f"CASE WHEN {expression(other)} = {literal(value)} THEN {expression(name)} END"
    return expression(name)


def filter_condition(terms: Sequence[Term], term_sql: Callable[[Term], str] | None = None) -> str:
    """Return the SQL condition of filters: OR within a dimension, AND between dimensions, and
    AND NOT for each exclusion.

    NULL doesn't match an excluded value, so it passes. `term_sql` returns the condition of one
    filter, without its exclusion; by default over the relations.
    """
    term_sql = term_sql or _relation_condition
    alternatives: dict[str, list[str]] = {}
    conditions = []
    for term in terms:
        if term.op in (Op.NOT, Op.NOT_RANGE):
            conditions.append(f"({term_sql(term)}) IS NOT TRUE")
        else:
            alternatives.setdefault(term.dimension, []).append(term_sql(term))
    conditions += [
        f"({' OR '.join(of_dimension)})" if len(of_dimension) > 1 else of_dimension[0]
        for of_dimension in alternatives.values()
    ]
    return " AND ".join(conditions) or "true"


def _relation_condition(term: Term) -> str:
    """Return the condition over the relations, where machines and months are numbers."""
    if term.value is not None and term.dimension == "machine":
        return f"machine = {machine_number(uuid.UUID(str(term.value)))}"
    if term.value is not None and term.dimension == "month":
        return f"month = {_month(str(term.value))}"
    return term_condition(term, expression(term.dimension))


def term_condition(term: Term, column: str) -> str:
    """Return the condition that a column or expression has the filter's value."""
    if term.op in (Op.RANGE, Op.NOT_RANGE):
        ends = [(">=", term.low), ("<=", term.high)]
        return " AND ".join(
            f"{column} {sign} {literal(end)}" for sign, end in ends if end is not None
        )
    return f"{column} IS NULL" if term.value is None else f"{column} = {literal(term.value)}"


def _month(text: str) -> str:
    """Return the month's number, or NULL, which matches no run, for an invalid month."""
    try:
        return str(month_number(text))
    except ValueError:
        return "NULL"


def machine_number(machine_id: uuid.UUID) -> int:
    return number_of(machine_id.bytes)


# Whoever may see only some of a fleet's Macs asks with the same set each time, maybe of thousands.
@lru_cache(maxsize=64)
def machine_numbers(machine_ids: frozenset[uuid.UUID]) -> NDArray[np.int64]:
    return np.array(sorted(map(machine_number, machine_ids)), dtype=np.int64)


def by_subject(terms: Iterable[Term]) -> tuple[list[Term], list[Term], list[Term]]:
    """Return the filters of setups, of single runs and of samples."""
    setup_terms, run_terms, sample_terms = [], [], []
    for term in terms:
        if term.dimension in PER_RUN_DIMENSIONS:
            run_terms.append(term)
        elif catalog.is_of_sample(term.dimension):
            sample_terms.append(term)
        else:
            setup_terms.append(term)
    return setup_terms, run_terms, sample_terms


def machine_ranges(count: int) -> list[str]:
    """Return conditions that divide machines into `count` parts by their numbers."""
    bounds = [-(2**63) + number * 2**64 // count for number in range(1, count)]
    parts = zip([None, *bounds], [*bounds, None], strict=True)
    return [
        " AND ".join(
            f"machine {sign} {end}" for sign, end in ((">=", low), ("<", high)) if end is not None
        )
        or "true"
        for low, high in parts
    ]
