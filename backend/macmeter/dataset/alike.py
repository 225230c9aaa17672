"""What tells settings of machines apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from macmeter.catalog import ANY_LABEL, DETERMINES_WHERE, LABEL_PREFIX
from macmeter.dataset.setups import Ints, Setups
from macmeter.dataset.summing import Hashes, hashed
from macmeter.dataset.wording import expression, literal


def numbers_of(setups: Setups, alike: Sequence[str], left_out: Collection[str]) -> Hashes:
    """A number for each setup, the same for those that are alike in these determinants; of labels
    without those that are left out.
    """
    nothing = np.zeros(len(setups), dtype=np.int64)
    return hashed([nothing, *(codes_of(setups, name, left_out) for name in alike)])


def codes_of(setups: Setups, name: str, left_out: Collection[str]) -> Ints:
    """A code for each setup, the same for those that are alike in that determinant."""
    if name != ANY_LABEL:
        return setups.determinants(name)[0]
    codes, values = setups.values("labels")
    known: dict[object, int] = {}
    kept = [tuple(of for of in value if LABEL_PREFIX + of[0] not in left_out) for value in values]
    own: Ints = np.array([known.setdefault(of, len(known)) for of in kept], dtype=np.int64)
    return own[codes]


def determinant(name: str) -> str:
    """A determinant's value; NULL where it is not stated, or does not matter there."""
    if name in DETERMINES_WHERE:
        other, wanted = DETERMINES_WHERE[name]
        return f"CASE WHEN {expression(other)} = {literal(wanted)} THEN {expression(name)} END"
    return expression(name)
