"""Ratios of like with like, from pairs or within strata, with the crude ratio.

Pairs of one machine hold everything equal that is particular to it, but may be few: one pair must
not overrule many machines. The more informative ratio wins: the one with the narrower interval;
without intervals, pairs if they are at least half of the smaller side. An unconfounded ratio beats
a confounded one.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from macmeter import catalog
from macmeter.catalog.terms import Value
from macmeter.questions import pairs
from macmeter.questions.groups import Bools, Group
from macmeter.questions.side_by_side import Results
from macmeter.questions.strata import Matched, candidates, differs_by_nature, make_alike
from macmeter.results.dataset.snapshot import Columns
from macmeter.results.dataset.summing import digests_of
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.figures import (
    BETWEEN_MACHINES,
    Interval,
    Ratio,
    ratio_of_medians,
    ratio_of_pairs,
)
from macmeter.statistics.intervals import MINIMUM, Z
from macmeter.statistics.numbering import combination_ranks
from macmeter.statistics.strata import fewest_machines, ratio_in_strata
from macmeter.statistics.summary import medians_of

Method = Literal["pairs", "strata", "medians"]
_LEAST = catalog.PLAUSIBLE_MINIMUM
_UNLIKE_FIGURES = (
    "One side has several printed figures of one Mac that differ, and their middle is printed "
    "nowhere. Filter by what they differ in."
)


@dataclass(frozen=True)
class LikeRatio:
    """A ratio, its method, and the results compared; `crude` if that is a different one."""

    ratio: Ratio
    method: Method
    matched: Matched | None = None
    crude: Ratio | None = None

    @property
    def is_confounded(self) -> bool:
        return self.matched is not None and bool(self.matched.confounders)

    @property
    def unlike(self) -> dict[str, tuple[list[Value], list[Value]]]:
        """Values of both groups in each dimension in which they still differ."""
        matched = self.matched
        if matched is None:
            return {}
        sides = (matched.results.is_over, ~matched.results.is_over)
        return {
            name: tuple(matched.results.values_of(name, matched.counts & side) for side in sides)  # type: ignore[misc]
            for name in matched.unlike
        }


def ratio_of_like(
    group: Group,
    reference: Group,
    weight: str,
    compared: Collection[str],
    guests: pairs.Guests | None = None,
) -> LikeRatio:
    """Return the ratio of two groups, holding equal what else affects the metric.

    With `guests`, guests pair with their hosts. Raises NoRatio as `ratio_of_groups` does.
    """
    if pairs.same_results(group, reference):
        return LikeRatio(pairs.ratio_to_itself(group, weight), "pairs")
    results = Results(group, reference, frozenset(compared))
    logs, matched = _NO_PAIRS, None
    if guests is None:
        logs, matched = _pairs_of(results)
    else:
        guest_pairs = pairs.ratios_of_guests(group, reference, compared, guests)
        logs = guest_pairs._replace(ratios=np.log(guest_pairs.ratios))
        if not len(logs.ratios) and (refusal := pairs.has_no_counterpart(group, guests)):
            raise refusal
    if not len(logs.ratios):
        return _compare_in_strata(results, weight)
    paired = LikeRatio(_ratio_of(logs), "pairs", matched)
    try:
        strata = _compare_in_strata(results, weight)
    except pairs.NoRatio:
        return paired
    # The others take the effect to be the same in all models; so must the pairs, to be compared.
    independent = replace(paired, ratio=_ratio_of(logs._replace(models=None)))
    if not _is_more_precise(independent, strata):
        return strata
    crude = strata.ratio if strata.method == "medians" and strata.crude is None else strata.crude
    return replace(paired, crude=crude)


def _is_more_precise(paired: LikeRatio, strata: LikeRatio) -> bool:
    """Return whether pairs say more than `strata`; see the top of this module."""
    if paired.is_confounded != strata.is_confounded:
        return strata.is_confounded
    first, second = paired.ratio.interval, strata.ratio.interval
    if first is None and second is None:
        return 2 * (paired.ratio.pairs or 0) >= strata.ratio.fewest
    if first is None or second is None:
        return first is not None
    return first.high * second.low <= second.high * first.low


_NO_PAIRS = pairs.Paired(np.zeros(0), None)


def _pairs_of(results: Results) -> tuple[pairs.Paired, Matched | None]:
    """Pair results of one machine with the same drive and determinants; ratios are logarithms.

    If drives are compared, directly or by kind, they may differ.
    """
    if not results.share_machines:
        return _NO_PAIRS, None
    compared = results.compared
    must, may = candidates(results.over.grouped.selection.metric, compared)
    base = [results.owner, *(results.codes(name, determines=True) for name in must)]
    if "device" not in compared and not differs_by_nature("device", compared):
        base.append(results.drive)
    # Pairs are alike already, so none is given up for a dimension that doesn't differ within it.
    matched = make_alike(results, combination_ranks(base), (), may, of_pairs=True)
    return _logs_of_machines(matched) if matched.counts.any() else _NO_PAIRS, matched


def _ratio_of(logs: pairs.Paired) -> Ratio:
    return pairs.finite(ratio_of_pairs(*logs, are_logarithms=True))


def _logs_of_machines(matched: Matched) -> pairs.Paired:
    """Return the logarithm of each machine's ratio, the median if it has several."""
    cells = _machines_in_strata(matched)
    over, under = cells["over"], ~cells["over"]
    _, above, below = np.intersect1d(
        cells["stratum"][over], cells["stratum"][under], assume_unique=True, return_indices=True
    )
    above, below = np.flatnonzero(over)[above], np.flatnonzero(under)[below]
    # The same results on both sides mean that the group contains its reference: not a pair.
    usable = cells["digest"][above] != cells["digest"][below]
    usable &= np.minimum(cells["value"][above], cells["value"][below]) >= _LEAST
    above, below = above[usable], below[usable]
    logs = np.log(cells["value"][above]) - np.log(cells["value"][below])
    return pairs.medians_by(cells["owner"][above], logs, cells["model"][above])


def _compare_in_strata(results: Results, weight: str) -> LikeRatio:
    """Return the ratio of possibly different machines, within strata if there are several."""
    must, may = candidates(results.over.grouped.selection.metric, results.compared)
    matched = make_alike(results, np.zeros(len(results.owner), dtype=np.int64), must, may)
    crude = None
    if not results.prints_several:
        crude = pairs.crude_ratio(results.over, results.under, weight)
        if matched.holds_all:
            return LikeRatio(crude, "medians", matched)
    cells = _machines_in_strata(matched)
    usable = (cells["value"] >= _LEAST) & _has_both(cells, cells["value"] >= _LEAST)
    if not usable.any():
        raise pairs.NoRatio("zero", "One of the two figures is 0, so there is no ratio.")
    cells = {name: column[usable] for name, column in cells.items()}
    if len(np.unique(cells["stratum"])) == 1 and not results.prints_several:
        over, under = (_clusters(cells, cells["over"] == side) for side in (True, False))
        ratio = pairs.finite(ratio_of_medians(over, under, "machine"))
        return LikeRatio(ratio, "medians", matched, crude)
    # A machine without a model counts as a model of its own.
    cells["kind"] = np.where(cells["model"] < 0, -1 - cells["owner"], cells["model"])
    strata = ratio_in_strata(*(cells[k] for k in ("value", "stratum", "over", "owner", "kind")))
    fewest = fewest_machines(cells["over"], cells["owner"])
    limits = strata.limits(Z)
    interval = None
    if limits is not None and fewest >= MINIMUM:
        interval = Interval(*limits, BETWEEN_MACHINES)
    extras = strata.limits, strata.agreement
    ratio = pairs.finite(Ratio(strata.value, None, interval, fewest, *extras))
    return LikeRatio(ratio, "strata", matched, crude)


def _clusters(cells: Columns, chosen: Bools) -> Clusters:
    values = cells["value"][chosen]
    ones = np.ones(len(values), dtype=np.int64)
    return Clusters(values, ones, values, cells["model"][chosen])


def _has_both(cells: Columns, usable: Bools) -> Bools:
    """Whether the stratum of each cell has usable ones on both sides."""
    sides = (cells["stratum"][usable & (cells["over"] == side)] for side in (True, False))
    common = np.intersect1d(*sides)
    is_shared: Bools = np.isin(cells["stratum"], common)
    return is_shared


def _machines_in_strata(matched: Matched) -> Columns:
    """Return each machine's median `value` and a `digest` of its results, by side and stratum."""
    results = matched.results
    rows = np.flatnonzero(matched.counts[results.unit])
    units = results.unit[rows]
    columns = {
        "stratum": matched.strata,
        "over": results.is_over,
        "owner": results.owner,
        "model": results.model,
    }
    of = {name: column[units] for name, column in columns.items()} | {"value": results.values[rows]}
    order = np.lexsort([of[name] for name in ("value", "owner", "over", "stratum")])
    of = {name: column[order] for name, column in of.items()}
    numbers = combination_ranks([of["stratum"], of["over"].astype(np.int64), of["owner"]])
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    sizes = np.diff(starts, append=len(numbers))
    if results.prints_several and (of["value"][starts] != of["value"][starts + sizes - 1]).any():
        raise pairs.NoRatio("unlike_figures", _UNLIKE_FIGURES)
    first_values = {name: of[name][starts] for name in columns}
    digest = digests_of(numbers, results.runs[rows][order], results.series[rows][order])
    return {**first_values, "value": medians_of(of["value"], starts, sizes), "digest": digest}
