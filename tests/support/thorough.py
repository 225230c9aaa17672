"""Parameters of tests that take long: some in every run, the others in the long form only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some(values: Iterable[Any], most: int = 1) -> list[Any]:
    """Return parameters of all values, of which those after the first `most` are thorough.

    A tuple is a value of several parameters.
    """
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=[pytest.mark.thorough] * (index >= most),
        )
        for index, value in enumerate(values)
    ]
