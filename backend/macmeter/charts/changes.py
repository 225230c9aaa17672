"""Comparison of an answer with an earlier one: each figure's change, and a week's news."""

from collections.abc import Iterator
from dataclasses import dataclass

from macmeter.charts.axes import difference_axis
from macmeter.charts.build import figure_of
from macmeter.charts.cases import shown_groups
from macmeter.charts.figure import Axis, Lane, Mark
from macmeter.charts.numbers import change_text, counted
from macmeter.charts.words import metric_title
from macmeter.platform.schema import Exact, exact
from macmeter.schemas.answer import Answer, Figures
from macmeter.schemas.comparisons import Change
from macmeter.schemas.sides import Compared, compares_sides, is_filled

_ABSENT = "–"


@dataclass(frozen=True)
class FigureThen:
    """A figure, frozen or live, as printed, and its basis: "3 machines, 4 runs"."""

    text: str
    based_on: str


@dataclass(frozen=True)
class ChangeRow:
    """`ratio` is the live figure over the frozen one; null if either is missing."""

    id: str
    label: str
    hollow: bool
    frozen: FigureThen | None
    live: FigureThen | None
    ratio: float | None
    text: str


@dataclass(frozen=True)
class ChangePart:
    """Figures of one metric; for sides, also of one method."""

    title: str
    mark: Mark
    rows: tuple[ChangeRow, ...]


@exact
@dataclass(frozen=True)
class Changes:
    """Changes in the frozen answer's order, new figures last; `axis` is of ratios, as changes."""

    axis: Axis
    parts: tuple[ChangePart, ...]


class ChangeResponse(Exact, Change):
    """Change with its `text`."""

    text: str


@dataclass(frozen=True)
class _Line:
    """A figure of one of the answers, in base units if it is a number."""

    mark: Mark
    hollow: bool
    exact: float | None
    figure: FigureThen


# Part, label and method.
_Name = tuple[str, str, str]


def changed_since(change: Change, *, redefined: bool) -> str:
    """Format "Data has changed since: 3 groups, by up to +4 %.".

    If figures were `redefined`, the data may not be the cause.
    """
    counts = (change["groups"], "group"), (change["published"], "published figure")
    parts = [counted(count, noun) for count, noun in counts if count]
    if not parts:
        return "Figures unchanged; other runs are behind them."
    if change["largest"] not in (None, 1):
        parts.append(extent(change["groups"] + change["published"], change["largest"]))
    return f"{'Figures have' if redefined else 'Data has'} changed since: {', '.join(parts)}."


def extent(figures: int, largest: float) -> str:
    """Format "by +4 %" for one changed figure, "by up to +4 %" for several."""
    return f"by {'' if figures == 1 else 'up to '}{change_text(largest)}"


def changes_of(frozen: Answer | Compared, live: Answer | Compared) -> Changes:
    then, now = dict(_lines(frozen)), dict(_lines(live))
    parts: dict[str, tuple[Mark, list[ChangeRow]]] = {}
    for name in then | now:
        before, after = then.get(name), now.get(name)
        line = before or after
        assert line is not None
        row = _row(name, line, before, after)
        parts.setdefault(name[0], (line.mark, []))[1].append(row)
    ratios = [row.ratio for _, rows in parts.values() for row in rows if row.ratio is not None]
    return Changes(
        difference_axis(ratios),
        tuple(ChangePart(title, mark, tuple(rows)) for title, (mark, rows) in parts.items()),
    )


def _row(name: _Name, line: _Line, before: _Line | None, after: _Line | None) -> ChangeRow:
    ratio = None
    if before and after and before.exact and after.exact:
        ratio = after.exact / before.exact
    text = change_text(ratio) if ratio is not None else _ABSENT
    if before is None or after is None:
        # Not "new since": the link may hide a frozen figure that includes a fleet gone private.
        text = "live only" if before is None else "frozen only"
    return ChangeRow(
        id="|".join(name),
        label=name[1],
        hollow=line.hollow,
        frozen=before.figure if before else None,
        live=after.figure if after else None,
        ratio=ratio,
        text=text,
    )


def _lines(answer: Answer | Compared) -> Iterator[tuple[_Name, _Line]]:
    """Yield each figure of an answer under an identifying name."""
    for chart in figure_of(answer).charts:
        heading = ""
        for case in chart.cases:
            heading = case.heading or heading
            for lane in case.lanes:
                line = (
                    _side_line(answer, lane)
                    if compares_sides(answer)
                    else _group_line(answer, lane)
                )
                if line is None:
                    continue
                part, label = heading, case.label
                if not compares_sides(answer):
                    part = metric_title(lane.metric)
                    label = " · ".join(filter(None, [heading, case.label, lane.apart]))
                    label += " †" * lane.hollow
                yield (part, label, (lane.cells or {}).get("method", "")), line


def _group_line(answer: Answer, lane: Lane) -> _Line | None:
    index, *_ = lane.id.split(".")
    group = dict(shown_groups(answer, int(index))).get(lane.id)
    if group is None:
        return None
    ratio = group.get("ratio")
    relative = answer["question"]["relative_to"]
    exact = (ratio["value"] if ratio else None) if relative else group["median"]
    return _Line(
        lane.mark, lane.hollow, exact, FigureThen(lane.full or lane.text, _based_on(group))
    )


def _side_line(compared: Compared, lane: Lane) -> _Line | None:
    index, _, number = lane.id.partition(".")
    if not index.isdecimal() or int(index) >= len(compared["rows"]):
        return None
    cells = compared["rows"][int(index)]["cells"]
    cell = next((cell for cell in cells if str(cell["side"]) == number), None)
    if cell is None or not is_filled(cell):
        return None
    figure = FigureThen((lane.cells or {}).get("median", ""), _based_on(cell))
    return _Line(lane.mark, lane.hollow, cell["median"], figure)


def _based_on(figure: Figures) -> str:
    return f"{counted(figure['machines'], 'Mac')}, {counted(figure['runs'], 'run')}"


# The page has the others.
_MOST_LINES = 20


def news_of(
    before: Answer | Compared, after: Answer | Compared
) -> tuple[str, tuple[str, ...]] | None:
    """Return a title, "3 figures changed by up to +4 %", and a line for each; None without changes.

    A figure has changed if it is printed differently.
    """
    parts = changes_of(before, after).parts
    changed = [(part, row) for part in parts for row in part.rows if _has_changed(row)]
    if not changed:
        return None
    ratios = [row.ratio for _, row in changed if row.ratio]
    largest = max(ratios, key=lambda ratio: max(ratio, 1 / ratio), default=None)
    title = f"{counted(len(changed), 'figure')} changed"
    if largest is not None:
        title += f" {extent(len(changed), largest)}"
    lines = [*_lines_of_news(changed[:_MOST_LINES], several=len(parts) > 1)]
    if len(changed) > _MOST_LINES:
        lines.append(f"And {len(changed) - _MOST_LINES} more.")
    return title, tuple(lines)


def _has_changed(row: ChangeRow) -> bool:
    if row.frozen is None or row.live is None:
        return True
    return row.frozen.text != row.live.text


def _lines_of_news(changed: list[tuple[ChangePart, ChangeRow]], several: bool) -> Iterator[str]:
    for part, row in changed:
        name = " · ".join(filter(None, [part.title if several else "", row.label]))
        yield f"{name or part.title}: {_format_change(row)}"


def _format_change(row: ChangeRow) -> str:
    """Format "5.20 GB/s, was 5.00 GB/s (+4 %); 3 machines, 4 runs"."""
    if row.live is None:
        assert row.frozen is not None
        return f"no figure any more, was {row.frozen.text}"
    if row.frozen is None:
        return f"{row.live.text}, new; {row.live.based_on}"
    return f"{row.live.text}, was {row.frozen.text} ({row.text}); {row.live.based_on}"
