"""Ratios of an answer's groups to a reference, paired if possible and otherwise marked unpaired.

A group's reference has the values of `relative_to` in place of the group's own. Also geometric
means of ratios to the baseline of sides: over all metrics, and over those of each suite.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

from macmeter import catalog
from macmeter.catalog.terms import CRUDE, Term, Value
from macmeter.questions.grouped import Key
from macmeter.questions.groups import Group, Groups, groups_of
from macmeter.questions.like_with_like import LikeRatio, ratio_of_like
from macmeter.questions.pairs import Guests, NoRatio, ratio_of_groups, ratio_to_itself, settles
from macmeter.questions.question import Question
from macmeter.questions.sides import SidesQuestion
from macmeter.results.context import Reading
from macmeter.results.machines import fetch_guest_hosts
from macmeter.schemas import answer as shapes
from macmeter.schemas import sides as side_shapes
from macmeter.statistics.figures import Ratio
from macmeter.statistics.verdict import Outcome, Part, Verdict, judged, together, verdicts_together


async def ratios_of(
    reading: Reading, question: Question, groups: Groups
) -> tuple[dict[Key, shapes.Ratio], dict[Key, NoRatio]]:
    """Return ratios of groups to their references, and reasons for missing ones."""
    if not question.relative_to:
        return {}, {}
    replaced, base = question.reference, reference_question(question)
    references = _among(groups, question, base)
    if references is None:
        references = groups_of(reading, base, pairs=True)
    guest_hosts = await fetch_guest_hosts(reading) if "virtual" in replaced else None
    any_chip_groups: Groups | None = None
    ratios: dict[Key, shapes.Ratio] = {}
    refusals: dict[Key, NoRatio] = {}
    for key, group in groups.items():
        by = question.key_of(key.by)
        reference_by = {name: replaced.get(name, by[name]) for name in base.by}
        candidates = references
        # A guest's name for its chip matches no host, so take guest_hosts of any chip.
        if "virtual" in replaced and "chip" in by and by.get("virtual") != replaced["virtual"]:
            reference_by.pop("chip")
            if any_chip_groups is None:
                any_chip = replace(base, by=tuple(name for name in base.by if name != "chip"))
                any_chip_groups = groups_of(reading, any_chip, pairs=True)
            candidates = any_chip_groups
        reference = candidates.get(replace(key, by=tuple(reference_by.values())))
        if reference is None or not len(reference.named) or not len(group.named):
            continue
        guests = Guests(guest_hosts, by, reference_by) if guest_hosts is not None else None
        # A group with the replaced values is part of its reference, maybe all of it.
        is_within = all(name in by and by[name] == replaced[name] for name in replaced)
        try:
            if is_within and len(group.named) == len(reference.named):
                response = described(ratio_to_itself(group.named, question.weight))
            else:
                response = _ratio(question, group.named, reference.named, guests)
        except NoRatio as reason:
            refusals[key] = reason
        else:
            ratios[key] = cast(shapes.Ratio, {**response, "reference_key": reference_by})
    return ratios, refusals


def _ratio(
    question: Question, group: Group, reference: Group, guests: Guests | None
) -> shapes.RatioResponse:
    sides = (group, reference, question.weight, question.reference, guests)
    if question.version == CRUDE:
        return described(ratio_of_groups(*sides))
    response, unlike = described_like(ratio_of_like(*sides))
    return cast(shapes.Ratio, {**response, "unlike": unlike})


def _among(groups: Groups, question: Question, base: Question) -> Groups | None:
    """Return the references if they are among the groups, to avoid another query."""
    replaced = question.reference
    if base.by != question.by or base.where != question.where + question.relative_to:
        return None
    if not replaced.keys() <= set(question.by):
        return None
    positions = {question.by.index(name): value for name, value in replaced.items()}
    return {
        key: group
        for key, group in groups.items()
        if all(key.by[position] == value for position, value in positions.items())
    }


def reference_question(question: Question) -> Question:
    """Return the question whose groups are the references."""
    replaced = question.reference
    by = tuple(name for name in question.by if name in replaced or not settles(name, replaced))
    return replace(question, by=by, where=reference_terms(question))


def reference_terms(question: Question) -> tuple[Term, ...]:
    """Return the filters for the reference."""
    replaced = question.reference
    terms = tuple(
        term
        for term in question.where
        if term.dimension not in replaced and not settles(term.dimension, replaced)
    )
    return terms + question.relative_to


def described(ratio: Ratio, *, is_confounded: bool = False) -> shapes.RatioResponse:
    """Return a ratio with its interval and verdict as JSON."""
    response: shapes.RatioResponse = {
        "value": ratio.value,
        "pairing": "unpaired" if ratio.pairs is None else "paired",
        "verdict": _verdict(ratio, is_confounded=is_confounded),
    }
    _put_interval(response, ratio)
    if ratio.pairs is not None:
        response["pairs"] = ratio.pairs
    if ratio.agreement is not None:
        response["agreement"] = {"same": ratio.agreement.same, "of": ratio.agreement.of}
    return response


def judge_together(ratios: Sequence[tuple[shapes.RatioResponse, LikeRatio]]) -> None:
    """Replace verdicts by ones corrected for being read together."""
    verdicts = verdicts_together([like_ratio.ratio for _, like_ratio in ratios])
    for (response, like_ratio), verdict in zip(ratios, verdicts, strict=True):
        response["verdict"] = _described_verdict(verdict, is_confounded=like_ratio.is_confounded)


def described_like(like_ratio: LikeRatio) -> tuple[shapes.RatioResponse, list[shapes.Unlike]]:
    """Return a ratio of like with like as JSON, and the remaining differences."""
    response = described(like_ratio.ratio, is_confounded=like_ratio.is_confounded)
    likeness: shapes.Likeness = {"method": like_ratio.method, "held": []}
    if (matched := like_ratio.matched) is not None:
        likeness["held"] = [*matched.held]
        likeness["strata"] = matched.count
        likeness["machines"] = matched.machines(over=True)
        likeness["reference_machines"] = matched.machines(over=False)
    response["likeness"] = likeness
    if like_ratio.crude is not None:
        response["crude"] = {"value": like_ratio.crude.value, "verdict": _verdict(like_ratio.crude)}
        _put_interval(response["crude"], like_ratio.crude)
    unlike: list[shapes.Unlike] = [
        {"dimension": name, "title": catalog.DIMENSIONS[name].title, "of": over, "to": under}
        if name in catalog.DIMENSIONS
        else {"dimension": name, "title": _LABELS, "of": over, "to": under}
        for name, (over, under) in like_ratio.unlike.items()
    ]
    return response, unlike


_LABELS = "Labels"


def _put_interval(response: shapes.Confidence, ratio: Ratio) -> None:
    if ratio.interval is not None:
        response["ci_low"], response["ci_high"] = ratio.interval.low, ratio.interval.high
        response["interval"] = ratio.interval.of


def _verdict(ratio: Ratio, *, is_confounded: bool = False) -> shapes.Verdict:
    return _described_verdict(judged(ratio), is_confounded=is_confounded)


def _described_verdict(verdict: Verdict, *, is_confounded: bool) -> shapes.Verdict:
    is_other = is_confounded and verdict.answer is Outcome.DIFFERENT
    response: shapes.Verdict = {"answer": Outcome.CONFOUNDED if is_other else verdict.answer}
    if verdict.smallest_visible is not None:
        response["smallest_visible"] = verdict.smallest_visible
    if verdict.detectable is not None:
        response["detectable"] = verdict.detectable
    return response


def geometric_mean(query: SidesQuestion, rows: list[side_shapes.Row]) -> side_shapes.GeometricMean:
    """Return the geometric mean of the ratios to the baseline, inverted where lower is better.

    It covers metrics that every side has, each once; means over different metrics couldn't be
    compared.
    """
    counted: list[side_shapes.Row] = []
    left_out: list[side_shapes.NotCovered] = []
    done: set[tuple[str, frozenset[tuple[str, Value]]]] = set()
    for row in sorted(
        rows, key=lambda row: -sum(cell["machines"] for cell in side_shapes.filled_cells(row))
    ):
        same = row["metric"], frozenset(row["parameters"].items())
        reason = _why_left_out(query, row)
        if reason is None and same in done:
            reason = "counted_by_another_method"
        if reason is not None:
            left_out.append({**_covered(row), "reason": reason})
            continue
        done.add(same)
        counted.append(row)
    return {
        "covers": [_covered(row) for row in counted],
        "left_out": left_out,
        "sides": _means(query, counted),
        "areas": _areas(query, rows, counted),
    }


def _areas(
    query: SidesQuestion, rows: Iterable[side_shapes.Row], counted: list[side_shapes.Row]
) -> list[side_shapes.AreaMean]:
    """Return means by suite, in the order of the rows."""
    areas: list[side_shapes.AreaMean] = []
    for suite in dict.fromkeys(_suite(row) for row in rows):
        group = [row for row in counted if _suite(row) == suite]
        if group:
            areas.append({"suite": suite, "metrics": len(group), "sides": _means(query, group)})
    return areas


def _suite(row: side_shapes.Row) -> str:
    return catalog.METRICS[row["metric"]].suite


def _covered(row: side_shapes.Row) -> side_shapes.Covered:
    return {"metric": row["metric"], "parameters": row["parameters"], "method": row["method"]}


def _means(query: SidesQuestion, rows: list[side_shapes.Row]) -> list[side_shapes.SideMean]:
    """Return the mean of each side over the same rows; none without rows."""
    ratios: dict[int, list[Part]] = {side.number: [] for side in query.sides}
    for row in rows:
        for cell in side_shapes.filled_cells(row):
            ratio = Part(1, (1, 1)) if cell["side"] == query.baseline else _ratio_of_cell(cell)
            ratios[cell["side"]].append(ratio.turned() if row["better"] == "lower" else ratio)
    return [
        _mean(number, together(side_ratios), is_baseline=number == query.baseline)
        for number, side_ratios in ratios.items()
        if side_ratios
    ]


def _ratio_of_cell(cell: side_shapes.FilledCell) -> Part:
    ratio = cell["ratio"]
    low, high = ratio.get("ci_low"), ratio.get("ci_high")
    return Part(ratio["value"], None if low is None or high is None else (low, high))


def _mean(number: int, mean: Part, *, is_baseline: bool) -> side_shapes.SideMean:
    response: side_shapes.SideMean = {"side": number, "value": mean.value}
    if mean.limits is not None and not is_baseline:
        response["ci_low"], response["ci_high"] = mean.limits
    return response


def _why_left_out(query: SidesQuestion, row: side_shapes.Row) -> side_shapes.WhyLeftOut | None:
    if row["better"] == "none":
        return "neither_is_better"
    for cell in row["cells"]:
        if not side_shapes.is_filled(cell):
            return "not_all_sides"
        if cell["side"] != query.baseline and "ratio" not in cell:
            return "no_ratio"
        if cell["side"] != query.baseline and not cell["ratio"]["value"] > 0:
            return "zero"
    return None
