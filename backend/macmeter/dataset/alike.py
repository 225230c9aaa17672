"""What tells settings of machines apart, as expressions over setups."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from macmeter.catalog import ANY_LABEL, DETERMINES_WHERE, LABEL_PREFIX
from macmeter.dataset.wording import expression, listed, literal


def setting(alike: Sequence[str]) -> str:
    return f"hash({listed(alike) or 0})"


def alike_in(name: str, left_out: Collection[str] = ()) -> str:
    """What tells settings apart in one determinant, as an expression over setups; without the
    labels that are left out.
    """
    if name != ANY_LABEL:
        return determinant(name)
    keys = listed(
        literal(label.removeprefix(LABEL_PREFIX))
        for label in left_out
        if label.startswith(LABEL_PREFIX)
    )
    if not keys:
        return "labels::VARCHAR"
    return f"list_filter(map_entries(labels), lambda of: of.key NOT IN ({keys}))::VARCHAR"


def determinant(name: str) -> str:
    """A determinant's value; NULL where it is not stated, or does not matter there."""
    if name in DETERMINES_WHERE:
        other, wanted = DETERMINES_WHERE[name]
        return f"CASE WHEN {expression(other)} = {literal(wanted)} THEN {expression(name)} END"
    return expression(name)
