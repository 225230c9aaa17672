"""The 95% interval of the median of one machine's runs, which follow each other in time.

Runs are alike while the machine is warm, full or busy, so thirty in an afternoon may carry as
little information as five. A value is in the interval unless too many more runs are above it than
below, or the reverse. How many is too many depends on how far this surplus strays from the first
run to the last (Shao 2010, self-normalisation): it strays further if runs depend on earlier ones,
so no model of that is needed.

The limit depends on the number of runs and comes from simulations of autoregressive runs: with
correlations of neighbours up to 0.5, or up to 0.8 if the ranks of neighbours visibly correlate.
Below FEWEST_RUNS their whole range covers less than 93%, so there is no interval.
"""

import math

import numpy as np

from macmeter.statistics.summary import Array, ranks_of

FEWEST_RUNS = 25

# Maximum surplus by the number of runs, both as logarithms, to interpolate between.
_RUN_COUNTS = np.log([25, 30, 40, 50, 70, 100, 200, 400])
_CORRELATED = np.log([20.5, 16.5, 12.6, 11.0, 9.2, 8.2, 7.3, 6.9])
_NEARLY_INDEPENDENT = np.log([8.5, 8.0, 7.4, 7.1, 7.0, 6.8, 6.7, 6.6])
# A larger correlation of neighbours' ranks counts as visible.
_VISIBLE_CORRELATION = 0.2


def limits_of_runs(chronological: Array) -> tuple[float, float]:
    """Return the interval's limits from the values of at least FEWEST_RUNS runs, oldest first."""
    is_correlated = _correlation(chronological) > _VISIBLE_CORRELATION
    table = _CORRELATED if is_correlated else _NEARLY_INDEPENDENT
    max_surplus = math.exp(float(np.interp(math.log(len(chronological)), _RUN_COUNTS, table)))
    return _limit(chronological, max_surplus), -_limit(-chronological, max_surplus)


def _limit(chronological: Array, max_surplus: float) -> float:
    """Bisect for a value below the median that is too low while the next one isn't."""
    values = np.unique(chronological)
    outer, inner = 0, int(np.searchsorted(values, np.median(chronological)))
    if inner == 0 or _surplus(chronological, float(values[0])) <= max_surplus:
        return float(values[0])
    while inner - outer > 1:
        middle = (outer + inner) // 2
        if _surplus(chronological, float(values[middle])) > max_surplus:
            outer = middle
        else:
            inner = middle
    return float(values[outer])


def _surplus(chronological: Array, value: float) -> float:
    """Return the surplus of runs above over runs below, divided by how far it strays."""
    count = len(chronological)
    sums = np.cumsum(np.sign(chronological - value))
    drift = sums - np.arange(1, count + 1) / count * sums[-1]
    squares = float(drift @ drift)
    if squares == 0:
        return math.inf if sums[-1] else 0.0
    return abs(float(sums[-1])) * math.sqrt(count / squares)


def _correlation(chronological: Array) -> float:
    """Return the correlation of neighbours' ranks."""
    ranks = ranks_of(chronological)
    squares = float(ranks @ ranks)
    return float(ranks[1:] @ ranks[:-1]) / squares if squares else 0.0
