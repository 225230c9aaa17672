"""Counters of all workers since the server started, for /metrics.

Each worker writes only its own row of shared memory: a killed worker can't leave a lock behind, and
its successor continues with its row.
"""

import mmap
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# Kinds of requests: the first pattern that matches method and address wins.
_TABLE = (
    ("upload", r"PUT /api/v1/runs/"),
    ("batch", r"POST /api/v1/runs/batch"),
    ("writing", r"(PUT|POST|DELETE|PATCH) /api/v1/(runs|comparisons|tokens)"),
    ("picture", r"\w+ /.*/chart\.(png|svg)$"),
    ("answer", r"\w+ /api/v1/(answer|percentile|residency|starting-point)"),
    ("facets", r"\w+ /api/v1/facets"),
    ("compare", r"\w+ /api/v1/compar"),
    ("list", r"\w+ /api/v1/(runs|doubted|sources|chips|machines)$"),
    ("machine", r"\w+ /api/v1/machines/"),
    ("run", r"\w+ /api/v1/runs/"),
    ("download", r"\w+ /api/v1/corpus"),
    ("live", r"\w+ /api/v1/events"),
    ("operation", r"\w+ /(healthz|readyz|metrics)$"),
    ("api", r"\w+ /api/"),
    ("page", r"\w+ /"),
)
KINDS = (*(kind for kind, _ in _TABLE), "other")
# Requests that a server computes while somebody waits.
QUESTIONS = frozenset({"answer", "facets", "compare", "picture", "list", "machine", "run"})

_PATTERN = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _TABLE))


def kind_of(method: str, path: str) -> str:
    """Return one of KINDS."""
    match = _PATTERN.match(f"{method} {path}")
    return match.lastgroup or "other" if match else "other"


_STATUSES = ("2xx", "3xx", "4xx", "5xx")
QUEUES = ("questions", "documents", "uploads")


@dataclass(frozen=True)
class Measure:
    """A counter, a gauge, or a histogram if it has bounds."""

    name: str
    help: str
    labels: tuple[str, ...] = ("",)
    bounds: tuple[float, ...] = ()
    gauge: bool = False

    @property
    def width(self) -> int:
        """Count of numbers per label: a histogram has its buckets, the sum and the count."""
        return len(self.bounds) + 2 if self.bounds else 1

    @property
    def type(self) -> str:
        return "histogram" if self.bounds else "gauge" if self.gauge else "counter"


MEASURES = (
    Measure(
        "macmeter_requests_total",
        "Responses begun, by kind and status.",
        tuple(f'kind="{kind}",status="{status}"' for kind in KINDS for status in _STATUSES),
    ),
    Measure(
        "macmeter_request_seconds",
        "From the end of a request's headers to the beginning of its response.",
        tuple(f'kind="{kind}"' for kind in KINDS),
        (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
    ),
    Measure(
        "macmeter_answers_total",
        "Answers and pictures sent, by whether they were in the cache.",
        ('kept="yes"', 'kept="no"'),
    ),
    Measure("macmeter_slow_questions_total", "Questions that took longer than SLOW_SECONDS."),
    Measure(
        "macmeter_queue_length",
        "Who waits for a turn: questions, long documents, or uploads for a commit.",
        tuple(f'queue="{queue}"' for queue in QUEUES),
        gauge=True,
    ),
    Measure(
        "macmeter_commit_runs",
        "Runs that shared a commit.",
        bounds=(1, 2, 4, 8, 12, 16),
    ),
)


def _offsets() -> dict[tuple[str, str], tuple[int, Measure]]:
    offsets, offset = {}, 0
    for measure in MEASURES:
        for label in measure.labels:
            offsets[measure.name, label] = (offset, measure)
            offset += measure.width
    return offsets


_OFFSETS = _offsets()
_WIDTH = sum(measure.width * len(measure.labels) for measure in MEASURES)


class Counters:
    """Rows of all workers, in a file that each maps into its memory; without a file, of this
    process alone.
    """

    def __init__(self, workers: int = 1, path: Path | None = None, number: int = 0) -> None:
        """Write to the row of worker `number`, counted from 0."""
        size = workers * _WIDTH * np.dtype(float).itemsize
        if path is None:
            memory = mmap.mmap(-1, size)
        else:
            with path.open("r+b") as file:
                file.truncate(size)
                memory = mmap.mmap(file.fileno(), size)
        self._cells = memoryview(memory).cast("d")
        self._start = number * _WIDTH

    def begin(self) -> None:
        """Reset this row's gauges, which a previous worker may have left; keep its counters."""
        for offset, measure in _OFFSETS.values():
            if measure.gauge:
                self._cells[self._start + offset] = 0.0

    def add(self, name: str, label: str = "", by: float = 1.0) -> None:
        """Add to a counter or gauge; `by` may be negative for a gauge."""
        self._cells[self._start + _OFFSETS[name, label][0]] += by

    def observe(self, name: str, value: float, label: str = "") -> None:
        """Add a value to a histogram."""
        offset, measure = _OFFSETS[name, label]
        offset += self._start
        for number, bound in enumerate(measure.bounds):
            if value <= bound:
                self._cells[offset + number] += 1
                break
        self._cells[offset + measure.width - 2] += value
        self._cells[offset + measure.width - 1] += 1

    def lines(self) -> Iterator[str]:
        """Yield the sums over all workers in the Prometheus text format."""
        total = np.array(self._cells).reshape(-1, _WIDTH).sum(axis=0).tolist()
        for measure in MEASURES:
            yield f"# HELP {measure.name} {measure.help}"
            yield f"# TYPE {measure.name} {measure.type}"
            for label in measure.labels:
                offset, _ = _OFFSETS[measure.name, label]
                yield from _lines(measure, label, total[offset : offset + measure.width])


def _lines(measure: Measure, label: str, numbers: list[float]) -> Iterator[str]:
    if not measure.bounds:
        yield f"{_labelled(measure.name, label)} {numbers[0]:g}"
        return
    count = 0.0
    for bound, number in zip(measure.bounds, numbers, strict=False):
        count += number
        within = f'le="{bound:g}"'
        yield f"{_labelled(f'{measure.name}_bucket', label, within)} {count:.0f}"
    within = 'le="+Inf"'
    yield f"{_labelled(f'{measure.name}_bucket', label, within)} {numbers[-1]:.0f}"
    yield f"{_labelled(f'{measure.name}_sum', label)} {numbers[-2]!r}"
    yield f"{_labelled(f'{measure.name}_count', label)} {numbers[-1]:.0f}"


def _labelled(name: str, *labels: str) -> str:
    listed = ",".join(label for label in labels if label)
    return f"{name}{{{listed}}}" if listed else name


_counters = Counters()


def own() -> Counters:
    """Return this process's counters."""
    return _counters


def use(tally: Counters) -> None:
    """Use these counters for this process from now on."""
    global _counters
    tally.begin()
    _counters = tally
