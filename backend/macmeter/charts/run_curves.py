"""Lines of a run's results along a sample parameter: speed by file size, time by threads."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple, cast

from macmeter import catalog
from macmeter.catalog import Trait
from macmeter.charts import axes, words
from macmeter.charts.cases import on_axis, span_on_axis
from macmeter.charts.colours import MARKS, colour_of, distinguished, key_of_lines, panels_of
from macmeter.charts.figure import Axis, Boundary, Chart, LinePoint, Panel, Series
from macmeter.charts.numbers import Scale, in_unit, scale_for, with_unit
from macmeter.schemas.answer import Key
from macmeter.schemas.runs import FullRun, RunResult

# In nearly every run, a context implies its quality of service, and a kernel its loops.
_REDUNDANT = ("qos", "loops")
# Two points are a difference; a curve needs a third.
_FEWEST = 3


def curves_of(run: FullRun) -> tuple[Chart, ...]:
    """Return a chart for each unit and axis with metrics measured at several places."""
    by_axis: dict[tuple[str, str], list[RunResult]] = {}
    for result in run["results"]:
        if axis := _axis_of(result):
            by_axis.setdefault((result["unit"], axis), []).append(result)
    return tuple(
        _chart(run, axis, results)
        for (_, axis), results in by_axis.items()
        if len({result["parameters"][axis] for result in results}) >= _FEWEST
    )


def _axis_of(result: RunResult) -> str | None:
    """Return the first parameter that lines are drawn along; None for a printed figure."""
    if result["printed"] is not None:
        return None
    ordered = words.reading_order(result["parameters"])
    return next((name for name in ordered if catalog.has(name, Trait.AXIS)), None)


class _ChartContext(NamedTuple):
    """Common properties of a chart's lines."""

    run: FullRun
    axis: str
    across: Axis
    scale: Scale


def _chart(run: FullRun, axis: str, results: Sequence[RunResult]) -> Chart:
    scale = scale_for(results[0]["unit"], [result["p50"] for result in results])
    positions = [_position(result, axis) for result in results]
    across = axes.dimension_axis(
        positions, words.dimension_title(axis), lambda position: words.value_text(axis, position)
    )
    reach = [on_axis(end, scale) for one in results for end in (one["p10"], one["p50"], one["p90"])]
    up = axes.axis_of_values(reach, "figure", scale.symbol)
    metrics = [*dict.fromkeys(result["metric"] for result in results)]
    context = _ChartContext(run, axis, across, scale)
    panels = [
        panel
        for metric in metrics
        for panel in _panels(context, [result for result in results if result["metric"] == metric])
    ]
    return Chart(
        kind="lines",
        title=_title(metrics, axis),
        unit=scale.symbol,
        measure="figure",
        up=up,
        text=f"{_title(metrics, axis)}. The same figures are in a table of this page.",
        across=across,
        panels=tuple(panels),
        key=key_of_lines(panels, "figure", axis, up),
    )


def _title(metrics: Sequence[str], axis: str) -> str:
    """Return a title such as "Write and read speed by file size"."""
    title, ending = (
        words.metrics_title(metrics),
        f" by {words.uncapitalised(words.dimension_title(axis))}",
    )
    return title if title.endswith(ending) else title + ending


def _panels(context: _ChartContext, results: Sequence[RunResult]) -> Iterable[Panel]:
    """Yield the panels of one metric; many lines are divided by a parameter."""
    metric = results[0]["metric"]
    names = _distinguishing(context.axis, results)

    def order(result: RunResult) -> tuple[object, ...]:
        return words.key_order(names, result["parameters"])

    lines = [list(group) for _, group in groupby(sorted(results, key=order), key=order)]
    keys = [line[0]["parameters"] for line in lines]
    title = words.metric_title(metric)
    for subtitle, indices in panels_of(keys, names, len(lines)).items():
        series = [_series(context, lines[index], names) for index in indices]
        boundaries = _boundaries(context, [keys[index] for index in indices], series)
        yield Panel(
            " · ".join(filter(None, [title, subtitle])), tuple(distinguished(series)), boundaries
        )


def _boundaries(
    context: _ChartContext, keys: Sequence[Key], series: Sequence[Series]
) -> tuple[Boundary, ...]:
    """Return where lines bend: at a file size, or where a tier of this Mac's cores is full."""
    run, axis, across, _ = context
    if axis == axes.FILE_SIZE:
        return axes.bends_of(series)
    if axis != axes.THREADS or run["virtual"]:
        return ()
    contexts = {key.get("core_context") for key in keys}
    return axes.machine_boundaries(run["machine"], contexts, across)


def _distinguishing(axis: str, results: Sequence[RunResult]) -> list[str]:
    """Return the parameters that distinguish lines, without redundant ones."""
    names = words.reading_order({name for one in results for name in one["parameters"]} - {axis})

    def lines(subset: Sequence[str]) -> int:
        return len({tuple(result["parameters"].get(name) for name in subset) for result in results})

    for name in [name for name in _REDUNDANT if name in names]:
        others = [other for other in names if other != name]
        if lines(others) == lines(names):
            names = others
    return names


def _series(context: _ChartContext, results: Sequence[RunResult], names: Sequence[str]) -> Series:
    run, axis, _, scale = context
    parameters = results[0]["parameters"]
    key = {name: parameters[name] for name in names if name in parameters}
    storage = {} if run["storage"] is None else {"storage": run["storage"]}
    ordered = sorted(results, key=lambda result: _position(result, axis))
    points = tuple(_point(result, axis, scale) for result in ordered)
    label = words.case_label(names, key) or words.metric_title(results[0]["metric"])
    return Series(label, MARKS[0], (points,), colour=colour_of(key or storage))


def _point(result: RunResult, axis: str, scale: Scale) -> LinePoint:
    position = _position(result, axis)
    spread = None if result["p10"] == result["p90"] else (result["p10"], result["p90"])
    return LinePoint(
        position,
        on_axis(result["p50"], scale),
        f"{result['metric']} {sorted(result['parameters'].items())}",
        with_unit(in_unit(result["p50"], scale), scale.symbol),
        band=span_on_axis(spread, scale),
        doubted=any(flag["severity"] == "doubt" for flag in result["flags"]),
    )


def _position(result: RunResult, axis: str) -> float:
    return float(cast(float, result["parameters"][axis]))
