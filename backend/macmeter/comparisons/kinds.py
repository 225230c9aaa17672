"""The two kinds of answers that a comparison stores, and common operations on their figures: groups
of a question's answer or cells of sides.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.scope import Principal
from macmeter.catalog.terms import Value
from macmeter.charts.filters import values_in_words
from macmeter.comparisons.pinned import KEPT_MACHINES, FrozenMetric
from macmeter.questions.answer import answer
from macmeter.questions.compare import compare
from macmeter.questions.grouped import Key as GroupKey
from macmeter.questions.question import parse_query
from macmeter.questions.relative import reference_question
from macmeter.questions.sides import asks_for_sides, parse_sides
from macmeter.schemas.answer import Answer, Group, RatioResponse
from macmeter.schemas.comparisons import Change, FrozenAnswer
from macmeter.schemas.sides import Compared, FilledCell, compares_sides, filled_cells, is_filled

Figure = Group | FilledCell
Key = tuple[object, ...]
"""Identity of a figure within its answer."""
T = TypeVar("T", Answer, Compared)
# The format is part of a comparison's content hash: numbers keep their meaning forever.
QUESTION, SIDES = 1, 2

# What makes a saved comparison "changed", and nothing else: not statistics or columns added later,
# nor other wording, flags, intervals or verdicts of the same data.
_STATISTICS = ("mean", "median", "min", "p10", "p25", "p75", "p90", "max")
_RATIO = ("value", "pairing", "pairs")
_COUNTS = ("machines", "runs", "samples")
# Thousands of units in the last place, and far less than figures show.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Observed:
    """A figure's numbers, or its `printed` digits; and the `counts` of what is behind it."""

    numbers: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, Any] = field(default_factory=dict)
    printed: tuple[str, ...] = ()

    def has_changed(self, before: Observed | None) -> bool:
        if before is None or self.printed != before.printed:
            return True
        return not _are_equal(self.numbers, before.numbers)


class Kind(ABC, Generic[T]):
    """A kind of answer that can be frozen, of type T. Questions are query strings."""

    name: str
    question_field: str
    """Field of a frozen answer with its question."""

    @abstractmethod
    def canonical(self, query: str) -> str: ...

    @abstractmethod
    async def compute(
        self, connection: AsyncConnection, query: str, reader: Principal | None, now: datetime
    ) -> T: ...

    @abstractmethod
    def metrics(self, query: str) -> Iterator[FrozenMetric]: ...

    @abstractmethod
    def keyed_figures(self, response: T) -> Iterator[tuple[Key, Figure]]:
        """Yield all figures in the order of their numbers."""

    @abstractmethod
    def group_key(self, item: FrozenMetric, key: GroupKey) -> Key:
        """Return the key that `keyed_figures` gives to the figure of a group."""

    @abstractmethod
    def reveals(self, frozen: T, run_id: str) -> bool:
        """Whether a figure with too few machines to survive depends on the run.

        For comparisons from older versions, which name all their runs.
        """

    def figures(self, response: T) -> dict[Key, Observed]:
        """Return an answer's numbers, ignoring wording, derivation and intervals."""
        return {key: _observed(figure) for key, figure in self.keyed_figures(response)}

    def number_of(self, frozen: T) -> Callable[[FrozenMetric, GroupKey], int | None]:
        """Return a function from a group to its figure's number; None if it has no figure."""
        numbers = {key: number for number, (key, _) in enumerate(self.keyed_figures(frozen))}
        return lambda metric, key: numbers.get(self.group_key(metric, key))


class _Answers(Kind[Answer]):
    """Kind of a question's answer."""

    name = question_field = "question"

    def canonical(self, query: str) -> str:
        return parse_query(query).canonical

    async def compute(
        self, connection: AsyncConnection, query: str, reader: Principal | None, now: datetime
    ) -> Answer:
        return await answer(connection, parse_query(query), reader, now)

    def metrics(self, query: str) -> Iterator[FrozenMetric]:
        question = parse_query(query)
        for metric in question.metrics:
            metric_question = question.of_metric(metric)
            reference = reference_question(metric_question) if metric_question.relative_to else None
            across = any(term.dimension == "virtual" for term in metric_question.relative_to)
            yield FrozenMetric(metric, metric_question, reference, across)

    def keyed_figures(self, response: Answer) -> Iterator[tuple[Key, Group]]:
        for result in response["results"]:
            for group in result["groups"]:
                method = group["published"], group["method"], group["method_version"]
                yield (result["metric"], _by_name(group["key"]), *method), group

    def group_key(self, item: FrozenMetric, key: GroupKey) -> Key:
        dimensions = _by_name(dict(zip(item.question.by, key.by, strict=True)))
        return (item.metric, dimensions, key.published, key.method, key.method_version)

    def figures(self, response: Answer) -> dict[Key, Observed]:
        """Return numbers, including ratios, whose references may not be groups, and printed digits,
        possibly several for one thing. Fits follow from the groups' medians.
        """
        figures = super().figures(response)
        for key, group in self.keyed_figures(response):
            if (ratio := group.get("ratio")) is not None:
                numbers = {**figures[key].numbers, "ratio": _selected(ratio, _RATIO)}
                figures[key] = replace(figures[key], numbers=numbers)
        digits: dict[Key, list[str]] = defaultdict(list)
        for result in response["results"]:
            for figure in result["published"]:
                sides = _by_name(figure.get("of", {})), _by_name(figure.get("to", {}))
                key = result["metric"], figure["run_id"], _by_name(figure["parameters"]), *sides
                digits[key].append(figure["printed"])
        printed = {key: Observed(printed=tuple(sorted(texts))) for key, texts in digits.items()}
        return {**figures, **printed}

    def reveals(self, frozen: Answer, run_id: str) -> bool:
        groups = [group for _, group in self.keyed_figures(frozen)]
        depending = [group for group in groups if _may_depend_on(group, run_id)]
        if any(_is_of_few_machines(group) for group in depending):
            return True
        with_few_pairs = [group for group in groups if is_of_few_pairs(group)]
        if any(group in depending or refers_to(group, depending) for group in with_few_pairs):
            return True
        # References are known to have enough machines only if they are groups too.
        question = frozen["question"]
        references = {term["dimension"] for term in question["relative_to"]}
        return not depending or not references <= set(question["by"])


class _Sides(Kind[Compared]):
    """Kind of a comparison of sides."""

    name = "sides"
    # Part of a published format, so it can't be renamed.
    question_field = "comparison"

    def canonical(self, query: str) -> str:
        return parse_sides(query).canonical

    async def compute(
        self, connection: AsyncConnection, query: str, reader: Principal | None, now: datetime
    ) -> Compared:
        return await compare(connection, parse_sides(query), reader, now, values_in_words)

    def metrics(self, query: str) -> Iterator[FrozenMetric]:
        sides = parse_sides(query)
        across = any(term.dimension == "virtual" for side in sides.sides for term in side.terms)
        baseline = next(side for side in sides.sides if side.number == sides.baseline)
        for metric, fixed in sides.metrics:
            for side in sides.sides:
                question = sides.question(metric, fixed, side)
                reference = sides.question(metric, fixed, baseline) if side != baseline else None
                yield FrozenMetric(metric, question, reference, across, fixed, side.number)

    def keyed_figures(self, response: Compared) -> Iterator[tuple[Key, FilledCell]]:
        # Without ratios: they follow from the cells and would count a change twice.
        for row in response["rows"]:
            method = row["published"], row["method"], row["method_version"]
            for cell in filled_cells(row):
                yield (row["metric"], _by_name(row["parameters"]), *method, cell["side"]), cell

    def group_key(self, item: FrozenMetric, key: GroupKey) -> Key:
        parameters = _by_name({term.dimension: term.value for term in item.fixed})
        return (item.metric, parameters, key.published, key.method, key.method_version, item.side)

    def reveals(self, frozen: Compared, run_id: str) -> bool:
        baseline, depends = frozen["comparison"]["baseline"], False
        for row in frozen["rows"]:
            for cell in filled_cells(row):
                if not _may_depend_on(cell, run_id):
                    continue
                depends = True
                # A ratio depends on its own cell and on the baseline's.
                affected = filled_cells(row) if cell["side"] == baseline else [cell]
                if _is_of_few_machines(cell) or any(is_of_few_pairs(other) for other in affected):
                    return True
        return not depends


KINDS: dict[int, Kind[Any]] = {QUESTION: _Answers(), SIDES: _Sides()}


def format_of(query: str) -> int:
    return SIDES if asks_for_sides(query) else QUESTION


def figures_of(response: FrozenAnswer) -> Iterator[Figure]:
    """Yield all figures of an answer in the order of their numbers."""
    if compares_sides(response):
        yield from (cell for row in response["rows"] for cell in row["cells"] if is_filled(cell))
    else:
        yield from (group for result in response["results"] for group in result["groups"])


def is_empty(response: FrozenAnswer) -> bool:
    results = () if compares_sides(response) else response["results"]
    return not (any(True for _ in figures_of(response)) or any(r["published"] for r in results))


def _by_name(values: Mapping[str, Value]) -> frozenset[tuple[str, Value]]:
    """Return dimensions and values as part of a key, independent of the order in stored JSON."""
    return frozenset(values.items())


def _observed(figure: Figure) -> Observed:
    return Observed(_selected(figure, _STATISTICS), _selected(figure, _COUNTS))


def _selected(values: Mapping[str, object], names: tuple[str, ...]) -> dict[str, object]:
    return {name: values[name] for name in names if name in values}


def _are_equal(left: Any, right: Any) -> bool:
    """Whether values are equal, ignoring rounding: sums depend on the order of terms."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        names = left.keys() | right.keys()
        return all(_are_equal(left.get(name), right.get(name)) for name in names)
    if isinstance(left, float) and isinstance(right, float):
        return math.isclose(left, right, rel_tol=_ROUNDING)
    return bool(left == right)


def change(before: Mapping[Key, Observed], after: Mapping[Key, Observed]) -> Change | None:
    """Count figures that changed, appeared or disappeared; give the most extreme ratio of medians.

    None without a difference; 0 figures if only the counts behind them differ.
    """
    pairs = [(before.get(key), after.get(key)) for key in before.keys() | after.keys()]
    changed = [(then, now) for then, now in pairs if now is None or now.has_changed(then)]
    if not changed and all(then and now and then.counts == now.counts for then, now in pairs):
        return None
    groups = sum(not (then or now or Observed()).printed for then, now in changed)
    # A half is as extreme as a double.
    largest = max(_ratios(changed), key=lambda ratio: abs(math.log(ratio)), default=None)
    return {"groups": groups, "published": len(changed) - groups, "largest": largest}


def _ratios(pairs: Iterable[tuple[Observed | None, Observed | None]]) -> Iterator[float]:
    for then, now in pairs:
        before, after = (figure.numbers.get("median") if figure else None for figure in (then, now))
        if before and after and 0 < after / before < math.inf:
            yield after / before


def _may_depend_on(figure: Figure, run_id: str) -> bool:
    """Whether a figure may depend on a run: it names all of its runs only if they are few."""
    run_ids = figure.get("run_ids", [])
    return run_id in run_ids or len(run_ids) < figure["runs"]


def _is_of_few_machines(figure: Figure) -> bool:
    return figure["machines"] < KEPT_MACHINES


def is_of_few_pairs(figure: Figure) -> bool:
    """Whether the figure's ratio is of so few pairs or machines that it reveals single ones."""
    ratio = figure.get("ratio")
    return ratio is not None and machines_behind(ratio, KEPT_MACHINES) < KEPT_MACHINES


def machines_behind(ratio: RatioResponse, default: int) -> int:
    """Return a ratio's number of pairs, or of machines on the smaller side within strata;
    `default` if it includes all machines of both groups.
    """
    counts = [ratio.get("pairs", default)]
    if (likeness := ratio.get("likeness")) is not None:
        counts.append(likeness.get("machines", default))
        counts.append(likeness.get("reference_machines", default))
    return min(counts)


def refers_to(group: Group, others: Iterable[Group]) -> bool:
    """Whether the reference of the group's ratio is one of these groups."""
    if "ratio" not in group:
        return False
    reference = group["ratio"]["reference_key"].items()
    return any(reference <= other["key"].items() for other in others)
