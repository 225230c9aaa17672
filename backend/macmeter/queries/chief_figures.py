"""The figures that stand for a whole run in a list: one or two, whatever it measured."""

from __future__ import annotations

import math
import uuid
from collections.abc import Sequence

from macmeter import catalog
from macmeter.answers.runs import ChiefFigure
from macmeter.catalog import Role
from macmeter.reading.moment import Moment
from macmeter.reading.results import printed_of, ranges_of
from macmeter.reading.runs import StoredRun

MOST = 2
# Chief ones first, and else as the catalogue has them.
_RANKS = {
    name: (Role.CHIEF not in metric.roles, place)
    for place, (name, metric) in enumerate(catalog.METRICS.items())
}


async def chief_figures(
    moment: Moment, runs: Sequence[StoredRun]
) -> dict[uuid.UUID, list[ChiefFigure]]:
    """For each of these runs its chief metrics, from its lowest result to its highest.

    A run of which only a ratio or a range is printed has that, as it is printed.
    """
    keys = [run.key for run in runs]
    found: dict[uuid.UUID, list[ChiefFigure]] = {}
    for of in await ranges_of(moment, keys):
        if of.metric not in _RANKS or not math.isfinite(of.high - of.low):
            continue  # another version's: there are no words for it
        alone = of.results == 1
        found.setdefault(of.run_id, []).append(
            _figure(of.metric, of.printed if alone else None, of.low, of.high, of.results)
        )
    for printed in await printed_of(moment, keys):
        if printed.run_id not in found and printed.metric in _RANKS:
            figure = _figure(printed.metric, printed.printed, None, None, 0)
            found[printed.run_id] = [{**figure, "ratio": printed.kind == "ratio"}]
    for figures in found.values():
        figures.sort(key=lambda figure: _RANKS[figure["metric"]])
        del figures[MOST:]
    return found


def _figure(
    metric: str, printed: str | None, low: float | None, high: float | None, results: int
) -> ChiefFigure:
    return {
        "metric": metric,
        "unit": catalog.METRICS[metric].unit.value,
        "low": low,
        "high": high,
        "results": results,
        "printed": printed,
        "ratio": False,
    }
