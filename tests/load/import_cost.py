"""Cost of importing a long powermetrics recording: 50 MB, as text and as property lists."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from support.spent import spent

from load.agent import ROOT, built, limited

SIZE = 50_000_000
# 20 MB a second.
PROCESSOR_LIMIT = 2.5
MEMORY_LIMIT = 60_000_000
REPETITIONS = 3
FIXTURES = ROOT / "agent" / "Tests" / "Fixtures" / "mac"


def figures() -> list[dict[str, Any]]:
    """`import.50mb.cpu` and `import.50mb.memory`: those of the worse of the two forms."""
    agent = built()
    processor, memory = [], []
    with tempfile.TemporaryDirectory(prefix=".bench-import-", dir=ROOT) as name:
        directory = Path(name)
        for form, samples in (("txt", texts), ("plist", property_lists)):
            recording = directory / f"recording.{form}"
            write(recording, samples)
            for number in range(REPETITIONS):
                state = directory / f"{form}-{number}"
                seconds, peak = cost(agent, state, recording)
                processor.append(seconds)
                memory.append(peak)
            least = min(processor[-REPETITIONS:])
            print(f"  {form}: {least:.2f} s, {max(memory[-REPETITIONS:]) / 1e6:.1f} MB", flush=True)
    # Other work on this machine only adds to processor time.
    worst = max(min(processor[:REPETITIONS]), min(processor[REPETITIONS:]))
    return [
        limited("import.50mb.cpu", "s", worst, PROCESSOR_LIMIT, len(processor)),
        limited("import.50mb.memory", "B", max(memory), MEMORY_LIMIT, len(memory)),
    ]


def cost(agent: str, state: Path, recording: Path) -> tuple[float, int]:
    """Seconds of user and system time and the peak memory in bytes of one import."""
    line = [agent, "import", str(recording), "--no-upload"]
    environment = os.environ | {"MACMETER_HOME": str(state)}
    process = spent(line, state.with_suffix(".spent"), environment)
    if process.code != 0:
        raise RuntimeError(f"{' '.join(line)} ended with {process.code}")
    return process.processor, process.peak_memory


def write(path: Path, samples: Callable[[], Iterator[str]]) -> None:
    """Write at least SIZE bytes of samples, no two alike."""
    size = 0
    with path.open("w") as file:
        for sample in samples():
            size += file.write(sample)
            if size >= SIZE:
                return


def texts() -> Iterator[str]:
    """A heading, then samples as a Mac with eight cores in two clusters prints them."""
    yield "Machine model: Mac99,7\nOS version: 25F84\nBoot arguments:\n\n"
    number = 0
    while True:
        number += 1
        yield text_sample(number)


def text_sample(number: int) -> str:
    clock = f"{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}"
    lines = [
        f"*** Sampled system activity (Thu Jul 16 {clock} 2026 +0530) "
        f"({1000 + number % 977 / 100:.2f}ms elapsed) ***\n\n**** Processor usage ****\n"
    ]
    states = " ".join(f"{600 + 216 * step} MHz: {step * 0.9:.1f}%" for step in range(15))
    for cluster, first in (("E", 0), ("P", 4)):
        lines.append(f"{cluster}-Cluster HW active frequency: {1000 + number % 900} MHz")
        lines.append(
            f"{cluster}-Cluster HW active residency: {number % 9000 / 100:6.2f}% ({states})"
        )
        lines.append(f"{cluster}-Cluster idle residency: {100 - number % 9000 / 100:6.2f}%")
        for core in range(first, first + 4):
            share = (number * (core + 7)) % 10000 / 100
            lines.append(f"CPU {core} frequency: {1200 + (number + core) % 2000} MHz")
            lines.append(f"CPU {core} active residency: {share:6.2f}% ({states})")
            lines.append(f"CPU {core} idle residency: {100 - share:6.2f}%")
        lines.append("")
    powers = {"CPU": 1400 + number % 700, "GPU": 20 + number % 9, "ANE": 0}
    lines += [f"{part} Power: {power} mW" for part, power in powers.items()]
    lines.append(f"Combined Power (CPU + GPU + ANE): {sum(powers.values())} mW\n\n")
    return "\n".join(lines)


def property_lists() -> Iterator[str]:
    """The fixture's first document, repeated with different times and energies."""
    document = (FIXTURES / "powermetrics.plist").read_text().split("\0")[0]
    number = 0
    while True:
        number += 1
        elapsed = rf"\g<1>{1_000_000_000 + number}"
        yield re.sub(r"(<key>elapsed_ns</key>\s*<integer>)\d+", elapsed, document) + "\0"
