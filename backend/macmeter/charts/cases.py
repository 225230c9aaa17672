"""Cases of an answer: a lane for every figure, in catalogue order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypedDict

import orjson

from macmeter import catalog
from macmeter.charts import numbers, words
from macmeter.charts.cells import (
    cells_of,
    pairing_of,
    pooled_in_words,
    range_text,
)
from macmeter.charts.colours import colour_of, coloured_by, marks_of
from macmeter.charts.figure import Case, FlagNote, Lane, Mark, Measure, Span
from macmeter.charts.notes import NumberedArticles, letters_of
from macmeter.schemas.answer import (
    Answer,
    AnsweredFigure,
    Confidence,
    Figures,
    Group,
    Key,
    MetricAnswer,
    each_printed,
)
from macmeter.statistics.figures import BETWEEN_MODELS, WITHIN_MACHINE

# With more published figures in a group, only the lowest and highest are shown, as a range.
MOST_PRINTED = 12


def shown_groups(answer: Answer, index: int) -> list[tuple[str, Group]]:
    """Return the groups of the result at this index, with ids from both indices: "0.3".

    Unlike published figures of one group get "0.3.0" and so on, so that other ids don't change.
    """
    groups: list[tuple[str, Group]] = []
    for number, group in enumerate(answer["results"][index]["groups"]):
        printed = [*each_printed([group], MOST_PRINTED)]
        group_id = f"{index}.{number}"
        ids = [group_id] if len(printed) == 1 else [f"{group_id}.{i}" for i in range(len(printed))]
        groups += zip(ids, printed, strict=True)
    return groups


def drawn_groups(answer: Answer, index: int) -> list[tuple[str, Group]]:
    """Return the shown groups; of a relative question only those with a ratio to another group."""
    reference = answer["question"]["relative_to"]

    def is_drawn(group: Group) -> bool:
        key = group["key"]
        is_reference = all(
            t["dimension"] in key and key[t["dimension"]] == t["value"] for t in reference
        )
        return not reference or ("ratio" in group and not is_reference)

    return [entry for entry in shown_groups(answer, index) if is_drawn(entry[1])]


# Maximum number of properties that distinguish a published figure: more wouldn't fit its lane.
_MAX_DISTINCTIONS = 3
# Significant digits for drawing; exact values are in the answer.
_DRAWN_DIGITS = 7


def measure_of(answer: Answer) -> Measure:
    return "ratio" if answer["question"]["relative_to"] else "figure"


def on_axis(value: float, scale: numbers.Scale) -> float:
    """Convert a value to the unit of its axis, with the digits that drawing needs."""
    return float(f"{value / scale.divisor:.{_DRAWN_DIGITS}g}")


def span_on_axis(span: Span | None, scale: numbers.Scale) -> Span | None:
    return None if span is None else (on_axis(span[0], scale), on_axis(span[1], scale))


def cases_of(
    answer: Answer, indices: Sequence[int], sources: NumberedArticles, flags: dict[str, FlagNote]
) -> tuple[Case, ...]:
    """Return the cases of an answer's results at these indices, which share a unit; for a relative
    question, of its ratios.

    Ids contain each result's index in the whole answer.
    """
    dimensions = words.reading_order(answer["question"]["by"])
    rows: dict[bytes, tuple[Key, list[Lane]]] = {}
    for key, lane in _LaneMaker(answer, indices, sources, flags).lanes():
        rows.setdefault(_as_bytes(key), (key, []))[1].append(lane)
    ordered = sorted(rows.values(), key=lambda row: words.key_order(dimensions, row[0]))
    return _with_labels([_case(key, lanes, dimensions) for key, lanes in ordered], dimensions)


def _case(key: Key, lanes: list[Lane], dimensions: list[str]) -> Case:
    swatch = bool(dimensions) and coloured_by(key) == dimensions[0]
    return Case("", tuple(lanes), colour=colour_of(key), swatch=swatch, key=key)


class _LaneMaker:
    """Converter of an answer's groups and printed figures to lanes."""

    def __init__(
        self,
        answer: Answer,
        indices: Sequence[int],
        sources: NumberedArticles,
        flags: dict[str, FlagNote],
    ) -> None:
        self.answer, self.question = answer, answer["question"]
        self.sources, self.flags = sources, flags
        self.results = [(index, answer["results"][index]) for index in indices]
        self.measure = measure_of(answer)
        self.scale = numbers.shared_scale([result for _, result in self.results])
        # Ratios are drawn as they are; only their texts are in percent.
        self.axis = numbers.Scale() if self.measure == "ratio" else self.scale

    def lanes(self) -> Iterator[tuple[Key, Lane]]:
        metrics = [result["metric"] for _, result in self.results]
        heads, _ = words.shared_tail([words.metric_title(metric) for metric in metrics])
        marks = marks_of(metrics)
        for (index, result), head in zip(self.results, heads, strict=True):
            name = words.uncapitalised(head) if len(metrics) > 1 else ""
            mark = marks[result["metric"]]
            listed = drawn_groups(self.answer, index)
            methods = _method_labels([group for _, group in listed])
            for lane_id, group in sorted(listed, key=lambda entry: bool(entry[1]["published"])):
                lane = self._group_lane(lane_id, result, group, name, mark)
                distinctions = methods.get(_identity(group), ""), _distinction(group)
                apart = ", ".join(filter(None, distinctions))
                yield group["key"], replace(lane, apart=apart) if apart else lane
            for number, figure in enumerate(result["published"]):
                lane_id = f"{index}.printed.{number}"
                printed = self._printed_lane(lane_id, result["metric"], figure, name, mark)
                if printed is not None:
                    yield figure["key"], printed

    def _group_lane(
        self, lane_id: str, result: MetricAnswer, group: Group, name: str, mark: Mark
    ) -> Lane:
        run_id = (group.get("run_ids") or [""])[0] if group["runs"] == 1 else ""
        confidence: Confidence = group
        unit, band, within = self.scale.symbol, None, False
        if self.measure == "ratio":
            confidence = ratio = group["ratio"]
            value, text, unit = ratio["value"], numbers.difference_text(ratio["value"]), "%"
            weight = pairing_of(ratio)
        else:
            value, text = numbers.drawn_value(group), numbers.median_text(group, self.scale)
            band = numbers.band_of(group, published=group["published"])
            within, weight = group.get("interval") == WITHIN_MACHINE, _machines(group)
        return Lane(
            id=lane_id,
            metric=result["metric"],
            name=name,
            mark=mark,
            value=on_axis(value, self.axis),
            text=text,
            full=numbers.with_own_unit(text, unit),
            band=span_on_axis(band, self.axis),
            interval=span_on_axis(numbers.interval_of(confidence), self.axis),
            within=within,
            between_models=confidence.get("interval") == BETWEEN_MODELS,
            weight=weight,
            hollow=group["published"],
            mixes=pooled_in_words(self.question, group),
            doubted=is_doubted(group),
            method=group["method"],
            run=run_id,
            cells=cells_of(self.question, result["metric"], group, self.scale),
            **note_properties(group, self.sources, self.flags),
        )

    def _printed_lane(
        self, lane_id: str, metric: str, figure: AnsweredFigure, name: str, mark: Mark
    ) -> Lane | None:
        lane = Lane(
            id=lane_id,
            metric=metric,
            name=name,
            mark=mark,
            text="",
            hollow=True,
            dagger=self.sources.dagger([figure["citation"]]),
            articles=(figure["citation"]["article"],),
            weight="as printed",
            flags=letters_of(figure["flags"], self.flags),
            alarming=any(map(catalog.is_doubt, figure["flags"])),
            doubted=any(map(catalog.is_doubt, figure["flags"])),
            run=figure["run_id"],
            cells={"machines": "", "runs": "1", "method": "as printed"},
        )
        if figure["kind"] == "range":
            if self.measure == "ratio":
                return None
            low, high = figure["low"], figure["high"]
            text = numbers.published_text(figure, self.scale.symbol)
            return replace(
                lane,
                value=on_axis((low + high) / 2, self.axis),
                band=span_on_axis((low, high), self.axis),
                text=text,
                full=numbers.with_own_unit(text, self.scale.symbol),
                cells=(lane.cells or {}) | {"spread": range_text((low, high), self.scale)},
            )
        if self.measure == "ratio":
            text = numbers.printed_difference(figure)
            return replace(
                lane,
                value=on_axis(figure["value"], self.axis),
                text=text,
                full=numbers.with_own_unit(text, "%"),
                weight=f"printed as {numbers.printed_ratio(figure)}",
            )
        to = [
            words.uncapitalised(words.case_value(name, value))
            for name, value in figure["to"].items()
        ]
        text = numbers.printed_ratio(figure)
        return replace(lane, text=text, full=text, of=f"of {', '.join(to)}")


def is_doubted(group: Figures) -> bool:
    """Whether every run of the group is doubted.

    Crossing out the median of 51 runs because of two would be misleading.
    """
    flags = group["flags"]
    return any(flag["severity"] == "doubt" and flag["runs"] >= group["runs"] for flag in flags)


class DrawnRatio(Confidence):
    """The members of a ratio, of whatever kind, that a chart draws."""

    value: float


class NoteProperties(TypedDict):
    """A lane's properties that come from notes."""

    dagger: str
    articles: tuple[str, ...]
    flags: tuple[str, ...]
    alarming: bool


def note_properties(
    group: Figures, sources: NumberedArticles, flags: dict[str, FlagNote]
) -> NoteProperties:
    citations = group.get("citations") or []
    codes = [flag["code"] for flag in group["flags"]]
    return {
        "dagger": sources.dagger(citations),
        "articles": tuple(dict.fromkeys(citation["article"] for citation in citations)),
        "flags": letters_of(codes, flags),
        "alarming": any(map(catalog.is_doubt, codes)),
    }


def with_ratio(lane: Lane, ratio: DrawnRatio) -> Lane:
    """Place the lane at a ratio, with its digits and interval."""
    text, axis = numbers.difference_text(ratio["value"]), numbers.Scale()
    return replace(
        lane,
        value=on_axis(ratio["value"], axis),
        text=text,
        full=numbers.with_own_unit(text, "%"),
        interval=span_on_axis(numbers.interval_of(ratio), axis),
    )


def _machines(group: Group) -> str:
    # A published figure has a number of figures rather than of machines.
    if group["published"]:
        return numbers.counted(group["runs"], "figure") if group["runs"] > 1 else ""
    return numbers.counted(group["machines"], "Mac")


def _identity(group: Group) -> bytes:
    identity = [group["key"], group["published"], group["method"], group["method_version"]]
    return _as_bytes(identity)


def _as_bytes(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _distinction(group: Group) -> str:
    """Describe what a published figure states that others of its group don't: "RAW (UDRW)"."""
    figures = group.get("figures") or []
    if len(figures) != 1:
        return ""
    differences = figures[0]["differs"]
    return words.case_label(
        [name for name in differences if differences[name] is not None][:_MAX_DISTINCTIONS],
        differences,
    )


def _method_labels(groups: list[Group]) -> dict[bytes, str]:
    """Return what tells methods apart, by group, where a case has several for a metric."""
    methods: dict[bytes, Group] = {_identity(group): group for group in groups}
    by_case: dict[bytes, list[Group]] = {}
    for group in methods.values():
        case_key = _as_bytes([group["key"], group["published"]])
        by_case.setdefault(case_key, []).append(group)
    labels: dict[bytes, str] = {}
    for alternatives in by_case.values():
        if len(alternatives) > 1:
            names = [group["method"] for group in alternatives]
            start = 0
            if len(set(names)) == 1:
                names = [f"version {group['method_version']}" for group in alternatives]
            else:
                if len(set(names)) < len(names):
                    names = [
                        f"{group['method']} {group['method_version']}" for group in alternatives
                    ]
                start = _shared_start(names)
            labels |= {
                _identity(group): name[start:]
                for group, name in zip(alternatives, names, strict=True)
            }
    return labels


def _shared_start(names: list[str]) -> int:
    """Return the length of the words that all names begin with."""
    split = [re.split(r"(?<=[- ])", f"{name}-") for name in names]
    length = 0
    for pieces in zip(*split, strict=False):
        if len(set(pieces)) > 1:
            break
        length += len(pieces[0])
    return length


def _with_labels(cases: list[Case], dimensions: list[str]) -> tuple[Case, ...]:
    """Take headings from the first of several dimensions, and labels from the rest."""
    if not dimensions:
        return tuple(replace(case, label="All runs") for case in cases)
    first, *rest = dimensions
    titles = [
        (
            words.case_value(first, key[first]) if rest else "",
            words.case_label(rest or dimensions, key),
        )
        for key in (case.key or {} for case in cases)
    ]
    before = [None, *(heading for heading, _ in titles)]
    return tuple(
        replace(case, label=label, heading="" if heading == previous else heading)
        for case, (heading, label), previous in zip(cases, titles, before, strict=False)
    )
