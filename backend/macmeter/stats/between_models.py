"""The 95% interval of a median over machines of which those of one model are alike.

Machines of a model share its chip, its storage and its cooling, so fifteen Macs of five models say
less than fifteen of as many: what varies is models. Whether they do is tested on ranks: the
surplus of each model's ranks, squared, against what lies within models (the analysis of variance
of ranks of Conover and Iman 1981, with models weighted by their machines as the variance of a mean
weights them, and Satterthwaite's 1946 degrees of freedom). Where the test sees models, and they add
to the variance of the median (Kish's 1965 design effect is above 1), models are the units:

- from MINIMUM models on by the surplus of each, as runs of machines are (clusters.py);
- of fewer by Student's t over the models' medians, on logarithms: no order statistics of so few
  reach 95%. The interval may reach beyond all values, as other models may.

The test is lenient, as what it overlooks is missing in the interval: it sees models in 25% of the
groups in which there is no such thing. It must be stricter with two or three models, of which an
interval is many times as wide. What all that covers is simulated, with what it costs:
`make bench ONLY=interval`. Two models that differ a little are beyond any test and any interval:
there it covers 80 to 90%.
"""

from __future__ import annotations

import math

import numpy as np

from macmeter.stats.chances import chance_of_f, quantile_of_t
from macmeter.stats.clusters import Clusters, of_clusters
from macmeter.stats.intervals import MINIMUM, Median, of_values, tail
from macmeter.stats.summary import Array, Ints

# By the effective number of models less one: the chance of the test to see what isn't there.
_FREEDOMS = (1.0, 2.0, 3.0)
_LEVELS = (0.05, 0.15, 0.25)
# Limits that lie further apart, as a ratio, say nothing about where the median is.
_WIDEST = 16.0
# Sides of a ratio share most of their models where these add less than that to its variance.
_SHARED = 1.5


def median_of(machines: Clusters, weight: str) -> Median:
    """The median of a group: over machines, or over runs with `weight="run"`.

    Its units are machines, or models where these are seen to differ.
    """
    if differ(machines):
        return _between_models(machines, weight)
    return of_clusters(machines) if weight == "run" else of_values(machines.medians)


def medians_of_sides(one: Clusters, other: Clusters, weight: str) -> tuple[Median, Median]:
    """Of the two sides of a ratio. What is particular to a model is in both, if both have it."""
    if one.models is None or other.models is None or not _are_unlike(one.models, other.models):
        one, other = one.without_models, other.without_models
    return median_of(one, weight), median_of(other, weight)


def differ(machines: Clusters) -> bool:
    """Whether machines of one model are seen to be more alike than those of several."""
    if machines.models is None or len(machines) < MINIMUM:
        return False
    models = numbered(machines.models)
    sizes = np.bincount(models)
    count, of = len(machines), len(sizes)
    if of < 2 or of == count:
        return False
    ranks = _ranks(machines.medians)
    surplus = np.bincount(models, weights=ranks)
    squares, whole = float(surplus @ surplus), float(ranks @ ranks)
    # The first two moments of the weighted sum of squares, if the machines are independent.
    pairs = float(sizes @ sizes)
    expected = count - pairs / count
    varies = pairs - 2 * float((sizes**3).sum()) / count + (pairs / count) ** 2
    freedom = expected**2 / varies
    within = (whole - float((surplus**2 / sizes).sum())) / (count - of)
    if squares <= whole:
        return False
    # Ranks that agree within all models, and differ between them, leave nothing to divide by.
    ratio = squares / expected / max(within, whole * 1e-9)
    level = float(np.interp(freedom, _FREEDOMS, _LEVELS))
    return chance_of_f(ratio, freedom, count - of) < level


def numbered(models: Ints) -> Ints:
    """From 0 on a number for each model; a machine of an unknown one (below 0) has its own."""
    own = np.where(models < 0, -1 - np.arange(len(models)), models)
    return np.unique(own, return_inverse=True)[1]


def is_too_wide(low: float, high: float) -> bool:
    """Whether limits between a few models say nothing."""
    return low <= 0 or high > _WIDEST * low


def _are_unlike(one: Ints, other: Ints) -> bool:
    """Whether models add to the variance of a ratio: those that are on one side, or more there."""
    ends = np.concatenate([one, other])
    unknown = np.where(ends < 0, -1 - np.arange(len(ends)), ends)
    models = np.unique(unknown, return_inverse=True)[1]
    known = int(models.max()) + 1
    shares = np.bincount(models[: len(one)], minlength=known) / len(one)
    shares = shares - np.bincount(models[len(one) :], minlength=known) / len(other)
    return float(shares @ shares) > _SHARED * (1 / len(one) + 1 / len(other))


def _ranks(values: Array) -> Array:
    """About 0; equal values share the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Array = (last - (counts - 1) / 2)[places] - (len(values) + 1) / 2
    return ranks


def _between_models(machines: Clusters, weight: str) -> Median:
    assert machines.models is not None
    by_model = machines.by_model(numbered(machines.models), weight)
    if len(by_model) >= MINIMUM:
        found = of_clusters(by_model)
        return Median(found.value, len(machines), found.limits, is_between_models=True)
    return _of_few(by_model, len(machines))


def _of_few(models: Clusters, units: int) -> Median:
    """By Student's t over the medians of a few models, each weighted by its values."""
    ordered = models.ascending[0]
    middle = float(np.median(ordered))
    is_positive = bool(ordered[0] > 0)
    medians = np.log(models.medians) if is_positive else models.medians
    weights = models.sizes / models.sizes.sum()
    effective = 1 / float(weights @ weights)
    freedom = max(effective - 1, 1.0)
    away = weights * (medians - weights @ medians)
    error = math.sqrt(effective / (effective - 1) * float(away @ away))

    def limits(deviations: float) -> tuple[float, float]:
        reach = quantile_of_t(tail(deviations), freedom) * error if deviations > 0 else 0.0
        if is_positive:
            return middle * math.exp(-min(reach, 700)), middle * math.exp(min(reach, 700))
        return middle - reach, middle + reach

    return Median(middle, units, limits, is_between_models=True)
