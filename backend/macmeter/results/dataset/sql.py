"""Values, filters and scopes as readable SQL."""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.catalog import DETERMINES_WHERE, LABEL_PREFIX
from macmeter.catalog.terms import Op, Term, Value
from macmeter.results.dataset.relations import APART, month_number, number_of

# Dimensions of single runs; all others are of their setups.
OF_RUNS = APART


def _halves(of: str) -> tuple[str, str]:
    """Return SQL for both halves of an id: integers are faster to read and compare."""
    digits = f"replace({of}::VARCHAR, '-', '')"
    return f"('0x' || left({digits}, 16))::UBIGINT", f"('0x' || right({digits}, 16))::UBIGINT"


HALVES = dict(zip(("id_high", "id_low"), _halves("run_id"), strict=True))
MACHINE_HALVES = dict(zip(("id_high", "id_low"), _halves("machine_id"), strict=True))


def ids_of(halves: Mapping[str, NDArray[np.uint64]]) -> list[uuid.UUID]:
    """Join halves to ids."""
    both = zip(*(halves[name].tolist() for name in HALVES), strict=True)
    return [uuid.UUID(int=high << 64 | low) for high, low in both]


def literal(value: Value) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(float(value))


def moment(at: datetime) -> str:
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
        other, wanted = DETERMINES_WHERE[name]
        return f"CASE WHEN {expression(other)} = {literal(wanted)} THEN {expression(name)} END"
    return expression(name)


def matching(terms: Sequence[Term], is_met: Callable[[Term], str] | None = None) -> str:
    """Return the condition of filters: OR inside a dimension, AND across, exclusions always.

    NULL doesn't match an excluded value, so it passes. `is_met` words one filter, without its
    exclusion; by default over the relations.
    """
    is_met = is_met or _holds
    wanted: dict[str, list[str]] = {}
    conditions = []
    for term in terms:
        if term.op in (Op.NOT, Op.NOT_RANGE):
            conditions.append(f"({is_met(term)}) IS NOT TRUE")
        else:
            wanted.setdefault(term.dimension, []).append(is_met(term))
    conditions += [f"({' OR '.join(of)})" if len(of) > 1 else of[0] for of in wanted.values()]
    return " AND ".join(conditions) or "true"


def _holds(term: Term) -> str:
    if term.value is not None and term.dimension == "machine":
        return f"machine = {machine_number(uuid.UUID(str(term.value)))}"
    if term.value is not None and term.dimension == "month":
        return f"month = {_month(str(term.value))}"
    return holds(term, expression(term.dimension))


def holds(term: Term, of: str) -> str:
    """Return the condition that the column or expression `of` has the filter's value."""
    if term.op in (Op.RANGE, Op.NOT_RANGE):
        ends = [(">=", term.low), ("<=", term.high)]
        return " AND ".join(f"{of} {sign} {literal(end)}" for sign, end in ends if end is not None)
    return f"{of} IS NULL" if term.value is None else f"{of} = {literal(term.value)}"


def _month(text: str) -> str:
    """Return the month's number, or NULL, which matches no run, for an invalid month."""
    try:
        return str(month_number(text))
    except ValueError:
        return "NULL"


def machine_number(machine_id: uuid.UUID) -> int:
    return number_of(machine_id.bytes)


# A limited reader's group, of maybe thousands, is the same object in each of their questions.
@lru_cache(maxsize=64)
def machine_numbers(machine_ids: frozenset[uuid.UUID]) -> NDArray[np.int64]:
    return np.array(sorted(map(machine_number, machine_ids)), dtype=np.int64)


def by_subject(terms: Iterable[Term]) -> tuple[list[Term], list[Term], list[Term]]:
    """Return the filters of setups, of single runs and of samples."""
    of_setups, of_runs, of_samples = [], [], []
    for term in terms:
        if term.dimension in OF_RUNS:
            of_runs.append(term)
        elif catalog.is_of_sample(term.dimension):
            of_samples.append(term)
        else:
            of_setups.append(term)
    return of_setups, of_runs, of_samples


def ranges(count: int) -> list[str]:
    """Return conditions that divide machines into `count` parts by their numbers."""
    ends = [-(2**63) + number * 2**64 // count for number in range(1, count)]
    bounds = zip([None, *ends], [*ends, None], strict=True)
    return [
        " AND ".join(
            f"machine {sign} {end}" for sign, end in ((">=", low), ("<", high)) if end is not None
        )
        or "true"
        for low, high in bounds
    ]
