"""The agent beside a reference program: how both are run, and how their pairs are compared."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.spent import spent

ROOT = Path(__file__).resolve().parents[2]
Document = dict[str, Any]


def built() -> str:
    """The command that runs the agent here: the last line of `tools/agent-build`."""
    done = subprocess.run(
        [ROOT / "tools" / "agent-build"], check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout.splitlines()[-1]


@dataclass(frozen=True)
class Measured:
    """What a command printed, and what it cost."""

    documents: list[Document]
    peak_memory: int
    """Bytes."""
    processor: float
    """Seconds of user and system time."""

    def values(self, metric: str, **parameters: object) -> list[float]:
        """All samples of a metric whose series has these parameters."""
        return [
            value
            for document in self.documents
            for series in document["series"]
            if series["metric"] == metric
            and parameters.items() <= series.get("parameters", {}).items()
            for value in series["values"]
        ]


def measure(agent: str, home: Path, *arguments: str) -> Measured:
    """Runs a measuring command that keeps its run in `home`."""
    own, command = list(arguments), []
    if "--" in own:
        own, command = own[: own.index("--")], own[own.index("--") :]
    line = [agent, *own, "--json", "--no-upload", *command]
    home.mkdir(exist_ok=True)
    output = home / "printed.json"
    environment = os.environ | {"MACMETER_HOME": str(home / "state")}
    with output.open("wb") as printed:
        done = spent(line, home / "spent.json", environment, stdout=printed)
    if done.code != 0:
        raise RuntimeError(f"{' '.join(line)} ended with {done.code}")
    return Measured(
        [json.loads(text) for text in output.read_text().splitlines()],
        done.peak_memory,
        done.processor,
    )


def alternated(
    pairs: int, ours: Callable[[], float], theirs: Callable[[], float]
) -> list[tuple[float, float]]:
    """(ours, theirs), taking turns at going first: what changes meanwhile favours neither."""
    found = []
    for number in range(pairs):
        if number % 2 == 0:
            first = ours()
            found.append((first, theirs()))
        else:
            second = theirs()
            found.append((ours(), second))
    return found


def compared(name: str, unit: str, pairs: list[tuple[float, float]]) -> dict[str, Any]:
    """Medians of both sides, and the median of the pairs' ratios."""
    return {
        "name": name,
        "value": statistics.median(ours for ours, _ in pairs),
        "unit": unit,
        "reference": statistics.median(theirs for _, theirs in pairs),
        "ratio": statistics.median(ours / theirs for ours, theirs in pairs),
        "n": len(pairs),
    }


def limited(name: str, unit: str, value: float, limit: float, n: int) -> dict[str, Any]:
    """A figure beside a limit that we have set ourselves."""
    return {
        "name": name,
        "value": value,
        "unit": unit,
        "reference": limit,
        "ratio": value / limit,
        "n": n,
    }


def compiled(source: Path, target: Path, *options: str) -> list[str]:
    """A C program of ours, compiled where the agent is; the command that runs it there."""
    tool = [str(ROOT / "tools" / "swift"), "run-in"]
    search = 'PATH=$PATH:/usr/libexec/swift/bin exec clang "$@"'
    line = ["sh", "-c", search, "sh", "-O2", str(source), "-o", str(target), *options]
    subprocess.run([*tool, *line], check=True)
    return [*tool, str(target)]
