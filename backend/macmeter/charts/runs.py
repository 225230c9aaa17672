"""Runs as text, for lists and the page of a run, with figures formatted as in answers."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from macmeter import catalog
from macmeter.catalog import Trait
from macmeter.catalog.terms import Value
from macmeter.charts import numbers, words
from macmeter.charts.axes import zero_axis
from macmeter.charts.figure import Axis, Chart
from macmeter.charts.machines import Facts, facts_of_run
from macmeter.charts.notes import citation_text
from macmeter.charts.run_curves import curves_of
from macmeter.platform.isolation import Isolated
from macmeter.platform.schema import Exact
from macmeter.schemas.answer import Key
from macmeter.schemas.runs import ChiefFigure, FullRun, RunFigure, RunPage, RunResult, RunSummary

_TARGET = words.reading_order(catalog.having(Trait.TELLS_RUNS))
_Cell = Literal["n", "p50", "p10", "p90", "min", "max", "mean"]
_CELLS: tuple[_Cell, ...] = ("n", "p50", "p10", "p90", "min", "max", "mean")
_NO_FIGURE = "–"


@dataclass(frozen=True)
class ChiefWords:
    """A headline figure of the run: "7.66–7.81 GB/s", of "write speed"."""

    text: str
    of: str


@dataclass(frozen=True)
class RunWords:
    """`case` is what it ran on, `around` the system."""

    case: str
    machine: str
    around: str
    figures: tuple[ChiefWords, ...]


@dataclass(frozen=True)
class ResultWords:
    """`cells` are digits in `unit`; a dash where a printed figure has none."""

    name: str
    unit: str
    parameters: str
    """Parameters that distinguish it from the metric's other results."""
    shared: str
    """Parameters common to all results of the metric that state them."""
    cells: dict[str, str]


@dataclass(frozen=True)
class SamplesPanel:
    """Samples of one metric: values divided by `divisor` are in the axis' unit."""

    metric: str
    title: str
    divisor: float
    decimals: int
    across: Axis
    up: Axis


@dataclass(frozen=True)
class RunDetailWords(RunWords):
    """`results` and `published` are in the run's order; `curves` draw some of the results."""

    title: str
    citation: str
    """Article of a published figure; empty for a measured run."""
    document: str
    """Size of the document: "12.3 kB"."""
    results: tuple[ResultWords, ...]
    published: tuple[str, ...]
    samples: tuple[SamplesPanel, ...]
    curves: tuple[Chart, ...]
    facts: tuple[Facts, ...]


class ListedRun(RunSummary):
    """Run with its text for lists, `words`."""

    words: RunWords


class Runs(Exact):
    items: list[ListedRun]
    total: int
    next: str | None


class RunDetail(FullRun):
    """`machine`, `environment` and `target` as the agent sent them."""

    words: RunDetailWords


def render_runs(page: RunPage) -> Runs:
    """Add texts to a page of runs, leaving out runs that fail."""
    items, runs = [], Isolated("listing")
    for run in page["items"]:
        with runs.item(f"run {run['id']}"):
            items.append(listed_run(run))
    return {"items": items, "total": page["total"], "next": page["next"]}


def listed_run(run: RunSummary) -> ListedRun:
    return {**run, "words": words_of_run(run)}


def render_run(run: FullRun) -> RunDetail:
    """Add all texts to a run."""
    short = words_of_run(run)
    return {
        **run,
        "words": RunDetailWords(
            **vars(short),
            title=title_of(run, short),
            citation=citation_text(run["citation"]) if run["citation"] else "",
            document=numbers.quantity(run["document_bytes"], "B"),
            results=tuple(_results(run["results"])),
            published=tuple(_published(figure) for figure in run["published"]),
            samples=tuple(_panels(run["results"])),
            curves=curves_of(run),
            facts=facts_of_run(run),
        ),
    }


def words_of_run(run: RunSummary | FullRun) -> RunWords:
    around = ["in a VM"] if run["virtual"] else []
    if run["os_version"]:
        around.append(words.system_text(run["os_version"]))
    return RunWords(
        case=_case(run),
        machine=words.machine_title(run["machine"]),
        around=", ".join(around),
        figures=tuple(
            ChiefWords(
                chief_text(one) + "†" * (one["printed"] is not None),
                words.uncapitalised(words.metric_title(one["metric"])) + ", a ratio" * one["ratio"],
            )
            for one in run["chief"]
        ),
    )


def title_of(run: RunSummary | FullRun, short: RunWords) -> str:
    """Return what it ran on; for a run without storage, its suite and machine."""
    return short.case if run["storage"] else f"{run['suite'].capitalize()} on {short.machine}"


def chief_text(figure: ChiefFigure) -> str:
    """Format the range from its lowest result to its highest; a printed figure as printed."""
    if figure["printed"] is not None:
        return numbers.printed_in(figure["printed"], "")
    low, high = figure["low"], figure["high"]
    if low is None or high is None:
        return _NO_FIGURE
    if low == high:
        return numbers.quantity(high, figure["unit"])
    scale = numbers.scale_for(figure["unit"], [high])
    return numbers.with_unit(
        f"{numbers.in_unit(low, scale)}–{numbers.in_unit(high, scale)}", scale.symbol
    )


def _case(run: RunSummary | FullRun) -> str:
    if run["storage"] is None and run["encryption"] is None:
        return words.value_text("suite", run["suite"])
    return words.case_label(_TARGET, run)


def _results(results: list[RunResult]) -> Iterable[ResultWords]:
    """Yield texts of results; one metric's results share a unit, since they are listed together."""
    same: dict[str, list[RunResult]] = {}
    for result in results:
        same.setdefault(result["metric"], []).append(result)
    shared = {metric: _shared([r["parameters"] for r in rows]) for metric, rows in same.items()}
    for result in results:
        metric, parameters = result["metric"], result["parameters"]
        distinct = {name: value for name, value in parameters.items() if name not in shared[metric]}
        scale = numbers.scale_for(result["unit"], [r["p50"] for r in same[metric]])
        yield ResultWords(
            words.result_name(result["title"], parameters),
            scale.symbol,
            words.parameters_text(distinct),
            words.parameters_text(shared[metric]),
            {name: _cell(result, name, scale) for name in _CELLS},
        )


def _shared(parameters: list[Key]) -> Key:
    """Return the parameters that several results state, all with the same value.

    Results may lack them: idle threads have no quality of service. A parameter that only one result
    states distinguishes it.
    """
    stated: dict[str, list[Value]] = {}
    for name, value in (pair for key in parameters for pair in key.items()):
        stated.setdefault(name, []).append(value)
    return {
        name: values[0]
        for name, values in stated.items()
        if len(values) > 1 and len(set(values)) == 1
    }


def _cell(result: RunResult, name: _Cell, scale: numbers.Scale) -> str:
    """Format a cell; a printed figure appears once, with its printed digits."""
    if name == "n":
        return numbers.fixed(result["n"], 0)
    if result["printed"] is None:
        return numbers.in_unit(result[name], scale)
    if name != "p50":
        return _NO_FIGURE
    digits = f"{numbers.printed_in(result['printed'], scale.symbol)}†"
    return f"{result['qualifier']} {digits}" if result["qualifier"] else digits


def _published(figure: RunFigure) -> str:
    """Format a printed ratio or range: "about 98%† of Internal SSD"."""
    qualifier = figure.get("qualifier")
    text = f"{qualifier} {figure['printed']}†" if qualifier else f"{figure['printed']}†"
    is_ratio = figure["kind"] == "ratio"
    return f"{text} of {words.parameters_text(figure.get('to') or {})}" if is_ratio else text


def _panels(results: list[RunResult]) -> Iterable[SamplesPanel]:
    """Yield panels of metrics with ordered samples; those of one unit share an axis."""
    ordered = [
        result
        for result in results
        if result["positions"] and len(result["positions"]) == len(result["values"])
    ]
    tops: dict[str, float] = {}
    for result in ordered:
        tops[result["unit"]] = max(tops.get(result["unit"], 0.0), *result["values"])
    several = len(tops) > 1
    for metric in dict.fromkeys(result["metric"] for result in ordered):
        group = [result for result in ordered if result["metric"] == metric]
        if sum(len(result["values"]) for result in group) < 2:
            continue
        unit = group[0]["unit"]
        top = max(max(result["values"]) for result in group) if several else tops[unit]
        scale = numbers.scale_for(unit, [top])
        median = max(result["p50"] for result in group)
        yield SamplesPanel(
            metric,
            group[0]["title"],
            scale.divisor,
            numbers.decimals_for(median / scale.divisor),
            zero_axis((max(result["positions"] or [0]) for result in group), "Position in the run"),
            zero_axis([top / scale.divisor], scale.symbol),
        )


# Link previews truncate more figures than these.
_MOST = 3


def title_of_run(run: RunSummary) -> str:
    """Format "Disk run of Apple M4 Pro, 20 Nov 2026"."""
    chip = f" of {run['machine']['chip']}" if run["machine"]["chip"] else ""
    when = f", {numbers.day(run['started_at'])}" if run["started_at"] else ""
    kind = "Published" if run["source"] == "published" else run["suite"].capitalize()
    return f"{kind} run{chip}{when}"


def run_in_words(run: RunSummary) -> str:
    """Format "Write speed: 7.66 GB/s. Internal SSD, FileVault, macOS 26.4."."""
    sentences = []
    if run["withdrawn"]:
        sentences.append(f"Withdrawn: {run['withdrawn']['reason']}")
    doubts = [flag["sentence"] for flag in run["flags"] if flag["severity"] == "doubt"]
    if doubts:
        sentences.append(f"Doubted: it {words.listed(doubts)}.")
    sentences += [
        f"{words.metric_title(one['metric'])}: {chief_text(one)}." for one in run["chief"][:_MOST]
    ]
    target = {"storage": run["storage"], "encryption": run["encryption"]}
    stated = [words.value_text(name, value) for name, value in target.items() if value is not None]
    if run["os_version"]:
        stated.append(words.system_text(run["os_version"]))
    if stated:
        sentences.append(", ".join(stated) + ".")
    return " ".join(sentences) or "A run on Macmeter."
