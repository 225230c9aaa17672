"""What to do next about a Mac's figures: known causes of a slow one, and what else to measure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from macmeter import catalog
from macmeter.platform.plain_text import isolated
from macmeter.platform.release import VERSION
from macmeter.schemas.hardware import Headline, Verdict
from macmeter.schemas.machines import Line, Step


@dataclass(frozen=True)
class NextStep:
    """Something to do: a `command` for the Mac's terminal, or a comparison to open."""

    title: str
    text: str
    command: str = ""
    link: str = ""
    search: str = ""
    """The comparison's query string."""


# What slows a Mac down, and how to find out.
_CAUSES = {
    "nearly_full": (
        "Free some space",
        "{runs} on a nearly full volume, which writes more slowly. Free space, and run it again.",
    ),
    "low_power_mode": (
        "Turn off Low Power Mode",
        "{runs} in Low Power Mode, which slows the cores. Turn it off, and run it again.",
    ),
    "on_battery": ("Connect power", "{runs} on battery. Connect power, and run it again."),
    "hot": ("Let it cool", "{runs} on a Mac that was already hot. Let it cool, and run it again."),
    "busy_system": (
        "Close other apps",
        "{runs} made while the system was busy. Close other apps, and run it again.",
    ),
}
_COMMANDS = {
    "disk": "macmeter disk",
    "hash": "macmeter hash",
    "compression": "macmeter compress",
    "cores": "macmeter cores",
}


def next_steps(
    verdict: Verdict, machine: str, headline: Headline, headlines: Sequence[Headline]
) -> Iterator[NextStep]:
    """Yield what to do about a Mac's main figure and its step, likely causes first."""
    step, agent = verdict.step, verdict.old_agent
    suite = catalog.METRICS[headline.metric].suite
    command = _COMMANDS.get(suite, "")
    is_slow = headline.rank > 0.9 * headline.of and headline.of > 1
    causes = [*_causes(headline.line, step)] if step or is_slow else []
    for code, runs in causes[:1]:
        title, text = _CAUSES[code]
        yield NextStep(title, text.format(runs=runs), command)
    if agent and (step or is_slow):
        yield NextStep(
            "Update the agent",
            f"Its latest run came from agent {isolated(agent)}, and this server has {VERSION}. An "
            "older agent can measure in another way. Update it, and run it again.",
            " && ".join(filter(None, ["macmeter update", command])),
        )
    elif step is not None and not causes and command:
        yield NextStep(
            "Run it again",
            "Close other apps, connect power, and repeat the full test on that Mac.",
            command,
        )
    if step is not None and step.os_before != step.os_after:
        yield NextStep(
            "Report it",
            "Compare it before and after the update. Saved, the comparison keeps its figures and "
            "runs behind one link, for Apple or an admin.",
            link="Before and after",
            search=_before_and_after(machine, headline, step),
        )
    if headline.line is not None:
        yield from _more(headlines)


def _causes(line: Line | None, step: Step | None) -> Iterator[tuple[str, str]]:
    """Yield each cause that most of the newest runs have, and most of those before didn't."""
    if line is None:
        return
    ids = [point.run_id for point in line.points]
    start = ids.index(step.run_id) if step is not None and step.run_id in ids else -5
    before, since = line.points[:start], line.points[start:]
    for code in _CAUSES:
        having = sum(code in point.flags for point in since)
        had = sum(code in point.flags for point in before) if step is not None else 0
        if 2 * having > len(since) and 2 * had <= len(before):
            several = f"{having} of its latest {len(since)} runs were"
            yield code, several if len(since) > 1 else "Its latest run was"


def _before_and_after(machine: str, headline: Headline, step: Step) -> str:
    parameters = "".join(
        f"@{name}:{value:g}" if isinstance(value, float) else f"@{name}:{value}"
        for name, value in sorted(headline.parameters.items())
    )
    pairs = [("metric", headline.metric + parameters)]
    for side, version in enumerate((step.os_before, step.os_after), 1):
        pairs += [("side", f"{side}:machine:{machine}"), ("side", f"{side}:os_version:{version}")]
        pairs.append(("label", f"{side}:macOS {version}"))
    return "&".join(f"{name}={quote(text)}" for name, text in [*pairs, ("version", "2")])


def _more(headlines: Sequence[Headline]) -> Iterator[NextStep]:
    """Yield what a Mac without a change may still measure."""
    measured = {catalog.METRICS[headline.metric].suite for headline in headlines}
    missing = [command for suite, command in _COMMANDS.items() if suite not in measured]
    if missing:
        yield NextStep(
            "Measure more of it",
            "Each suite adds figures to this page, and their places among other Macs.",
            " && ".join(missing[:2]),
        )
    lines = [headline.line for headline in headlines if headline.line is not None]
    if all(line.days < line.fewest_days for line in lines):
        yield NextStep(
            "Watch for changes",
            "A weekly run tells when an update makes it slower.",
            "macmeter schedule --every week",
        )


AFTER_QUICK = (
    NextStep(
        "Run the full test",
        "A quick test is one pass over a few files. The full test takes longer and gives an "
        "interval.",
        "macmeter disk",
    ),
    NextStep(
        "Measure more than the disk",
        "Each suite adds figures to this page, and their places among other Macs.",
        "macmeter cores && macmeter compress",
    ),
    NextStep(
        "Watch for changes",
        "A weekly quick test tells when an update makes it slower.",
        "macmeter schedule --every week --quick",
    ),
)
