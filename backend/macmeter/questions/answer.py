"""Answers to questions: groups, ratios, printed figures, and what was left out."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.accounts.scope import Principal
from macmeter.catalog import Severity
from macmeter.catalog.terms import Term, Value
from macmeter.documents.derive import DERIVATION_VERSION
from macmeter.documents.flags import sort_flags
from macmeter.questions import notes
from macmeter.questions.fits import fits_of
from macmeter.questions.grouped import Key, digest_of, mixes_of
from macmeter.questions.groups import Group, Groups, groups_of, selection_of
from macmeter.questions.printed import PublishedSources, fetch_published, fetch_sources
from macmeter.questions.question import Question
from macmeter.questions.relative import ratios_of, reference_question
from macmeter.questions.run_counter import RunCounter, excluded_from
from macmeter.results.context import Reading, as_of, begin_reading
from macmeter.results.dataset.rows import read_together
from macmeter.schemas import answer as shapes


async def answer(
    connection: AsyncConnection,
    question: Question,
    reader: Principal | None,
    now: datetime,
) -> shapes.Answer:
    """Return the answer as JSON; deterministic except for `as_of`.

    `runs` counts distinct runs behind its figures, including printed ones.
    """
    moment = await as_of(connection, now)
    return await answer_of(await begin_reading(connection, reader), question, moment)


async def answer_of(reading: Reading, question: Question, moment: datetime) -> shapes.Answer:
    """Answer as `answer` does, in a snapshot that is already open."""
    run_counter = RunCounter(reading.data)
    questions = map(question.of_metric, question.metrics)
    results = [await _for_metric(reading, single, run_counter) for single in questions]
    response: shapes.Answer = {
        "question": describe(question),
        "as_of": moment.isoformat(timespec="seconds"),
        "derivation_version": DERIVATION_VERSION,
        "runs": len(run_counter),
        "results": results,
    }
    if "month" in question.by:
        response["updates"] = updates_of(reading, question)
    return response


def describe(question: Question) -> shapes.QuestionResponse:
    """Return the question in canonical form, as text and in parts."""
    return {
        "canonical": question.canonical,
        "metrics": list(question.metrics),
        "by": list(question.by),
        "where": [describe_term(term) for term in question.where],
        "relative_to": [
            {"dimension": term.dimension, "value": term.value} for term in question.relative_to
        ],
        "weight": question.weight,
        "flagged": question.flagged,
        "fit": question.fit,
        "version": question.version,
    }


async def _for_metric(
    reading: Reading, question: Question, run_counter: RunCounter
) -> shapes.MetricAnswer:
    """Answer one metric; add the runs behind it to `run_counter`."""
    pairs = bool(question.relative_to)
    if pairs:
        sides = (question, reference_question(question))
        read_together(
            reading.data, [selection_of(reading, side, pairs=True).row_selection for side in sides]
        )
    groups = groups_of(reading, question, pairs=pairs)
    excluded = await excluded_from(reading, question)
    counted, unstated = drop_unspecified(reading, groups)
    if unstated:
        caution = Severity.CAUTION
        excluded.append({"reason": "machine_unstated", "severity": caution, "runs": unstated})
    ratios, refusals = await ratios_of(reading, question, groups)
    entry = catalog.METRICS[question.metric]
    sources = await fetch_sources(reading, counted)
    groups_by_key = {
        key: describe_group(question, key, group, ratios.get(key), sources)
        for key, group in sorted(counted.items(), key=lambda item: _sort_key(item[0]))
    }
    several_drives = {
        n for group in counted.values() for n in group.machines_of_several_drives.tolist()
    }
    run_counter.add_groups(counted.values())
    described = [*groups_by_key.values()]
    fits = fits_of(question, groups_by_key, counted)
    published = await fetch_published(reading, question)
    run_counter.add_printed(figure["run_id"] for figure in published)
    derivations = derivations_of(counted.values())
    described_metric: shapes.MetricAnswer = {
        "metric": entry.name,
        "title": entry.title,
        "unit": entry.unit.value,
        "better": entry.better,
        "groups": described,
        "published": published,
        "fits": fits.given,
        "excluded": excluded,
        "notes": [
            *notes.of_derivations(derivations),
            *(notes.of_unknown_values(question.where) if not described else ()),
            *notes.of_mixes(described),
            *notes.of_fits(fits),
            *notes.of_power(entry.name, described),
            *notes.of_incomplete(excluded, _most_runs(question, described)),
            *notes.notes_of(
                question, described, published, len(several_drives), [*refusals.values()]
            ),
        ],
    }
    if derivations not in ([], [DERIVATION_VERSION]):
        described_metric["derivation_versions"] = derivations
    return described_metric


def _most_runs(question: Question, groups: Iterable[shapes.Group]) -> int:
    """Return the highest number of runs with equal parameters; one run may have several."""
    runs: Counter[tuple[Value, ...]] = Counter()
    for group in groups:
        parameters = tuple(group["key"][name] for name in question.by if catalog.is_of_sample(name))
        runs[parameters] += group["runs"]
    return max(runs.values(), default=0)


def drop_unspecified(reading: Reading, groups: Groups) -> tuple[Groups, int]:
    """Leave unspecified machines out of groups with a specified one; count the runs left out.

    A figure without a named machine may repeat one of a known machine: it is used only where it is
    the only kind, and then counts no machine.
    """
    counted: Groups = {}
    set_aside: list[Group] = []
    for key, group in groups.items():
        counted[key] = group
        if all(group.has_halves):
            counted[key] = group.named
            set_aside.append(group.unspecified)
    run_counter = RunCounter(reading.data)
    run_counter.add_groups(set_aside)
    return counted, len(run_counter)


def derivations_of(groups: Iterable[Group]) -> list[int]:
    """Return the derivation versions of these groups' figures, ascending."""
    return sorted({version for group in groups for version in group.derivations})


def describe_group(
    question: Question,
    key: Key,
    group: Group,
    ratio: shapes.Ratio | None,
    sources: PublishedSources,
) -> shapes.Group:
    described = {
        "key": question.key_of(key.by),
        "published": key.published,
        "method": key.method,
        "method_version": key.method_version,
        **describe_figures(question, key, group, sources),
    }
    if ratio is not None:
        described["ratio"] = ratio
    return cast(shapes.Group, described)


def describe_figures(
    question: Question, key: Key, group: Group, sources: PublishedSources
) -> shapes.Figures:
    """Return a group's figures, whatever it groups by."""
    figures = group.figures(question.weight)
    flags: list[shapes.CountedFlag] = [
        {"code": code, "severity": catalog.flag(code).severity, "runs": group.flags[code]}
        for code in sort_flags(set(group.flags))
    ]
    described = {
        "machines": group.machine_count,
        "runs": group.run_count,
        "samples": group.sample_count,
        "mixes": mixes_of(group.pooled),
        "mix": digest_of(group.pooled),
        **{name: value for name, value in vars(figures).items() if name not in _INTERVALS},
        "flags": flags,
    }
    if figures.no_interval is not None:
        described["no_interval"] = figures.no_interval
    if (interval := figures.interval) is not None:
        described |= {"ci_low": interval.low, "ci_high": interval.high, "interval": interval.of}
    if (spread := group.spread) is not None:
        described["spread"] = {**vars(spread)}
    if key.published:
        described |= _origin(group, sources)
    # Longer lists are reached through the list of runs.
    if run_ids := group.first_run_ids:
        described["run_ids"] = [*map(str, run_ids)]
    return cast(shapes.Figures, described)


_INTERVALS = ("interval", "no_interval")


def _origin(group: Group, sources: PublishedSources) -> shapes.Origin:
    origin: shapes.Origin = {}
    rows = sources.of_group(group)
    printed = [(row.printed, row.qualifier) for row in rows if row.printed is not None]
    if printed:
        origin["printed"] = [digits for digits, _ in printed]
        if len(printed) == 1 and printed[0][1] is not None:
            origin["qualifier"] = printed[0][1]
    if figures := sources.differing_results(group):
        origin["figures"] = figures
    citations = [row.citation for row in rows if row.citation is not None]
    if citations:
        origin["citations"] = sorted(citations, key=lambda citation: citation["row"])
    return origin


def _sort_key(key: Key) -> tuple[Any, ...]:
    """Sort numbers by size, absent values last, and published after measured."""
    by = tuple(
        (value is None, value if isinstance(value, (int, float)) else 0, str(value))
        for value in key.by
    )
    return (by, key.published, key.method, key.method_version)


def describe_term(term: Term) -> shapes.TermResponse:
    described: shapes.TermResponse = {"dimension": term.dimension, "op": term.op}
    if term.low is None and term.high is None:
        described["value"] = term.value
    else:
        described |= {"low": term.low, "high": term.high}
    return described


_BY = ("month", "os_version")


def updates_of(reading: Reading, question: Question) -> list[shapes.NewerMacos]:
    """Return macOS updates by month, as measured by Macs for the first metric.

    A month in which most of them had an older version again is skipped.
    """
    by_version = replace(question, by=_BY, relative_to=(), fit=None)
    machines: dict[str, Counter[tuple[int, ...]]] = defaultdict(Counter)
    for key, group in groups_of(reading, by_version).items():
        month, version = key.by
        if month is not None and _is_macos(version) and not key.published:
            machines[str(month)][_version_numbers(str(version))] += group.machine_count
    updates: list[shapes.NewerMacos] = []
    newest: tuple[int, ...] = ()
    for month, counts in sorted(machines.items()):
        usual = max(counts, key=lambda version: (counts[version], version))
        if () < newest < usual:
            updates.append({"month": month, "os_version": ".".join(map(str, usual))})
        newest = max(newest, usual)
    return updates


def _is_macos(version: object) -> bool:
    return re.fullmatch(r"\d+(\.\d+)*", str(version)) is not None


def _version_numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
