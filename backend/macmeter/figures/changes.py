"""An answer as it was frozen beside today's: each figure of both, and how it has changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from macmeter.answers.answer import Answer, Figures
from macmeter.answers.comparisons import Change
from macmeter.answers.exact import Exact, exact
from macmeter.answers.sides import Compared, is_filled, is_sides
from macmeter.figures.axes import ratio_axis
from macmeter.figures.build import figure_of
from macmeter.figures.figure import Axis, Case, Lane, Mark
from macmeter.figures.groups import shown_groups
from macmeter.figures.numbers import change_text, counted
from macmeter.figures.words import metric_title

_ABSENT = "–"


@dataclass(frozen=True)
class FigureThen:
    """A figure as it is printed, and what it is based on: "3 machines, 4 runs"."""

    text: str
    based_on: str


@dataclass(frozen=True)
class ChangeRow:
    """`ratio` is the live figure over the frozen one; without one of them it is null."""

    id: str
    label: str
    hollow: bool
    frozen: FigureThen | None
    live: FigureThen | None
    ratio: float | None
    text: str


@dataclass(frozen=True)
class ChangePart:
    """The figures of one metric, of sides also of one method."""

    title: str
    mark: Mark
    rows: tuple[ChangeRow, ...]


@exact
@dataclass(frozen=True)
class Changes:
    """In the frozen answer's order, what is new at the end of its part; `axis` is of the ratios."""

    axis: Axis
    parts: tuple[ChangePart, ...]


class ChangeTold(Exact, Change):
    """`text` says both in words."""

    text: str


@dataclass(frozen=True)
class _Line:
    """A figure of one of the two answers, in base units where it has a number."""

    part: str
    label: str
    mark: Mark
    hollow: bool
    exact: float | None
    told: FigureThen


def changed_since(change: Change, *, redefined: bool) -> str:
    """ "Data has changed since: 3 groups, by up to +4 %.".

    Where figures were `redefined` it may not be the data.
    """
    counts = (change["groups"], "group"), (change["published"], "published figure")
    parts = [counted(count, noun) for count, noun in counts if count]
    if not parts:
        return "Figures unchanged; other runs are behind them."
    if change["largest"] not in (None, 1):
        parts.append(extent(change["groups"] + change["published"], change["largest"]))
    return f"{'Figures have' if redefined else 'Data has'} changed since: {', '.join(parts)}."


def extent(figures: int, largest: float) -> str:
    """ "by +4 %" where one figure changed, "by up to +4 %" where several did."""
    return f"by {'' if figures == 1 else 'up to '}{change_text(largest)}"


def changes_of(frozen: Answer | Compared, live: Answer | Compared) -> Changes:
    then, now = dict(_lines(frozen)), dict(_lines(live))
    parts: dict[str, list[ChangeRow]] = {}
    marks: dict[str, Mark] = {}
    for name in dict.fromkeys([*then, *now]):
        before, after = then.get(name), now.get(name)
        line = before or after
        assert line is not None
        marks.setdefault(line.part, line.mark)
        parts.setdefault(line.part, []).append(_row("|".join(name), line, before, after))
    ratios = [row.ratio for rows in parts.values() for row in rows if row.ratio is not None]
    return Changes(
        ratio_axis(ratios),
        tuple(ChangePart(title, marks[title], tuple(rows)) for title, rows in parts.items()),
    )


def _row(name: str, line: _Line, before: _Line | None, after: _Line | None) -> ChangeRow:
    ratio = None
    if before and after and before.exact and after.exact:
        ratio = after.exact / before.exact
    text = change_text(ratio) if ratio is not None else _ABSENT
    if before is None or after is None:
        # Not "new since": a link may hide a frozen figure that rests on a fleet gone private.
        text = "live only" if before is None else "frozen only"
    return ChangeRow(
        id=name,
        label=line.label,
        hollow=line.hollow,
        frozen=before.told if before else None,
        live=after.told if after else None,
        ratio=ratio,
        text=text,
    )


def _lines(found: Answer | Compared) -> Iterator[tuple[tuple[str, ...], _Line]]:
    """Each figure of an answer under what tells it from its others."""
    for chart in figure_of(found).charts:
        heading = ""
        for case in chart.cases:
            heading = case.heading or heading
            for lane in case.lanes:
                line = _line_of(found, lane, heading, case)
                if line is not None:
                    yield (line.part, line.label, (lane.cells or {}).get("method", "")), line


def _line_of(found: Answer | Compared, lane: Lane, heading: str, case: Case) -> _Line | None:
    if is_sides(found):
        return _of_side(found, lane, heading, case)
    return _of_group(found, lane, heading, case)


def _of_group(answer: Answer, lane: Lane, heading: str, case: Case) -> _Line | None:
    place, *_ = lane.id.split(".")
    group = dict(shown_groups(answer, int(place))).get(lane.id)
    if group is None:
        return None
    relative = answer["question"]["relative_to"]
    ratio = group.get("ratio")
    exact = (ratio["value"] if ratio else None) if relative else group["median"]
    name = " · ".join(filter(None, [heading, case.label, lane.apart]))
    return _Line(
        part=metric_title(lane.metric),
        label=f"{name} †" if lane.hollow else name,
        mark=lane.mark,
        hollow=lane.hollow,
        exact=exact,
        told=FigureThen(lane.full or lane.text, _based_on(group)),
    )


def _of_side(compared: Compared, lane: Lane, heading: str, case: Case) -> _Line | None:
    place, _, number = lane.id.partition(".")
    if not place.isdecimal() or int(place) >= len(compared["rows"]):
        return None
    cells = compared["rows"][int(place)]["cells"]
    cell = next((cell for cell in cells if str(cell["side"]) == number), None)
    if cell is None or not is_filled(cell):
        return None
    return _Line(
        part=heading,
        label=case.label,
        mark=lane.mark,
        hollow=lane.hollow,
        exact=cell["median"],
        told=FigureThen((lane.cells or {}).get("median", ""), _based_on(cell)),
    )


def _based_on(figure: Figures) -> str:
    return f"{counted(figure['machines'], 'Mac')}, {counted(figure['runs'], 'run')}"
