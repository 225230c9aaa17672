"""From which month on most Macs behind an answer ran a newer macOS: what else changed then."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import replace

from macmeter.answers.answer import NewerMacos
from macmeter.queries.groups import groups_of
from macmeter.queries.question import Question
from macmeter.reading.moment import Reading

_BY = ("month", "os_version")


def updates_of(reading: Reading, question: Question) -> list[NewerMacos]:
    """Updates by month, among what Macs measured of the first metric.

    A month in which most of them had an older one again isn't counted.
    """
    asked = replace(question, by=_BY, relative_to=(), fit=None)
    machines: dict[str, Counter[tuple[int, ...]]] = defaultdict(Counter)
    for key, group in groups_of(reading, asked, question.metrics[0], question.where).items():
        month, version = key.by
        if month is not None and _is_macos(version) and not key.published:
            machines[str(month)][_parts(str(version))] += group.machine_count
    found: list[NewerMacos] = []
    newest: tuple[int, ...] = ()
    for month, counts in sorted(machines.items()):
        usual = max(counts, key=lambda version: (counts[version], version))
        if () < newest < usual:
            found.append({"month": month, "os_version": ".".join(map(str, usual))})
        newest = max(newest, usual)
    return found


def _is_macos(version: object) -> bool:
    return re.fullmatch(r"\d+(\.\d+)*", str(version)) is not None


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
