"""The 95% interval of a median over machines, if machines of a model are alike.

Machines of a model share its chip, storage and cooling, so fifteen Macs of five models carry less
information than of fifteen models: the units that vary are models. Whether they vary is tested on
ranks, by comparing the squared sum of each model's ranks with the variance within models (the rank
analysis of variance of Conover and Iman 1981, with models weighted by their machines, as the
variance of a mean weights them, and Satterthwaite's 1946 degrees of freedom). If the test finds
that models differ, and this adds to the variance of the median (Kish's 1965 design effect is above
1), models are the units:

- fewer than ten, by Student's t over the models' medians, on logarithms: order statistics of so few
  come nowhere near 95%. The interval may reach beyond all values, as other models may;
- more, by the surplus of each, as for the runs of machines (clusters.py).

The test is lenient, since an undetected difference makes the interval too narrow: it finds one in
25% of groups, and in 10% of ratios, whose models don't differ. It is stricter for two or three
models, whose interval is many times as wide. `make bench ONLY=interval` simulates coverage and
cost. No test can detect two models that differ a little, nor others next to one that has most of
the machines.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from macmeter.statistics.clusters import Clusters, median_of_clusters
from macmeter.statistics.intervals import (
    MINIMUM,
    Median,
    chance_of_f,
    of_values,
    quantile_of_t,
    tail,
)
from macmeter.statistics.summary import Ints, ranks_of

# False positive rate of the test, by the effective number of models less one.
_FREEDOMS = (1.0, 2.0, 3.0)
_LEVELS = (0.05, 0.20, 0.25)
_LEVELS_OF_SIDES = (0.05, 0.08, 0.10)
# From this number on, models locate the median by their order statistics alone.
_MANY_MODELS = 10
# Standard error of a median of a few models relative to that of their mean.
_MEDIAN_PER_MEAN = 1.12
# Minimum variance within models, for ranks scaled to a variance of 1.
_MIN_WITHIN = 1e-9
# A wider interval, as a ratio of its limits, says nothing about the median.
_WIDEST = 16.0
# If models add less than this factor to a ratio's variance, its sides share most of them.
_SHARED = 1.5


def median_of(machines: Clusters, weight: str) -> Median:
    """Return the median of a group: over machines, or over runs with `weight="run"`.

    Its units are machines, or models if these are found to differ.
    """
    variances = _variances(machines)
    return _median(
        machines, weight, variances is not None and _do_models_differ([variances], _LEVELS)
    )


def medians_of_sides(one: Clusters, other: Clusters, weight: str) -> tuple[Median, Median]:
    """Return the medians of a ratio's sides. A model's own effect cancels if both have it."""
    are_models = False
    if (
        one.models is not None
        and other.models is not None
        and _are_unlike(one.models, other.models)
    ):
        variances = [each for each in (_variances(one), _variances(other)) if each is not None]
        are_models = _do_models_differ(variances, _LEVELS_OF_SIDES)
    over, under = (
        _median(side, weight, are_models and _variances(side) is not None) for side in (one, other)
    )
    return over, under


class _Variances(NamedTuple):
    """Variances of ranks scaled to 1: between models' sums and within models, with their degrees of
    freedom.

    `effect` is the design effect: the factor that models add to the total variance.
    """

    between: float
    freedom: float
    within: float
    freedom_within: int
    effect: float


def _variances(machines: Clusters) -> _Variances | None:
    """Return the variances; None if machines are all of one model, or each of its own."""
    if machines.models is None or len(machines) < MINIMUM:
        return None
    models = number_models(machines.models)
    sizes = np.bincount(models)
    count, model_count = len(machines), len(sizes)
    ranks = ranks_of(machines.medians)
    total = float(ranks @ ranks)
    if model_count < 2 or model_count == count or not total:
        return None
    ranks = ranks / math.sqrt(total / (count - 1))
    sums = np.bincount(models, weights=ranks)
    squares = float(sums @ sums)
    # First two moments of the sum of squares for independent machines.
    pairs = float(sizes @ sizes)
    expected = count - pairs / count
    variance = pairs - 2 * float((sizes**3).sum()) / count + (pairs / count) ** 2
    within = (count - 1 - float((sums**2 / sizes).sum())) / (count - model_count)
    freedom = expected**2 / variance
    return _Variances(
        squares / expected, freedom, within, count - model_count, squares / (count - 1)
    )


def _do_models_differ(variances: Sequence[_Variances], levels: tuple[float, ...]) -> bool:
    """Whether the variance between models exceeds that within them, and matters."""
    if not variances or sum(each.effect for each in variances) <= len(variances):
        return False
    freedom = sum(each.freedom for each in variances)
    freedom_within = sum(each.freedom_within for each in variances)
    between = sum(each.between * each.freedom for each in variances) / freedom
    within = sum(each.within * each.freedom_within for each in variances) / freedom_within
    # If ranks differ only between models, the variance within them is 0.
    ratio = between / max(within, _MIN_WITHIN)
    level = float(np.interp(freedom, _FREEDOMS, levels))
    return chance_of_f(ratio, freedom, freedom_within) < level


def number_models(models: Ints) -> Ints:
    """Number the models from 0; a machine of an unknown model (below 0) counts as its own."""
    numbers = np.where(models < 0, -1 - np.arange(len(models)), models)
    return np.unique(numbers, return_inverse=True)[1]


def is_too_wide(low: float, high: float) -> bool:
    """Whether limits from a few models are too far apart to be useful."""
    return low <= 0 or high > _WIDEST * low


def _are_unlike(over: Ints, under: Ints) -> bool:
    """Whether models add to a ratio's variance because their shares differ between sides."""
    models = number_models(np.concatenate([over, under]))
    count = int(models.max()) + 1
    shares = np.bincount(models[: len(over)], minlength=count) / len(over)
    shares = shares - np.bincount(models[len(over) :], minlength=count) / len(under)
    return float(shares @ shares) > _SHARED * (1 / len(over) + 1 / len(under))


def _median(machines: Clusters, weight: str, are_models: bool) -> Median:
    if not are_models:
        return median_of_clusters(machines) if weight == "run" else of_values(machines.medians)
    assert machines.models is not None
    by_model = machines.by_model(number_models(machines.models), weight)
    if len(by_model) >= _MANY_MODELS:
        median = median_of_clusters(by_model)
        return Median(median.value, len(machines), median.limits, is_between_models=True)
    return _median_of_few(by_model, len(machines))


def _median_of_few(models: Clusters, units: int) -> Median:
    """Student's t over the medians of a few models, each weighted by its number of values."""
    ordered = models.ascending[0]
    middle = float(np.median(ordered))
    is_positive = bool(ordered[0] > 0)
    medians = np.log(models.medians) if is_positive else models.medians
    weights = models.sizes / models.sizes.sum()
    effective = 1 / float(weights @ weights)
    freedom = max(effective - 1, 1.0)
    weighted = weights * (medians - weights @ medians)
    error = _MEDIAN_PER_MEAN * math.sqrt(effective / (effective - 1) * float(weighted @ weighted))

    def limits(deviations: float) -> tuple[float, float]:
        reach = quantile_of_t(tail(deviations), freedom) * error if deviations > 0 else 0.0
        if is_positive:
            return middle * math.exp(-min(reach, 700)), middle * math.exp(min(reach, 700))
        return middle - reach, middle + reach

    return Median(middle, units, limits, is_between_models=True)
