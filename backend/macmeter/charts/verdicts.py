"""A Mac's verdict in words: the title of its page, and what it rests on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from macmeter import catalog
from macmeter.catalog import Better
from macmeter.charts import numbers, words
from macmeter.charts.next_steps import AFTER_QUICK, NextStep, next_steps
from macmeter.charts.ranks import (
    faster_than,
    macs_measured,
    measured_speed,
    model_sentence,
    ranked_drive,
)
from macmeter.charts.strips import Strip, strip_of
from macmeter.charts.words import parameters_text, uncapitalised
from macmeter.schemas.hardware import HardwareDetail, Headline, Other, Peers, Verdict
from macmeter.schemas.machines import Line, Rank, Step


@dataclass(frozen=True)
class VerdictResponse:
    """A Mac's verdict as text."""

    title: str
    mark: str
    """The change that the title contains, to be highlighted; empty if there is none."""
    worse: bool | None
    """Whether the change is for the worse; null without a change or a better direction."""
    lede: str
    note: str
    shown: int | None
    """Index of the headline that the verdict is about."""
    place: str
    """Rank among its peers, in words."""
    peers: str
    strip: Strip | None
    """Values of its peers, if it has no headline."""
    next: tuple[NextStep, ...]


def render_verdict(detail: HardwareDetail, verdict: Verdict) -> VerdictResponse:
    machine, headlines = detail.thing.slug, detail.headlines
    if verdict.ranks is not None:
        return _quick_verdict(verdict, verdict.ranks.ranks)
    if verdict.shown is None:
        return VerdictResponse(
            _runs_title(detail),
            "",
            None,
            "Macs are compared by storage, hashing, compression, cores and Geekbench.",
            *("", None, "", peers_name(verdict), None, ()),
        )
    headline = headlines[verdict.shown]
    title, mark = _title(verdict, headline, headlines)
    return VerdictResponse(
        title,
        mark,
        _is_worse(headline, verdict.step),
        _lede(verdict, headline, headlines),
        _note(verdict, headline),
        verdict.shown,
        rank_text(headline, peers_name(verdict)),
        peers_name(verdict),
        None,
        tuple([*next_steps(verdict, machine, headline, headlines)][:3]),
    )


def _runs_title(detail: HardwareDetail) -> str:
    """Format "3 runs of Power and Workloads: nothing to compare yet"."""
    suites = words.listed([words.value_text("suite", suite) for suite in detail.suites])
    runs = numbers.counted(detail.thing.runs, "run")
    return f"{runs}{f' of {suites}' if suites else ''}: nothing to compare yet"


def _title(verdict: Verdict, headline: Headline, headlines: Sequence[Headline]) -> tuple[str, str]:
    """Format "Write speed −30 % since macOS 26.2; other M4 Pros did not change"."""
    name, step = figure_name(headline), verdict.step
    if step is None:
        rank = rank_text(headline, peers_name(verdict))
        if headline.published:
            return f"{name} {_value_text(headline)}, as an article printed it", ""
        if headline.of == 1:
            return f"{name} {_value_text(headline)}: {rank}", ""
        if verdict.kind == "placed":
            return f"{name} is {rank}", ""
        all_tested = verdict.tested == sum(item.line is not None for item in headlines)
        if all_tested and verdict.tested > 1:
            return f"Nothing changed: {uncapitalised(name)} is {rank}", ""
        return f"{name} did not change: {rank}", ""
    mark = numbers.change_text(step.ratio)
    others = _peer_change(verdict, step)
    if verdict.kind == "unsure":
        others = others or ": too few runs to be sure"
        return f"{name} perhaps {mark} {_since(step)}{others}", mark
    return f"{name} {mark} {_since(step)}{others}", mark


def figure_name(headline: Headline) -> str:
    """Format "Write speed", "Compression speed, 8 threads"."""
    metric = catalog.METRICS[headline.metric]
    if metric.suite == "score":
        return f"Geekbench, {str(headline.parameters.get('test')).lower()}"
    return ", ".join(filter(None, [metric.title, parameters_text(headline.parameters)]))


def _since(step: Step) -> str:
    """Format "since macOS 26.2", or the day if it came without an update."""
    updated = step.os_after and step.os_before != step.os_after
    after = words.system_text(step.os_after) if updated and step.os_after else numbers.day(step.at)
    return f"since {after}"


def _peer_change(verdict: Verdict, step: Step) -> str:
    """Say how peers changed; empty if their interval leaves that open."""
    peers = verdict.peers
    if peers is None or peers.low is None or peers.high is None:
        return ""
    name, moved = f"other {peers_name(verdict)}", numbers.change_text(peers.effect)
    change, bounds = math.log(step.ratio), (math.log(peers.low), math.log(peers.high))
    if bounds[0] <= 0 <= bounds[1]:
        is_narrow = max(map(abs, bounds)) < abs(change) / 2
        return f"; {name} did not change" if is_narrow else ""
    share = math.log(peers.effect) / change
    return f"; {name} {'only ' if 0 < share < 0.5 else ''}{moved}{' too' * (share >= 0.5)}"


def peers_name(verdict: Verdict) -> str:
    """Format "M4 Pros", "M2 Macs", "M4 VMs"."""
    chip = (verdict.chip or "").removeprefix("Apple ").removesuffix(" (Virtual)")
    if verdict.virtual:
        return f"{chip} VMs".strip()
    return f"{chip}s" if chip.endswith((" Pro", " Ultra")) else f"{chip} Macs".strip()


def _value_text(headline: Headline) -> str:
    return numbers.quantity(headline.value, headline.unit)


def rank_text(headline: Headline, peers: str) -> str:
    """Format "10th of 25 M4 Pros", "the slowest of 2 M4 VMs", "no other M1 Ultras yet"."""
    if headline.of == 1:
        return f"no other {'published ' * headline.published}{peers} yet"
    peers = f"{'published ' * headline.published}{peers}"
    if headline.better == Better.NONE.value:
        return f"one of {numbers.fixed(headline.of, 0)} {peers}"
    return f"{_ordinal_text(headline)} of {numbers.fixed(headline.of, 0)} {peers}"


def _ordinal_text(headline: Headline) -> str:
    is_speed = numbers.is_speed(headline.unit)
    if headline.rank == 1:
        return "the fastest" if is_speed else "the best"
    if headline.rank == headline.of:
        return "the slowest" if is_speed else "the last"
    return numbers.ordinal(headline.rank)


def _is_worse(headline: Headline, step: Step | None) -> bool | None:
    if step is None or headline.better == Better.NONE.value:
        return None
    return (step.ratio < 1) == (headline.better == Better.HIGHER.value)


def _lede(verdict: Verdict, headline: Headline, headlines: Sequence[Headline]) -> str:
    step, line = verdict.step, headline.line
    rank = rank_text(headline, peers_name(verdict))
    if step is not None:
        scale = numbers.scale_for(headline.unit, [max(step.before, step.after)])
        before, after = (numbers.in_unit(value, scale) for value in (step.before, step.after))
        text = (
            f"{numbers.with_unit(after, scale.symbol)} in {_run_count(step.runs_after)} since,"
            f" {before} in the {numbers.fixed(step.runs_before, 0)} before."
            f"{' These are too few to be sure.' * (verdict.kind == 'unsure')}"
            f" It’s now {rank}."
        )
        return f"{text} {_other_changes(verdict, headlines)}".strip()
    if line is None:
        text = f"It is {rank}. " if headline.of > 1 else ""
        return f"{text}A figure from an article has no date, so no change shows."
    on = f" on {words.system_text(headline.os_version)}" if headline.os_version else ""
    text = f"{_value_text(headline)} in its latest {_run_count(headline.runs)}{on}."
    if headline.widened and headline.of > 1:
        text += f" No other of the {peers_name(verdict)} has the same encryption."
    if verdict.kind == "placed":
        return f"{text} {line.days} of the {line.fewest_days} days needed to detect a change."
    tested = numbers.counted(verdict.tested, "figure")
    smallest = numbers.whole_percent(verdict.smallest)
    return f"{text} Tests of {tested} found no change of {smallest} or more."


def _run_count(count: int) -> str:
    return numbers.counted(count, "run")


def _other_changes(verdict: Verdict, headlines: Sequence[Headline]) -> str:
    """Say what else changed, or that tests of the others found nothing."""
    moved = [
        f"{uncapitalised(figure_name(headline))} {numbers.change_text(step.ratio)}"
        for index, headline in enumerate(headlines)
        if index != verdict.shown
        and (step := newest_found_step(headline.line)) is not None
        and abs(step.ratio - 1) >= verdict.smallest
    ]
    if moved:
        return f"Also changed: {words.listed(moved)}."
    if not verdict.tested:
        return ""
    return f"Tests of {numbers.counted(verdict.tested, 'other figure')} found no change."


def newest_found_step(line: Line | None) -> Step | None:
    """Return a line's newest step that a statistical test found."""
    steps = line.steps if line is not None else []
    return next((step for step in reversed(steps) if step.certainty == "found"), None)


def _note(verdict: Verdict, headline: Headline) -> str:
    sentences = []
    if verdict.step is not None and verdict.peers is not None:
        sentences.append(_peers_note(verdict.peers, verdict.step))
    if verdict.kind == "changed":
        sentences.append("The false-alarm rate is below 1 %.")
    if verdict.kind == "unsure" and headline.line is not None:
        sentences.append(
            f"The step is larger than its runs vary. A test needs {headline.line.fewest_days} days,"
            f" several of them on each side."
        )
    return " ".join(sentences)


def _peers_note(peers: Peers, step: Step) -> str:
    """Format "24 others measured on macOS 26.1 and 26.2: median change −0.1 % (95%: …)."."""
    interval = ""
    if peers.low is not None and peers.high is not None:
        low, high = (_change_text(end) for end in (peers.low, peers.high))
        interval = f" (95%: {low} to {high})"
    others = numbers.counted(peers.machines, "other")
    return (
        f"{others} measured on macOS {step.os_before} and {step.os_after}:"
        f" median change {_change_text(peers.effect)}{interval}."
    )


def _change_text(ratio: float) -> str:
    """Format "−12 %", or 0.0 % for what would be less than a tenth."""
    text = numbers.change_text(ratio)
    return numbers.with_unit("0.0", "%") if "<" in text or ratio == 1 else text


def change_summary(line: Line | None) -> str:
    """Format "−30 % since macOS 26.2", "no change"; empty without dated runs."""
    if line is None:
        return ""
    step = line.newest_step
    if step is not None:
        unsure = "perhaps " * (step.certainty == "too_few")
        return f"{unsure}{numbers.change_text(step.ratio)} {_since(step)}"
    if line.days < line.fewest_days:
        return f"too few days yet ({line.days} of {line.fewest_days})"
    return "no change"


def _quick_verdict(verdict: Verdict, ranks: Sequence[Rank]) -> VerdictResponse:
    """Lead with the rank of the newest quick run: "Its internal SSD is faster than 62 % of …"."""
    rank = ranks[0]
    drive, speed = ranked_drive(rank, "Its"), measured_speed(rank)
    than = faster_than(rank)
    others = f"other {rank.name}"
    title = f"{drive} is {than}" if than else f"{drive} {speed}"
    median_clause = ""
    if rank.others and len(rank.others) == rank.macs:
        median_speed = numbers.quantity(median(rank.others), rank.unit)
        median_clause = f"; the median of {numbers.fixed(rank.macs, 0)} {others} is {median_speed}"
    measured = macs_measured(rank.macs)
    note = "" if than else f" A percentile needs {rank.minimum} {others}, and {measured}."
    return VerdictResponse(
        title,
        "",
        None,
        f"It {speed}{median_clause}.{note}{model_sentence(rank)}",
        "One dot is one Mac. Quick and full tests are compared over the same files.",
        None,
        title,
        rank.name,
        strip_of(
            rank.value, [*map(Other, rank.others)], rank.unit, catalog.METRICS[rank.metric].better
        )
        if rank.others
        else None,
        AFTER_QUICK,
    )
