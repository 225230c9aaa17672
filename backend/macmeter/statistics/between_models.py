"""The 95% interval of a median over machines of which those of one model are alike.

Machines of a model share its chip, its storage and its cooling, so fifteen Macs of five models say
less than fifteen of as many: what varies is models. Whether they do is tested on ranks: the sum of
each model's ranks, squared, against what lies within models (the analysis of variance of ranks of
Conover and Iman 1981, with models weighted by their machines, as the variance of a mean weights
them, and Satterthwaite's 1946 degrees of freedom). Where the test sees models, and they add to the
variance of the median (Kish's 1965 design effect is above 1), models are the units:

- of fewer than ten, by Student's t over the models' medians, on logarithms: no order statistics of
  so few come near 95%. The interval may reach beyond all values, as other models may;
- of more, by the surplus of each, as runs of machines are (clusters.py).

The test is lenient, as what it overlooks is missing in the interval: it sees models in 25% of the
groups, and in 10% of the ratios, in which there is no such thing. It is stricter with two or three
models, of which an interval is many times as wide. What all that covers, and what it costs, is
simulated: `make bench ONLY=interval`. Two models that differ a little are beyond any test, and so
are others beside one that has most of the machines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from macmeter.statistics.clusters import Clusters, of_clusters
from macmeter.statistics.intervals import (
    MINIMUM,
    Median,
    chance_of_f,
    of_values,
    quantile_of_t,
    tail,
)
from macmeter.statistics.summary import Ints, ranks_of

# By the effective number of models less one: the chance of the test to see what isn't there.
_FREEDOMS = (1.0, 2.0, 3.0)
_LEVELS = (0.05, 0.20, 0.25)
_LEVELS_OF_SIDES = (0.05, 0.08, 0.10)
# From so many models on they say where the median is by their numbers alone.
_MANY = 10
# How much more a median of a few models varies than their mean.
_OF_MEDIAN = 1.12
# Of ranks that vary by 1.
_FINEST = 1e-9
# Limits that lie further apart, as a ratio, say nothing about where the median is.
_WIDEST = 16.0
# Sides of a ratio share most of their models where these add less than that to its variance.
_SHARED = 1.5


def median_of(machines: Clusters, weight: str) -> Median:
    """The median of a group: over machines, or over runs with `weight="run"`.

    Its units are machines, or models where these are seen to differ.
    """
    seen = _variances(machines)
    return _median(machines, weight, seen is not None and _differ([seen], _LEVELS))


def medians_of_sides(one: Clusters, other: Clusters, weight: str) -> tuple[Median, Median]:
    """The medians of a ratio's two sides. What is particular to a model cancels if both have it."""
    are_models = False
    if (
        one.models is not None
        and other.models is not None
        and _are_unlike(one.models, other.models)
    ):
        seen = [found for found in (_variances(one), _variances(other)) if found is not None]
        are_models = _differ(seen, _LEVELS_OF_SIDES)
    over, under = (
        _median(side, weight, are_models and _variances(side) is not None) for side in (one, other)
    )
    return over, under


class _Variances(NamedTuple):
    """Variances of ranks that vary by 1: of models' sums and within models, with the freedoms of
    both.

    `effect` is the design effect: by how much models add to the variance of all.
    """

    between: float
    freedom: float
    within: float
    freedom_within: int
    effect: float


def _variances(machines: Clusters) -> _Variances | None:
    """None where machines are of one model, or each of its own."""
    if machines.models is None or len(machines) < MINIMUM:
        return None
    models = numbered(machines.models)
    sizes = np.bincount(models)
    count, of = len(machines), len(sizes)
    ranks = ranks_of(machines.medians)
    whole = float(ranks @ ranks)
    if of < 2 or of == count or not whole:
        return None
    ranks = ranks / math.sqrt(whole / (count - 1))
    sums = np.bincount(models, weights=ranks)
    squares = float(sums @ sums)
    # The first two moments of the sum of squares, if the machines are independent.
    pairs = float(sizes @ sizes)
    expected = count - pairs / count
    varies = pairs - 2 * float((sizes**3).sum()) / count + (pairs / count) ** 2
    within = (count - 1 - float((sums**2 / sizes).sum())) / (count - of)
    freedom = expected**2 / varies
    return _Variances(squares / expected, freedom, within, count - of, squares / (count - 1))


def _differ(seen: Sequence[_Variances], levels: tuple[float, ...]) -> bool:
    """Whether the variance between models is greater than within them, and matters."""
    if not seen or sum(one.effect for one in seen) <= len(seen):
        return False
    freedom = sum(one.freedom for one in seen)
    of_within = sum(one.freedom_within for one in seen)
    between = sum(one.between * one.freedom for one in seen) / freedom
    within = sum(one.within * one.freedom_within for one in seen) / of_within
    # Ranks that agree within all models, and differ between them, leave nothing to divide by.
    ratio = between / max(within, _FINEST)
    level = float(np.interp(freedom, _FREEDOMS, levels))
    return chance_of_f(ratio, freedom, of_within) < level


def numbered(models: Ints) -> Ints:
    """From 0 on a number for each model; a machine of an unknown one (below 0) has its own."""
    own = np.where(models < 0, -1 - np.arange(len(models)), models)
    return np.unique(own, return_inverse=True)[1]


def is_too_wide(low: float, high: float) -> bool:
    """Whether limits between a few models say nothing."""
    return low <= 0 or high > _WIDEST * low


def _are_unlike(one: Ints, other: Ints) -> bool:
    """Whether models add to the variance of a ratio: those that are on one side, or more there."""
    models = numbered(np.concatenate([one, other]))
    known = int(models.max()) + 1
    shares = np.bincount(models[: len(one)], minlength=known) / len(one)
    shares = shares - np.bincount(models[len(one) :], minlength=known) / len(other)
    return float(shares @ shares) > _SHARED * (1 / len(one) + 1 / len(other))


def _median(machines: Clusters, weight: str, are_models: bool) -> Median:
    if not are_models:
        return of_clusters(machines) if weight == "run" else of_values(machines.medians)
    assert machines.models is not None
    by_model = machines.by_model(numbered(machines.models), weight)
    if len(by_model) >= _MANY:
        found = of_clusters(by_model)
        return Median(found.value, len(machines), found.limits, is_between_models=True)
    return _of_few(by_model, len(machines))


def _of_few(models: Clusters, units: int) -> Median:
    """Student's t over the medians of a few models, each weighted by its values."""
    ordered = models.ascending[0]
    middle = float(np.median(ordered))
    is_positive = bool(ordered[0] > 0)
    medians = np.log(models.medians) if is_positive else models.medians
    weights = models.sizes / models.sizes.sum()
    effective = 1 / float(weights @ weights)
    freedom = max(effective - 1, 1.0)
    away = weights * (medians - weights @ medians)
    error = _OF_MEDIAN * math.sqrt(effective / (effective - 1) * float(away @ away))

    def limits(deviations: float) -> tuple[float, float]:
        reach = quantile_of_t(tail(deviations), freedom) * error if deviations > 0 else 0.0
        if is_positive:
            return middle * math.exp(-min(reach, 700)), middle * math.exp(min(reach, 700))
        return middle - reach, middle + reach

    return Median(middle, units, limits, is_between_models=True)
