"""The 95% interval of the median of one machine's runs, which follow each other in time.

Runs are alike while the machine is warm, full or busy, so thirty in an afternoon may carry as
little information as five. A value is in the interval unless too many more runs are above it than
below, or the reverse. The limit depends on how far this surplus strays from the first run to the
last (Shao 2010, self-normalisation): it strays further if runs depend on earlier ones, so no model
of that is needed.

Limits come from simulations of autoregressive runs, by their number: for correlations of neighbours
up to 0.5, and up to 0.8 if the ranks of neighbours visibly correlate. Below FEWEST_RUNS their whole
range covers less than 93%, so there is no interval.
"""

import math

import numpy as np

from macmeter.statistics.summary import Array, ranks_of

FEWEST_RUNS = 25

# Limits of a surplus by the number of runs, interpolated as logarithms.
_NUMBERS = np.log([25, 30, 40, 50, 70, 100, 200, 400])
_ALIKE = np.log([20.5, 16.5, 12.6, 11.0, 9.2, 8.2, 7.3, 6.9])
_NEARLY_INDEPENDENT = np.log([8.5, 8.0, 7.4, 7.1, 7.0, 6.8, 6.7, 6.6])
# A larger correlation of neighbours' ranks counts as visible.
_SEEN = 0.2


def limits_of_runs(in_time: Array) -> tuple[float, float]:
    """Return the limits for at least FEWEST_RUNS values, from the first run to the last."""
    table = _ALIKE if _correlation(in_time) > _SEEN else _NEARLY_INDEPENDENT
    most = math.exp(float(np.interp(math.log(len(in_time)), _NUMBERS, table)))
    return _limit(in_time, most), -_limit(-in_time, most)


def _limit(in_time: Array, most: float) -> float:
    """Bisect for the greatest value below the median that is too low; there may be several."""
    values = np.unique(in_time)
    outer, inner = 0, int(np.searchsorted(values, np.median(in_time)))
    if inner == 0 or _surplus(in_time, float(values[0])) <= most:
        return float(values[0])
    while inner - outer > 1:
        middle = (outer + inner) // 2
        if _surplus(in_time, float(values[middle])) > most:
            outer = middle
        else:
            inner = middle
    return float(values[outer])


def _surplus(in_time: Array, value: float) -> float:
    """Return the surplus of runs above over runs below, divided by how far it strays."""
    count = len(in_time)
    sums = np.cumsum(np.sign(in_time - value))
    strayed = sums - np.arange(1, count + 1) / count * sums[-1]
    squares = float(strayed @ strayed)
    if squares == 0:
        return math.inf if sums[-1] else 0.0
    return abs(float(sums[-1])) * math.sqrt(count / squares)


def _correlation(in_time: Array) -> float:
    """Return the correlation of neighbours' ranks."""
    ranks = ranks_of(in_time)
    squares = float(ranks @ ranks)
    return float(ranks[1:] @ ranks[:-1]) / squares if squares else 0.0
