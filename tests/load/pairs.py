"""How often equals are called different where machines were measured twice, in several series.

One machine is one pair: were each of its series one, six machines with four series each would be
called different in more than a quarter of cases. Every cell is printed with its standard error.
"""

from __future__ import annotations

from typing import Any

from support.paired import CELLS, falsely_different
from support.spreads import error

SIMULATIONS = 4_000
LIMIT = 0.05


def figures() -> list[dict[str, Any]]:
    """The worst cell beside the limit that all of them keep within two standard errors."""
    worst = 0.0
    for machines, series in CELLS:
        share = falsely_different(machines, series, SIMULATIONS, seed=machines * 100 + series)
        spread = error(share, SIMULATIONS)
        kept = share <= LIMIT + 2 * error(LIMIT, SIMULATIONS)
        print(
            f"  {machines:>3} machines x {series:>2} series: different in {share:7.2%} "
            f"± {spread:.2%}{'' if kept else '  beyond the limit'}",
            flush=True,
        )
        worst = max(worst, share)
    return [
        {
            "name": "pairs.false",
            "value": worst,
            "unit": "share",
            "reference": LIMIT,
            "ratio": worst / LIMIT,
            "n": SIMULATIONS,
        }
    ]
