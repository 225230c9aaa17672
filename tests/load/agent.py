"""Running the agent and a reference program, and comparing their pairs."""

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
    """Build the agent and return its command: the last line of `tools/agent-build`."""
    process = subprocess.run(
        [ROOT / "tools" / "agent-build"], check=True, stdout=subprocess.PIPE, text=True
    )
    return process.stdout.splitlines()[-1]


@dataclass(frozen=True)
class Measured:
    """Output and cost of a command."""

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
    """Run a measuring command that keeps its run in `home`."""
    options, command = list(arguments), []
    if "--" in options:
        options, command = options[: options.index("--")], options[options.index("--") :]
    line = [agent, *options, "--json", "--no-upload", *command]
    home.mkdir(exist_ok=True)
    output = home / "printed.json"
    environment = os.environ | {"MACMETER_HOME": str(home / "state")}
    with output.open("wb") as printed:
        process = spent(line, home / "spent.json", environment, stdout=printed)
    if process.code != 0:
        raise RuntimeError(f"{' '.join(line)} ended with {process.code}")
    return Measured(
        [json.loads(text) for text in output.read_text().splitlines()],
        process.peak_memory,
        process.processor,
    )


def alternated(
    pairs: int, ours: Callable[[], float], theirs: Callable[[], float]
) -> list[tuple[float, float]]:
    """Measure (ours, theirs), alternating who goes first, so that drift favours neither."""
    pairs_measured = []
    for number in range(pairs):
        if number % 2 == 0:
            first = ours()
            pairs_measured.append((first, theirs()))
        else:
            second = theirs()
            pairs_measured.append((ours(), second))
    return pairs_measured


def compared(name: str, unit: str, pairs: list[tuple[float, float]]) -> dict[str, Any]:
    """Figure with the medians of both sides, and the median of the pairs' ratios."""
    return {
        "name": name,
        "value": statistics.median(ours for ours, _ in pairs),
        "unit": unit,
        "reference": statistics.median(theirs for _, theirs in pairs),
        "ratio": statistics.median(ours / theirs for ours, theirs in pairs),
        "n": len(pairs),
    }


def limited(name: str, unit: str, value: float, limit: float, n: int) -> dict[str, Any]:
    """Figure with a limit of our own as its reference."""
    return {
        "name": name,
        "value": value,
        "unit": unit,
        "reference": limit,
        "ratio": value / limit,
        "n": n,
    }


def compiled(source: Path, target: Path, *options: str) -> list[str]:
    """Compile a C program with the agent's compiler, and return the command that runs it there."""
    tool = [str(ROOT / "tools" / "swift"), "run-in"]
    search = 'PATH=$PATH:/usr/libexec/swift/bin exec clang "$@"'
    line = ["sh", "-c", search, "sh", "-O2", str(source), "-o", str(target), *options]
    subprocess.run([*tool, *line], check=True)
    return [*tool, str(target)]
