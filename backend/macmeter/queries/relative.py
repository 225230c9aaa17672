"""Ratios of an answer's groups to a reference: paired where pairs exist, else said to be unpaired.

In each group's key the dimensions of `relative_to` are replaced and the figure is divided by
the answer there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.tokens import Bearer
from macmeter.queries.groups import Groups, Key, Unit, fetch_groups
from macmeter.queries.pairs import NoRatio, ratio_of_units, settles
from macmeter.queries.question import Question, Term, Value
from macmeter.stats.figures import Ratio
from macmeter.stats.verdict import verdict

Json = dict[str, Any]


async def ratios_of(
    connection: AsyncConnection,
    question: Question,
    metric: str,
    groups: Groups,
    reader: Bearer | None,
) -> tuple[dict[Key, Json], dict[Key, NoRatio]]:
    """A ratio for each group that has a reference; and why others that have one have none."""
    if not question.relative_to:
        return {}, {}
    replaced = {term.dimension: term.value for term in question.relative_to}
    asked = replace(question, by=_kept_by(question, replaced))
    references = await fetch_groups(
        connection, asked, metric, reference_terms(question), reader, hosts="virtual" in replaced
    )
    found: dict[Key, Json] = {}
    refused: dict[Key, NoRatio] = {}
    for key, units in groups.items():
        reference_key = _reference_key(question, key, replaced)
        reference_by = dict(zip(asked.by, reference_key.by, strict=True))
        reference = known(references.get(reference_key, []))
        if _names_its_hosts_chip(question, key, replaced):
            reference_by.pop("chip")
            reference = known(_of_any_chip(references, reference_key, asked.by.index("chip")))
        if not reference or not known(units):
            continue
        keys = (dict(zip(question.by, key.by, strict=True)), reference_by)
        try:
            ratio = ratio_of_units(known(units), reference, question.weight, replaced, keys)
        except NoRatio as reason:
            refused[key] = reason
        else:
            found[key] = {**described(ratio), "reference_key": reference_by}
    return found, refused


def reference_terms(question: Question) -> tuple[Term, ...]:
    """The filters under which the reference is found."""
    replaced = {term.dimension for term in question.relative_to}
    kept = tuple(
        term
        for term in question.where
        if term.dimension not in replaced and not settles(term.dimension, replaced)
    )
    return kept + question.relative_to


def known(units: list[Unit]) -> list[Unit]:
    """Without machines that the source does not name: they can't be anybody's pair."""
    return [unit for unit in units if not unit.unspecified]


def _reference_key(question: Question, key: Key, replaced: dict[str, Value]) -> Key:
    kept = _kept_by(question, replaced)
    by = tuple(
        replaced.get(name, value)
        for name, value in zip(question.by, key.by, strict=True)
        if name in kept
    )
    return replace(key, by=by)


def _kept_by(question: Question, replaced: dict[str, Value]) -> tuple[str, ...]:
    """The dimensions that a reference shares with its groups, replaced or not."""
    return tuple(name for name in question.by if name in replaced or not settles(name, replaced))


def _names_its_hosts_chip(question: Question, key: Key, replaced: dict[str, Value]) -> bool:
    """Whether it is grouped by a guest's word for its chip, under which no host is found."""
    by = dict(zip(question.by, key.by, strict=True))
    return "virtual" in replaced and "chip" in by and by.get("virtual") != replaced["virtual"]


def _of_any_chip(references: Groups, wanted: Key, place: int) -> list[Unit]:
    def but_chip(key: Key) -> Key:
        return replace(key, by=(*key.by[:place], *key.by[place + 1 :]))

    return [
        unit
        for key, units in references.items()
        if but_chip(key) == but_chip(wanted)
        for unit in units
    ]


def described(ratio: Ratio) -> dict[str, Any]:
    """A ratio with its interval and what it says, as JSON."""
    told: dict[str, Any] = {
        "value": ratio.value,
        "pairing": "unpaired" if ratio.pairs is None else "paired",
    }
    if ratio.pairs is not None:
        told["pairs"] = ratio.pairs
    if ratio.interval is not None:
        told |= {
            "ci_low": ratio.interval.low,
            "ci_high": ratio.interval.high,
            "interval": ratio.interval.of,
        }
    found = verdict(ratio.value, told.get("ci_low"), told.get("ci_high"), ratio.fewest)
    told["verdict"] = {"answer": found.answer.value}
    if found.smallest_visible is not None:
        told["verdict"]["smallest_visible"] = found.smallest_visible
    return told
