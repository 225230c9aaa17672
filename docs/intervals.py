"""The 95% intervals of answers, for checking: python3 intervals.py < values.csv

Each line is a machine's value and, after a comma, its model; with --runs each is a run's value,
from the first run to the last. Needs numpy and scipy, and nothing of Macmeter. docs/statistics.md
explains the rules.
"""

from __future__ import annotations

import itertools
import math
import sys

import numpy as np
from scipy.stats import binom, f, norm, rankdata, t

Z = 1.959963984540054
RUNS = [25, 30, 40, 50, 70, 100, 200, 400]
ALIKE = [20.5, 16.5, 12.6, 11.0, 9.2, 8.2, 7.3, 6.9]
NEARLY_INDEPENDENT = [8.5, 8.0, 7.4, 7.1, 7.0, 6.8, 6.7, 6.6]


def safe(share, missed, outer, inner):
    """How far to go from one order statistic to the next, so that 93% is covered in any case."""
    if inner <= 1.4 * missed:
        return share
    halfway = 0.5 if missed <= 0.0251 else 0.4
    return min(share, halfway) if outer + inner <= 2.8 * missed else 0.0


def of_machines(values, deviations=Z):
    """Limits of the median of independent values, so many standard deviations from the middle."""
    ordered, n = sorted(values), len(values)
    missed = norm.sf(deviations)
    if missed < 0.5**n:
        return -math.inf, math.inf
    # The limit is between the k-th and the next value from either end.
    k = next(k for k in range(n) if binom.cdf(k, n, 0.5) > missed)
    outer, inner = binom.cdf(k - 1, n, 0.5), binom.cdf(k, n, 0.5)
    straight = (missed - outer) / (inner - outer)
    curved = (n - k) * straight / (k + (n - 2 * k) * straight)
    place = k + safe((straight + curved) / 2, missed, outer, inner) - 1
    places = np.arange(n)
    return float(np.interp(place, places, ordered)), float(
        np.interp(n - 1 - place, places, ordered)
    )


def models_differ(groups, levels=(0.05, 0.20, 0.25)):
    """Whether machines of one model are seen to be more alike than machines of several.

    Groups are values and models: one, or the two sides of a ratio with levels 0.05, 0.08, 0.10.
    """
    between = within = freedom = of_within = effects = tested = 0
    for values, models in groups:
        names, owner = np.unique(models, return_inverse=True)
        n, sizes = len(values), np.bincount(owner)
        if n < 6 or len(names) < 2 or len(names) == n or len(set(values)) == 1:
            continue
        ranks = rankdata(values) - (n + 1) / 2
        ranks = ranks / ranks.std(ddof=1)
        sums = np.bincount(owner, ranks)
        squares = (sums**2).sum()
        expected = n - (sizes**2).sum() / n
        varies = (sizes**2).sum() - 2 * (sizes**3).sum() / n + ((sizes**2).sum() / n) ** 2
        between += squares / expected * expected**2 / varies
        freedom += expected**2 / varies
        within += n - 1 - (sums**2 / sizes).sum()
        of_within += n - len(names)
        effects += squares / (n - 1)
        tested += 1
    if effects <= tested:
        return False
    ratio = between / freedom / max(within / of_within, 1e-9)
    return f.sf(ratio, freedom, of_within) < np.interp(freedom, [1, 2, 3], levels)


def of_few_models(values, models, deviations=Z):
    """By Student's t over the medians of fewer than six models, on logarithms."""
    values, (_, owner) = np.array(values), np.unique(models, return_inverse=True)
    weights = np.bincount(owner) / len(values)
    medians = np.array([np.log(np.median(values[owner == model])) for model in range(len(weights))])
    away = weights * (medians - weights @ medians)
    effective = 1 / (weights @ weights)
    error = 1.12 * math.sqrt(effective / (effective - 1) * (away @ away))
    reach = t.ppf(norm.cdf(deviations), max(effective - 1, 1)) * error
    return np.median(values) * math.exp(-reach), np.median(values) * math.exp(reach)


def of_many_models(values, models, deviations=Z):
    """By the surplus of each model's values on one side, of which each may change its sign."""
    values = np.array(values)
    _, owner = np.unique(models, return_inverse=True)
    return limit(values, owner, deviations), -limit(-values, owner, deviations)


def limit(values, owner, deviations):
    order = np.argsort(values, kind="stable")
    sizes, missed = np.bincount(owner), norm.sf(deviations)

    def chance(passed):
        surplus = sizes - 2 * np.bincount(owner[order[:passed]], minlength=len(sizes))
        parts = np.sort(np.abs(surplus))[::-1]
        singly = parts if len(parts) <= 16 else parts[:8]
        signs = np.array([*itertools.product([-1, 1], repeat=len(singly))])
        sums, rest = signs @ singly, parts[len(singly) :]
        if not rest.any():
            return (sums >= surplus.sum()).mean()
        halfway = surplus.sum() - np.gcd.reduce(rest)
        return norm.sf((halfway - sums) / math.sqrt((rest**2).sum())).mean()

    if missed < chance(0):
        return -math.inf
    inner = next(k for k in range(len(values)) if chance(k) > missed)
    low, high = values[order[inner - 1]], values[order[inner]]
    outer_chance, inner_chance = chance(inner - 1), chance(inner)
    straight = (missed - outer_chance) / (inner_chance - outer_chance)
    return float(low + (high - low) * safe(straight, missed, outer_chance, inner_chance))


def limits_of(values, models=None, are_seen=None):
    """The rule that applies, as a function of deviations."""
    if are_seen is None:
        are_seen = models is not None and models_differ([(values, models)])
    if not are_seen or not 1 < len(set(models)) < len(values):
        return lambda deviations: of_machines(values, deviations)
    several = of_many_models if len(set(models)) >= 10 else of_few_models
    return lambda deviations: several(values, models, deviations)


def of_ratio(over, under, over_models=None, under_models=None):
    """Limits of the ratio of two medians, each side giving way by its own part of the deviations.

    Models count where no model is on both sides.
    """
    are_seen = over_models is not None and models_differ(
        [(over, over_models), (under, under_models)], (0.05, 0.08, 0.10)
    )
    one, other = limits_of(over, over_models, are_seen), limits_of(under, under_models, are_seen)
    top, bottom = np.median(over), np.median(under)
    (top_low, top_high), (bottom_low, bottom_high) = one(Z), other(Z)

    def shares(first, second):
        turn = math.atan2(math.log(second), math.log(first))
        known = turn <= 0 or turn >= math.pi / 2
        for by in (0.0,) if known else (0.0, -0.6, 0.6):
            turned = min(max(turn + by, 0), math.pi / 2)
            reach = Z - 0.1 * (1 / len(over) + 1 / len(under)) * math.sin(2 * turned)
            yield reach * math.cos(turned), reach * math.sin(turned)

    lows = shares(top / top_low, bottom_high / bottom)
    highs = shares(top_high / top, bottom / bottom_low)
    return (
        min(one(first)[0] / other(second)[1] for first, second in lows),
        max(one(first)[1] / other(second)[0] for first, second in highs),
    )


def of_runs(in_time):
    """Limits of the median of one machine's runs, which remember those before."""
    runs, n = np.array(in_time), len(in_time)
    ranks = rankdata(runs) - (n + 1) / 2
    is_alike = n > 1 and ranks[1:] @ ranks[:-1] > 0.2 * (ranks @ ranks)
    table = ALIKE if is_alike else NEARLY_INDEPENDENT
    most = math.exp(np.interp(math.log(n), np.log(RUNS), np.log(table)))

    def surplus(value):
        sums = np.cumsum(np.sign(runs - value))
        strayed = sums - np.arange(1, n + 1) / n * sums[-1]
        if not strayed.any():
            return math.inf if sums[-1] else 0.0
        return abs(sums[-1]) / math.sqrt((strayed @ strayed) / n)

    def end(values, middle):
        """Going by halves, the last value before the middle whose surplus is too large."""
        outer, inner = 0, middle
        if inner == 0 or surplus(values[0]) <= most:
            return float(values[0])
        while inner - outer > 1:
            between = (outer + inner) // 2
            outer, inner = (between, inner) if surplus(values[between]) > most else (outer, between)
        return float(values[outer])

    values, median = np.unique(runs), np.median(runs)
    below, above = int((values < median).sum()), int((values > median).sum())
    return end(values, below), end(values[::-1], above)


if __name__ == "__main__":
    lines = [line.strip().split(",") for line in sys.stdin if line.strip()]
    numbers = [float(line[0]) for line in lines]
    if "--runs" in sys.argv:
        print(*of_runs(numbers))
    else:
        print(*limits_of(numbers, [line[1] for line in lines] if len(lines[0]) > 1 else None)(Z))
