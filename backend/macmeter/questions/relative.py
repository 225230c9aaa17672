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
from macmeter.results.machines import fetch_guests
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
    replaced, asked = question.reference, reference_question(question)
    references = _among(groups, question, asked)
    if references is None:
        references = groups_of(reading, asked, pairs=True)
    hosts = await fetch_guests(reading) if "virtual" in replaced else None
    of_any_chip: Groups | None = None
    found: dict[Key, shapes.Ratio] = {}
    refused: dict[Key, NoRatio] = {}
    for key, group in groups.items():
        by = question.named(key.by)
        reference_by = {name: replaced.get(name, by[name]) for name in asked.by}
        among = references
        # A guest's name for its chip matches no host, so take hosts of any chip.
        if "virtual" in replaced and "chip" in by and by.get("virtual") != replaced["virtual"]:
            reference_by.pop("chip")
            if of_any_chip is None:
                any_chip = replace(asked, by=tuple(name for name in asked.by if name != "chip"))
                of_any_chip = groups_of(reading, any_chip, pairs=True)
            among = of_any_chip
        reference = among.get(replace(key, by=tuple(reference_by.values())))
        if reference is None or not len(reference.known) or not len(group.known):
            continue
        guests = Guests(hosts, by, reference_by) if hosts is not None else None
        # A group with the replaced values is part of its reference, maybe all of it.
        is_within = all(name in by and by[name] == replaced[name] for name in replaced)
        try:
            if is_within and len(group.known) == len(reference.known):
                told = described(ratio_to_itself(group.known, question.weight))
            else:
                told = _ratio(question, group.known, reference.known, guests)
        except NoRatio as reason:
            refused[key] = reason
        else:
            found[key] = cast(shapes.Ratio, {**told, "reference_key": reference_by})
    return found, refused


def _ratio(
    question: Question, group: Group, reference: Group, guests: Guests | None
) -> shapes.RatioResponse:
    sides = (group, reference, question.weight, question.reference, guests)
    if question.version == CRUDE:
        return described(ratio_of_groups(*sides))
    told, unlike = described_like(ratio_of_like(*sides))
    return cast(shapes.Ratio, {**told, "unlike": unlike})


def _among(groups: Groups, question: Question, asked: Question) -> Groups | None:
    """Return the references if they are among the groups, to avoid another query."""
    replaced = question.reference
    if asked.by != question.by or asked.where != question.where + question.relative_to:
        return None
    if not replaced.keys() <= set(question.by):
        return None
    places = {question.by.index(name): value for name, value in replaced.items()}
    return {
        key: group
        for key, group in groups.items()
        if all(key.by[place] == value for place, value in places.items())
    }


def reference_question(question: Question) -> Question:
    """Return the question whose groups are the references."""
    replaced = question.reference
    by = tuple(name for name in question.by if name in replaced or not settles(name, replaced))
    return replace(question, by=by, where=reference_terms(question))


def reference_terms(question: Question) -> tuple[Term, ...]:
    """Return the filters for the reference."""
    replaced = question.reference
    kept = tuple(
        term
        for term in question.where
        if term.dimension not in replaced and not settles(term.dimension, replaced)
    )
    return kept + question.relative_to


def described(ratio: Ratio, *, is_confounded: bool = False) -> shapes.RatioResponse:
    """Return a ratio with its interval and verdict as JSON."""
    told: shapes.RatioResponse = {
        "value": ratio.value,
        "pairing": "unpaired" if ratio.pairs is None else "paired",
        "verdict": _verdict(ratio, is_confounded=is_confounded),
    }
    _put_interval(told, ratio)
    if ratio.pairs is not None:
        told["pairs"] = ratio.pairs
    if ratio.agreement is not None:
        told["agreement"] = {"same": ratio.agreement.same, "of": ratio.agreement.of}
    return told


def judge_together(ratios: Sequence[tuple[shapes.RatioResponse, LikeRatio]]) -> None:
    """Replace verdicts by ones corrected for being read together."""
    verdicts = verdicts_together([found.ratio for _, found in ratios])
    for (told, found), verdict in zip(ratios, verdicts, strict=True):
        told["verdict"] = _described_verdict(verdict, is_confounded=found.is_confounded)


def described_like(found: LikeRatio) -> tuple[shapes.RatioResponse, list[shapes.Unlike]]:
    """Return a ratio of like with like as JSON, and the remaining differences."""
    told = described(found.ratio, is_confounded=found.is_confounded)
    likeness: shapes.Likeness = {"method": found.method, "held": []}
    if (of := found.matched) is not None:
        likeness["held"] = [*of.held]
        likeness["strata"] = of.count
        likeness["machines"] = of.machines(over=True)
        likeness["reference_machines"] = of.machines(over=False)
    told["likeness"] = likeness
    if found.crude is not None:
        told["crude"] = {"value": found.crude.value, "verdict": _verdict(found.crude)}
        _put_interval(told["crude"], found.crude)
    unlike: list[shapes.Unlike] = [
        {"dimension": name, "title": catalog.DIMENSIONS[name].title, "of": of, "to": to}
        if name in catalog.DIMENSIONS
        else {"dimension": name, "title": _LABELS, "of": of, "to": to}
        for name, (of, to) in found.unlike.items()
    ]
    return told, unlike


_LABELS = "Labels"


def _put_interval(told: shapes.Confidence, ratio: Ratio) -> None:
    if ratio.interval is not None:
        told["ci_low"], told["ci_high"] = ratio.interval.low, ratio.interval.high
        told["interval"] = ratio.interval.of


def _verdict(ratio: Ratio, *, is_confounded: bool = False) -> shapes.Verdict:
    return _described_verdict(judged(ratio), is_confounded=is_confounded)


def _described_verdict(found: Verdict, *, is_confounded: bool) -> shapes.Verdict:
    is_other = is_confounded and found.answer is Outcome.DIFFERENT
    told: shapes.Verdict = {"answer": Outcome.CONFOUNDED if is_other else found.answer}
    if found.smallest_visible is not None:
        told["smallest_visible"] = found.smallest_visible
    if found.detectable is not None:
        told["detectable"] = found.detectable
    return told


def geometric_mean(asked: SidesQuestion, rows: list[side_shapes.Row]) -> side_shapes.GeometricMean:
    """Return the geometric mean of the ratios to the baseline, inverted where lower is better.

    It covers metrics that every side has, each once; means over different metrics couldn't be
    compared.
    """
    counted: list[side_shapes.Row] = []
    left_out: list[side_shapes.NotCovered] = []
    done: set[tuple[str, frozenset[tuple[str, Value]]]] = set()
    for row in sorted(
        rows, key=lambda row: -sum(cell["machines"] for cell in side_shapes.filled_of(row))
    ):
        same = row["metric"], frozenset(row["parameters"].items())
        reason = _why_left_out(asked, row)
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
        "sides": _means(asked, counted),
        "areas": _areas(asked, rows, counted),
    }


def _areas(
    asked: SidesQuestion, rows: Iterable[side_shapes.Row], counted: list[side_shapes.Row]
) -> list[side_shapes.AreaMean]:
    """Return means by suite, in the order of the rows."""
    areas: list[side_shapes.AreaMean] = []
    for suite in dict.fromkeys(_suite(row) for row in rows):
        own = [row for row in counted if _suite(row) == suite]
        if own:
            areas.append({"suite": suite, "metrics": len(own), "sides": _means(asked, own)})
    return areas


def _suite(row: side_shapes.Row) -> str:
    return catalog.METRICS[row["metric"]].suite


def _covered(row: side_shapes.Row) -> side_shapes.Covered:
    return {"metric": row["metric"], "parameters": row["parameters"], "method": row["method"]}


def _means(asked: SidesQuestion, rows: list[side_shapes.Row]) -> list[side_shapes.SideMean]:
    """Return the mean of each side over the same rows; none without rows."""
    parts: dict[int, list[Part]] = {side.number: [] for side in asked.sides}
    for row in rows:
        for cell in side_shapes.filled_of(row):
            part = Part(1, (1, 1)) if cell["side"] == asked.baseline else _part(cell)
            parts[cell["side"]].append(part.turned() if row["better"] == "lower" else part)
    return [
        _mean(number, together(of_side), is_baseline=number == asked.baseline)
        for number, of_side in parts.items()
        if of_side
    ]


def _part(cell: side_shapes.FilledCell) -> Part:
    ratio = cell["ratio"]
    low, high = ratio.get("ci_low"), ratio.get("ci_high")
    return Part(ratio["value"], None if low is None or high is None else (low, high))


def _mean(number: int, found: Part, *, is_baseline: bool) -> side_shapes.SideMean:
    told: side_shapes.SideMean = {"side": number, "value": found.value}
    if found.limits is not None and not is_baseline:
        told["ci_low"], told["ci_high"] = found.limits
    return told


def _why_left_out(asked: SidesQuestion, row: side_shapes.Row) -> side_shapes.WhyLeftOut | None:
    if row["better"] == "none":
        return "neither_is_better"
    for cell in row["cells"]:
        if not side_shapes.is_filled(cell):
            return "not_all_sides"
        if cell["side"] != asked.baseline and "ratio" not in cell:
            return "no_ratio"
        if cell["side"] != asked.baseline and not cell["ratio"]["value"] > 0:
            return "zero"
    return None
