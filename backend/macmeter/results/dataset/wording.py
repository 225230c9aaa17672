"""Values, filters and scopes as SQL that a person can read and run."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.catalog import DETERMINES_WHERE, LABEL_PREFIX
from macmeter.catalog.terms import Op, Term, Value
from macmeter.results.dataset.relations import APART, month_number, number_of

# Of single runs, where other dimensions are of their setups.
OF_RUNS = APART


def _halves(of: str) -> tuple[str, str]:
    """The first and the last half of an id: numbers are quicker to read and to compare."""
    digits = f"replace({of}::VARCHAR, '-', '')"
    return f"('0x' || left({digits}, 16))::UBIGINT", f"('0x' || right({digits}, 16))::UBIGINT"


HALVES = dict(zip(("id_high", "id_low"), _halves("run_id"), strict=True))
MACHINE_HALVES = dict(zip(("id_high", "id_low"), _halves("machine_id"), strict=True))


def ids_of(halves: Mapping[str, NDArray[np.uint64]]) -> list[uuid.UUID]:
    """The ids that have these halves."""
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
    """The column behind a dimension; NULL in it means not stated."""
    if name.startswith(LABEL_PREFIX):
        return f"labels[{literal(name.removeprefix(LABEL_PREFIX))}]"
    return name


def determinant(name: str) -> str:
    """A determinant's value; NULL where it is not stated, or does not matter there."""
    if name in DETERMINES_WHERE:
        other, wanted = DETERMINES_WHERE[name]
        return f"CASE WHEN {expression(other)} = {literal(wanted)} THEN {expression(name)} END"
    return expression(name)


def matching(terms: Sequence[Term]) -> str:
    """OR inside a dimension, AND across; what is excluded is excluded whatever else matches.

    Not stated is not the excluded value either: it stays in.
    """
    wanted: dict[str, list[str]] = {}
    conditions = []
    for term in terms:
        if term.op in (Op.NOT, Op.NOT_RANGE):
            conditions.append(f"({_holds(term)}) IS NOT TRUE")
        else:
            wanted.setdefault(term.dimension, []).append(_holds(term))
    conditions += [f"({' OR '.join(of)})" if len(of) > 1 else of[0] for of in wanted.values()]
    return " AND ".join(conditions) or "true"


def _holds(term: Term) -> str:
    of = expression(term.dimension)
    if term.op in (Op.RANGE, Op.NOT_RANGE):
        ends = [(">=", term.low), ("<=", term.high)]
        return " AND ".join(f"{of} {sign} {literal(end)}" for sign, end in ends if end is not None)
    if term.value is None:
        return f"{of} IS NULL"
    if term.dimension == "machine":
        return f"machine = {machine_number(uuid.UUID(str(term.value)))}"
    if term.dimension == "month":
        return f"month = {_month(str(term.value))}"
    return f"{of} = {literal(term.value)}"


def _month(text: str) -> str:
    """NULL, which no run has, where the text isn't a month."""
    try:
        return str(month_number(text))
    except ValueError:
        return "NULL"


def machine_number(machine_id: uuid.UUID) -> int:
    return number_of(machine_id.bytes)


def by_subject(terms: Iterable[Term]) -> tuple[list[Term], list[Term], list[Term]]:
    """The filters of setups, of single runs and of samples."""
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
    """Conditions that divide machines into so many parts, by their numbers."""
    ends = [-(2**63) + number * 2**64 // count for number in range(1, count)]
    bounds = zip([None, *ends], [*ends, None], strict=True)
    return [
        " AND ".join(
            f"machine {sign} {end}" for sign, end in ((">=", low), ("<", high)) if end is not None
        )
        or "true"
        for low, high in bounds
    ]
