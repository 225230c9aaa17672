"""Comparison of sides: figures, ratios to the baseline, and reasons against a ratio.

Every row is one metric under one set of parameters by one method: published and measured figures,
methods and their versions never share a row, so no ratio joins them. Unintended differences between
sides are marked; if they make the figures incomparable, the ratio is refused with a reason.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.accounts.scope import Principal
from macmeter.catalog import Trait
from macmeter.catalog.terms import CRUDE, Op, Term, Value
from macmeter.documents.derive import DERIVATION_VERSION
from macmeter.questions import notes
from macmeter.questions.answer import (
    derivations_of,
    describe_figures,
    describe_term,
    drop_unspecified,
)
from macmeter.questions.grouped import Key
from macmeter.questions.groups import Group, groups_of, selection_of
from macmeter.questions.like_with_like import LikeRatio, ratio_of_like
from macmeter.questions.pairs import Guests, NoRatio, ratio_of_groups
from macmeter.questions.printed import PublishedSources, fetch_sources
from macmeter.questions.question import Question
from macmeter.questions.relative import described, described_like, geometric_mean, judge_together
from macmeter.questions.run_counter import RunCounter, excluded_from
from macmeter.questions.sides import Side, SidesQuestion
from macmeter.questions.strata import Matched
from macmeter.results.context import Reading, as_of, begin_reading
from macmeter.results.dataset.rows import read_together
from macmeter.results.dataset.runs import shared_runs
from macmeter.results.machines import GuestHosts, fetch_guest_hosts
from macmeter.schemas import sides as shapes
from macmeter.schemas.answer import Note, RatioResponse, Unlike

WatchedValues = dict[str, list[Value]]

_WATCHED = catalog.having(Trait.WATCHED)
_SAME_FOR_IMAGES = catalog.having(Trait.IMAGES_APART)


FormatFilters = Callable[[Sequence[Term]], str]
"""Function from filters to text, which names a side without a label."""


@dataclass(frozen=True)
class _Cell:
    """A side's part of a row; `watched_values` also cover unspecified machines, `group` may not."""

    question: Question
    side: Side
    key: Key
    group: Group
    watched_values: WatchedValues
    sources: PublishedSources

    @property
    def side_dimensions(self) -> set[str]:
        return {term.dimension for term in self.side.terms}

    @property
    def has_images(self) -> bool:
        return "disk_image" in self.watched_values["storage"]


@dataclass(frozen=True)
class _Table:
    """Shared state of all rows."""

    reading: Reading
    query: SidesQuestion
    hosts: GuestHosts | None
    run_counter: RunCounter
    """Runs behind the figures so far."""
    includes_bias: bool
    """Whether ratios say what a possible cause does elsewhere, which rests on other runs."""
    groups: list[Group] = field(default_factory=list)
    """Groups of these figures."""
    ratios: list[tuple[RatioResponse, LikeRatio]] = field(default_factory=list)
    """Ratios of like with like."""


async def compare(
    connection: AsyncConnection,
    query: SidesQuestion,
    reader: Principal | None,
    now: datetime,
    format_filters: FormatFilters,
) -> shapes.Compared:
    """Return the comparison as JSON, to be kept; deterministic except for `as_of`."""
    moment = await as_of(connection, now)
    return await compare_of(await begin_reading(connection, reader), query, moment, format_filters)


async def compare_of(
    reading: Reading,
    query: SidesQuestion,
    moment: datetime,
    format_filters: FormatFilters,
    *,
    includes_bias: bool = False,
) -> shapes.Compared:
    """Compare as `compare` does, in a snapshot that is already open.

    `includes_bias` adds what possible causes do elsewhere. It rests on runs of neither side, which
    a frozen comparison doesn't know, and so is never kept.
    """
    rows: list[shapes.Row] = []
    hosts = await fetch_guest_hosts(reading) if "virtual" in _compared(query) else None
    table = _Table(reading, query, hosts, RunCounter(reading.data), includes_bias)
    read_together(
        reading.data,
        [
            selection_of(reading, question, pairs=True).row_selection
            for metric, fixed in query.metrics
            for question in (query.question(metric, fixed, side) for side in query.sides)
        ],
    )
    for metric, fixed in query.metrics:
        rows += await _rows(table, metric, fixed)
    judge_together(table.ratios)
    return {
        "comparison": describe(query, format_filters),
        "as_of": moment.isoformat(timespec="seconds"),
        "derivation_version": DERIVATION_VERSION,
        "runs": len(table.run_counter),
        "rows": rows,
        "geometric_mean": geometric_mean(query, rows),
        "notes": [
            *notes.of_derivations(derivations_of(table.groups)),
            *_notes(query.version, rows),
        ],
    }


def describe(query: SidesQuestion, format_filters: FormatFilters) -> shapes.SidesQuestionResponse:
    """Return the question as JSON; `format_filters` names sides without a label."""
    return {
        "canonical": query.canonical,
        "metrics": [
            {"metric": name, "parameters": {term.dimension: term.value for term in fixed}}
            for name, fixed in query.metrics
        ],
        "sides": [
            {
                "number": side.number,
                "label": side.label or format_filters(side.terms),
                "where": [describe_term(term) for term in side.terms],
            }
            for side in query.sides
        ],
        "where": [describe_term(term) for term in query.where],
        "baseline": query.baseline,
        "weight": query.weight,
        "flagged": query.flagged,
        "version": query.version,
    }


async def _rows(table: _Table, metric: str, fixed: tuple[Term, ...]) -> list[shapes.Row]:
    """Return a row for each method of a metric; add the runs behind its figures to the table."""
    reading, query = table.reading, table.query
    by_key: dict[Key, dict[int, _Cell]] = {}
    excluded: list[shapes.ExcludedOfSide] = []
    for side in query.sides:
        question = query.question(metric, fixed, side)
        groups = groups_of(reading, question, pairs=True)
        counted, _ = drop_unspecified(reading, groups)
        sources = await fetch_sources(reading, counted)
        for group_key, group in counted.items():
            cell = _Cell(
                question, side, group_key, group, groups[group_key].watched_values, sources
            )
            by_key.setdefault(group_key, {})[side.number] = cell
            table.groups.append(group)
        table.run_counter.add_groups(counted.values())
        left_out = await excluded_from(reading, question)
        excluded += [{"side": side.number, **reason} for reason in left_out]
    ordered = sorted(by_key, key=lambda key: (-len(by_key[key]), key.published, repr(key)))
    rows = []
    # A metric without results still gets a row, with all cells missing.
    keys: list[Key | None] = [*ordered] or [None]
    for key in keys:
        cells = by_key[key] if key is not None else {}
        entry = catalog.METRICS[metric]
        row: shapes.Row = {
            "metric": metric,
            "title": entry.title,
            "unit": entry.unit.value,
            "better": entry.better,
            "parameters": {term.dimension: term.value for term in fixed},
            "published": key.published if key else None,
            "method": key.method if key else None,
            "method_version": key.method_version if key else None,
            "cells": [],
            "excluded": excluded,
        }
        for side in query.sides:
            side_cell = cells.get(side.number)
            if side_cell is None or key is None:
                row["cells"].append({"side": side.number, "missing": _missing(side, key, by_key)})
            else:
                baseline = cells.get(query.baseline)
                row["cells"].append(_filled_cell(table, key, side_cell, baseline))
        rows.append(row)
    return rows


def _missing(side: Side, key: Key | None, by_key: dict[Key, dict[int, _Cell]]) -> Note:
    elsewhere = [other for other, cells in by_key.items() if side.number in cells]
    if not elsewhere or key is None:
        return {"code": "not_measured", "text": "Nothing measured here answers this."}
    names = ", ".join(sorted({f"{other.method} {other.method_version}" for other in elsewhere}))
    kinds = {other.published for other in elsewhere}
    if key.published not in kinds:
        what = "published" if True in kinds else "measured"
        return {
            "code": "other_source",
            "text": f"Only {what} figures are available ({names}); see their own row.",
        }
    return {
        "code": "other_method",
        "text": f"Measured with another method ({names}), which has its own row.",
    }


def _filled_cell(table: _Table, key: Key, cell: _Cell, baseline: _Cell | None) -> shapes.FilledCell:
    figures = describe_figures(cell.question, key, cell.group, cell.sources)
    filled = cast(shapes.FilledCell, {"side": cell.side.number, **figures})
    if cell.side.number != table.query.baseline:
        try:
            filled["ratio"] = _ratio(table, cell, baseline)
        except NoRatio as reason:
            filled["no_ratio"] = reason.refusal
    return filled


def _ratio(table: _Table, cell: _Cell, baseline: _Cell | None) -> shapes.SideRatio:
    query = table.query
    if baseline is None:
        raise NoRatio("no_baseline", "The baseline has no result in this row.")
    if not len(cell.group.named) or not len(baseline.group.named):
        text = "The source doesn't name the Mac, so both sides may be the same one."
        raise NoRatio("machine_unstated", text)
    guests = Guests(table.hosts) if table.hosts is not None else None
    arguments = (cell.group.named, baseline.group.named, query.weight, _compared(query), guests)
    shared = _count_shared_runs(table.reading, cell, baseline)
    if query.version == CRUDE:
        _require_alike(cell, baseline)
        ratio = described(ratio_of_groups(*arguments))
        caveats = {"unlike": _unlike(cell, baseline), "shared_runs": shared}
        return cast(shapes.SideRatio, {**ratio, **caveats})
    like = ratio_of_like(*arguments)
    _require_alike(cell, baseline, like.matched)
    ratio, unlike = described_like(like)
    response = cast(shapes.SideRatio, {**ratio, "unlike": unlike, "shared_runs": shared})
    if (
        table.includes_bias
        and like.is_confounded
        and (bias := _bias(table, cell, like)) is not None
    ):
        response["bias"] = bias
    table.ratios.append((response, like))
    return response


def _bias(table: _Table, cell: _Cell, like: LikeRatio) -> shapes.Bias | None:
    """Return the ratio that the only confounder causes by itself, among results of any side.

    None if there are several, or if that ratio is confounded too or has no interval.
    """
    query, question = table.query, cell.question
    causes = like.matched.confounders if like.matched is not None else []
    values = [like.unlike[name] for name in causes]
    if len(causes) != 1 or any(len(side) != 1 or None in side for side in values[0]):
        return None
    (name,), (sides,) = causes, values
    chosen = {*_compared(query), name}
    other_terms = tuple(term for term in question.where if term.dimension not in chosen)
    compared_groups: list[Group] = []
    for (value,) in sides:
        where = tuple(sorted((*other_terms, Term(name, Op.IS, value)), key=str))
        groups = groups_of(table.reading, replace(question, where=where), pairs=True)
        compared_groups += [group.named for key, group in groups.items() if key == cell.key]
    if len(compared_groups) < len(sides) or not all(len(group) for group in compared_groups):
        return None
    try:
        cause = ratio_of_like(compared_groups[0], compared_groups[1], query.weight, {name})
    except NoRatio:
        return None
    if cause.is_confounded or cause.ratio.interval is None:
        return None
    low, high = cause.ratio.interval.low, cause.ratio.interval.high
    return {"dimension": name, "value": cause.ratio.value, "ci_low": low, "ci_high": high}


def _compared(query: SidesQuestion) -> set[str]:
    """Return the dimensions that distinguish sides, the only ones in which pairs may differ."""
    return {term.dimension for side in query.sides for term in side.terms}


def _require_alike(cell: _Cell, baseline: _Cell, matched: Matched | None = None) -> None:
    """Refuse a ratio of disk images that would mix incomparable ones."""
    for name in _SAME_FOR_IMAGES:
        if matched is not None and matched.holds(name):
            continue
        title = catalog.DIMENSIONS[name].title.lower()
        for each in (cell, baseline):
            if each.has_images and len(each.watched_values[name]) > 1:
                text = (
                    f"Side {each.side.number} mixes disk images with several values of {title}. "
                    "Filter it to one."
                )
                raise _refusal(f"mixed_{name}", text, name, (cell, baseline))
        differ = cell.watched_values[name] != baseline.watched_values[name]
        is_intended = name in cell.side_dimensions | baseline.side_dimensions
        if cell.has_images and baseline.has_images and differ and not is_intended:
            text = (
                f"Disk images are compared only if {title} is the same or is the difference "
                "you chose. Filter to one, or let it be what tells the sides apart."
            )
            raise _refusal(f"other_{name}", text, name, (cell, baseline))


def _refusal(code: str, text: str, name: str, cells: tuple[_Cell, _Cell]) -> NoRatio:
    """Refuse a ratio, suggesting filters for values that both sides have."""
    values, others = (cell.watched_values[name] for cell in cells)
    common: list[Value] = [value for value in values if value is not None and value in others]
    return NoRatio(code, text, {"dimension": name, "values": common})


def _unlike(cell: _Cell, baseline: _Cell) -> list[Unlike]:
    """Return unintended differences between the sides."""
    intended = cell.side_dimensions | baseline.side_dimensions
    return [
        {
            "dimension": name,
            "title": catalog.DIMENSIONS[name].title,
            "of": cell.watched_values[name],
            "to": baseline.watched_values[name],
        }
        for name in _WATCHED
        if name not in intended and cell.watched_values[name] != baseline.watched_values[name]
    ]


def _count_shared_runs(reading: Reading, cell: _Cell, baseline: _Cell) -> int:
    """Count the runs on both sides, which make these dependent."""
    return shared_runs(*(selection_of(reading, side.question) for side in (cell, baseline)))


def _power_notes(rows: list[shapes.Row]) -> list[Note]:
    """Return one note if any of the rows' metrics is power."""
    power_notes = (notes.of_power(row["metric"], shapes.filled_cells(row)) for row in rows)
    return next(filter(None, power_notes), [])


def _metric_of(row: shapes.Row) -> str:
    """Return the metric with its parameters, as the question names it."""
    return repr((row["metric"], sorted(row["parameters"].items())))


def _notes(version: int, rows: list[shapes.Row]) -> list[Note]:
    figures = [cell for row in rows for cell in shapes.filled_cells(row)]
    ratios = [cell["ratio"] for cell in figures if "ratio" in cell]
    all_notes = list(notes.of_mixes(figures, "figures"))
    all_notes += _power_notes(rows)
    judged = sum(ratio["verdict"]["answer"] != "not_enough" for ratio in ratios)
    if judged > 1 and version == CRUDE:
        text = (
            f"Each of the {judged} verdicts can be wrong: of 20 equal pairs, about one is called "
            "different."
        )
        all_notes.append({"code": "many_verdicts", "text": text})
    elif judged > 1:
        text = f"Verdicts are corrected for {judged} comparisons (Holm); intervals are not."
        all_notes.append({"code": "corrected", "text": text})
    # What is left out of a metric is missing from all of its rows together.
    runs: Counter[str] = Counter()
    for row in rows:
        runs[_metric_of(row)] += sum(cell["runs"] for cell in shapes.filled_cells(row))
    incomplete = (notes.of_incomplete(row["excluded"], runs[_metric_of(row)]) for row in rows)
    all_notes += [note for row_notes in incomplete for note in row_notes][:1]
    all_notes += notes.of_likeness(version, ratios)
    all_notes += notes.of_paired(ratios)
    return all_notes + notes.fixed_notes(
        unlike=version == CRUDE and any(ratio["unlike"] for ratio in ratios),
        shared_runs=any(ratio["shared_runs"] for ratio in ratios),
        unpaired=any(ratio["pairing"] == "unpaired" for ratio in ratios),
    )
