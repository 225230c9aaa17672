"""A Mac's headline figures among those of Macs like it, and the verdict that leads its page.

Changes are those of its timeline (machines/timeline.py): a step that a test found, or one that is
large and has too few days to be tested. Nothing here tests again.
"""

import math
import uuid
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.scope import Principal
from macmeter.catalog.terms import Filters, Op, Term
from macmeter.documents.methods import RANKED_SIZES
from macmeter.documents.stored import object_at, stored_document
from macmeter.machines import hardware
from macmeter.machines.hardware import HEADLINES, HeadlineSpec, rank_among
from macmeter.machines.peers import Mac, groups_by_version, narrowed_to_line, sample_of
from macmeter.machines.queries import MIN_OTHERS
from macmeter.machines.rank import rank_of_run
from macmeter.machines.timeline import by_method, latest_of, longest_line
from macmeter.platform.errors import not_found
from macmeter.platform.release import newer_agent
from macmeter.questions.grouped import Key
from macmeter.questions.groups import Groups, groups_of, groups_of_machine
from macmeter.questions.question import Question
from macmeter.results.context import Reading, begin_reading
from macmeter.results.machines import facts_of, has_runs, newest_document
from macmeter.results.results import Measurement, measurements_of
from macmeter.schemas.hardware import (
    Hardware,
    HardwareDetail,
    Headline,
    Other,
    Peers,
    Verdict,
    VerdictKind,
)
from macmeter.schemas.machines import Line, Ranks, Step
from macmeter.statistics.shifts import shift_of
from macmeter.statistics.summary import Array

# As logarithms: the smallest tested step that a title is for, and the smallest untested one, which
# steady but noisy lines seldom have.
SMALLEST, LARGE = math.log(1.03), math.log(1.10)
# The metric that ranks a Mac without a change.
_MAIN = "disk.write_average"
# The condition that is dropped if no other Mac has the same value.
_RELAXED_FIRST = "encryption"


async def mac_detail(
    connection: AsyncConnection, slug: str, reader: Principal | None
) -> HardwareDetail:
    """Return a Mac among those of its chip, with hosts and VMs apart; 404 if it isn't readable."""
    try:
        machine = uuid.UUID(slug)
    except ValueError:
        raise not_found("machine") from None
    reading = await begin_reading(connection, reader)
    # Readers with access need only its address, not its fleet's.
    reading = replace(reading, scope=reading.scope.of_named_item)
    # Checked first: whatever the data set did with a hidden machine would reveal that it exists.
    facts = await facts_of(reading, machine) if await has_runs(reading, machine) else None
    if facts is None:
        raise not_found("machine")
    chip, model_name = facts["chip"], facts["model_name"]
    mac = Mac.of(reading, facts)
    term = Term("machine", Op.IS, str(machine))
    suites = hardware.suites_of(reading, (term,))
    thing = Hardware(str(machine), model_name or chip or "", [str(term)], sum(suites.values()), 1)
    pairs = [pair for spec in HEADLINES if (pair := await _headline(mac, spec))]
    related = [
        model
        for model in hardware.things(reading, "models")
        if hardware.values_of(model) == (chip, model_name)
    ]
    headlines = [headline for headline, _ in pairs]
    verdict = _verdict(mac, pairs, chip=chip, virtual=facts["virtual"])
    verdict = replace(verdict, old_agent=await _old_agent(reading, machine))
    if not any(headline.metric == _MAIN for headline in headlines) and verdict.step is None:
        ranks = await _quick_ranks(mac, connection, reader)
        if ranks is not None:
            verdict = replace(verdict, kind="quick", shown=None, ranks=ranks)
    return HardwareDetail("machines", thing, headlines, related, suites, verdict)


async def _old_agent(reading: Reading, machine: uuid.UUID) -> str | None:
    """Return the version of the agent behind the Mac's newest run if there is a newer one."""
    stored = await newest_document(reading, machine)
    agent = object_at(stored_document(stored), "agent") if stored is not None else None
    version = agent.get("version") if agent else None
    return version if isinstance(version, str) and newer_agent(version) else None


def choose_verdict(lines: Sequence[Line | None]) -> tuple[VerdictKind, int | None, Step | None]:
    """Return what to say of a Mac's lines: the kind, and the line and step that it is about.

    A tested step precedes an untested one, a larger step a smaller one.
    """
    changes: list[tuple[bool, float, int, Step]] = []
    for index, line in enumerate(lines):
        step = line.newest_step if line is not None else None
        if step is None:
            continue
        size, is_tested = abs(math.log(step.ratio)), step.certainty == "found"
        if size >= (SMALLEST if is_tested else LARGE):
            changes.append((is_tested, size, index, step))
    if changes:
        is_tested, _, index, step = max(changes, key=lambda change: change[:2])
        return ("changed" if is_tested else "unsure"), index, step
    return "placed", None, None


def is_tested(line: Line | None) -> bool:
    """Whether a line has enough days for a test of its level."""
    return line is not None and line.days >= line.fewest_days


_OnVersions = tuple[Headline, Groups]
"""A headline, and its question's groups by macOS version."""


def _verdict(mac: Mac, pairs: Sequence[_OnVersions], *, chip: str | None, virtual: bool) -> Verdict:
    if not pairs:
        return Verdict("none", chip, virtual)
    lines = [headline.line for headline, _ in pairs]
    kind, index, step = choose_verdict(lines)
    if index is None:
        index = _main_index([headline for headline, _ in pairs])
        kind = "steady" if is_tested(lines[index]) else "placed"
    others = [line for number, line in enumerate(lines) if step is None or number != index]
    headline, versions = pairs[index]
    return Verdict(
        kind,
        chip,
        virtual,
        index,
        step,
        _peers(mac, headline, versions, step) if step else None,
        sum(map(is_tested, others)),
        math.exp(SMALLEST) - 1,
    )


def _main_index(headlines: Sequence[Headline]) -> int:
    """Index of the headline to rank a Mac by: its write speed, else that with most others."""

    def voice(index: int) -> tuple[bool, int]:
        return headlines[index].metric == _MAIN, headlines[index].of

    return max(range(len(headlines)), key=voice)


def _peers(mac: Mac, headline: Headline, versions: Groups, step: Step) -> Peers | None:
    """Return how others changed that measured on the step's two versions of macOS."""
    if step.os_before is None or step.os_before == step.os_after:
        return None
    sides = [
        mac.by_machine(versions.get(_key(headline, version)))
        for version in (step.os_before, step.os_after)
    ]
    common = sorted(sides[0].keys() & sides[1].keys())
    if not common:
        return None
    before, after = (np.array([side[number] for number in common]) for side in sides)
    moved = np.log(after / before)
    shift = shift_of(moved[np.isfinite(moved)])
    return Peers(shift.machines, shift.effect, shift.low, shift.high)


def _key(headline: Headline, version: str | None) -> Key:
    return Key((version,), headline.published, headline.method, headline.method_version)


async def _headline(mac: Mac, spec: HeadlineSpec) -> _OnVersions | None:
    question = hardware.asking(Question((), (), mac.alike), spec)
    measured = await measurements_of(mac.reading, mac.id, question.filters)
    line = longest_line(result for result in measured if result.source != "published")
    if line is None:
        published = _published_headline(mac, question)
        return (published, {}) if published is not None else None
    like = narrowed_to_line(question, line)
    versions = groups_by_version(mac, like)
    is_alone = not any(len(mac.others(group)) for group in versions.values())
    if is_alone and any(term.dimension == _RELAXED_FIRST for term in like.where):
        where = tuple(term for term in like.where if term.dimension != _RELAXED_FIRST)
        like = replace(like, where=where)
        versions = groups_by_version(mac, like)
    headline = _latest(mac, like, versions, line, measured)
    return replace(headline, parameters=hardware.fixed_of(question), widened=is_alone), versions


def _latest(
    mac: Mac, question: Question, versions: Groups, line: Line, measured: list[Measurement]
) -> Headline:
    """Place a Mac's latest figure among others on its macOS; if they are too few, on any."""
    key = Key((), False, line.method, line.method_version)
    results = by_method(measured, line.metric, line.method, line.method_version)
    latest, os_version = latest_of([line]), line.points[-1].os_version
    same = versions.get(replace(key, by=(os_version,)))
    others = mac.others(same)
    if os_version is not None and len(others) >= MIN_OTHERS:
        terms = (*question.where, Term("os_version", Op.IS, os_version))
        question, group = replace(question, where=tuple(sorted(terms, key=str))), same
    else:
        group = groups_of(mac.reading, question).get(key)
        others = mac.others(group)
    assert group is not None
    headline = hardware.headline_of(question, key, group.of_machine(mac.number), _to_others(others))
    usual = float(median(result.value for result in results))
    all_runs = len({result.run_id for result in results})
    is_all = latest.runs == all_runs
    peers = [Other(value) for value in others.tolist()]
    return replace(
        headline,
        value=latest.value,
        # The interval is that of all runs.
        low=headline.low if is_all else None,
        high=headline.high if is_all else None,
        runs=latest.runs,
        rank=rank_among(headline.better, latest.value, peers),
        of=len(peers) + 1,
        os_version=latest.os_version,
        usual=usual,
        all_runs=all_runs,
        line=line,
    )


def _published_headline(mac: Mac, question: Question) -> Headline | None:
    """Return the figure that an article prints, which has no date."""
    groups = groups_of(mac.reading, question)
    own = groups_of_machine(groups, mac.number)
    key = hardware.spoken_for(own)
    if key is None:
        return None
    others = mac.others(groups[key])
    figure = hardware.headline_of(question, key, own[key], _to_others(others))
    peers = [Other(value) for value in others.tolist()]
    return replace(figure, rank=rank_among(figure.better, figure.value, peers), of=len(peers) + 1)


def _to_others(values: Array) -> list[Other]:
    return [Other(value) for value in sample_of(values)]


async def _quick_ranks(
    mac: Mac, connection: AsyncConnection, reader: Principal | None
) -> Ranks | None:
    """Return the ranks of its newest disk run, if that has any."""
    size = Term("file_size", Op.IS, float(RANKED_SIZES[0]))
    filters = Filters(("disk.write_speed",), (size,))
    measured = await measurements_of(mac.reading, mac.id, filters)
    if not measured or measured[-1].source == "published":
        return None
    ranks = await rank_of_run(connection, measured[-1].run_id, reader)
    return ranks if ranks.ranks else None
