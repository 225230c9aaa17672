"""What stands under a chart: its sources, its flags, what was left out, and how many runs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from macmeter import catalog
from macmeter.figures.numbers import counted, day
from macmeter.figures.words import left_out, listed, plural

Json = dict[str, Any]


class Sources:
    """The articles behind published figures, numbered in the order the answer names them."""

    def __init__(self, answer: Json) -> None:
        self.citations: dict[str, Json] = {}
        for citation in _citations(answer):
            self.citations.setdefault(citation["article"], citation)
        self._numbers = {article: n for n, article in enumerate(self.citations, start=1)}

    def dagger(self, cited: Iterable[Json]) -> str:
        """ "†", or "†1,3" where several articles are cited; empty where none is."""
        numbers = sorted({self._numbers[citation["article"]] for citation in cited})
        if not numbers:
            return ""
        return "†" if len(self._numbers) == 1 else "†" + ",".join(map(str, numbers))

    def in_words(self) -> list[str]:
        """ "†1 Author, “Title”, Publisher, 17 Jul 2025"."""
        return [
            f"{self.dagger([citation])} {cited(citation)}" for citation in self.citations.values()
        ]


def cited(citation: Json) -> str:
    date = f", {day(citation['published'])}" if citation.get("published") else ", undated"
    return f"{citation['author']}, “{citation['title']}”, {citation['publisher']}{date}"


def _citations(answer: Json) -> Iterable[Json]:
    for result in answer["results"]:
        for group in result["groups"]:
            yield from group.get("citations") or []
        for figure in result["published"]:
            yield figure["citation"]


@dataclass(frozen=True)
class FlagNote:
    """A flag of the answer under the letter that stands for it beside figures."""

    letter: str
    doubt: bool
    sentence: str
    runs: int

    def in_words(self) -> str:
        """ "8 runs do not say their macOS version"."""
        sentence = self.sentence if self.runs == 1 else plural(self.sentence)
        return f"{counted(self.runs, 'run')} {sentence}"


def flag_notes(answer: Json) -> dict[str, FlagNote]:
    """Doubts first, then cautions, each by how often it occurs.

    Runs are counted once, though their figures stand in several groups and metrics.
    """
    runs: Counter[str] = Counter()
    for result in answer["results"]:
        here: Counter[str] = Counter()
        for groups in _same_runs(result):
            most: Counter[str] = Counter()
            for flag in (flag for group in groups for flag in group["flags"]):
                most[flag["code"]] = max(most[flag["code"]], flag["runs"])
            here.update(most)
        here.update(code for figure in result["published"] for code in figure["flags"])
        runs |= here
    order = sorted(runs, key=lambda code: (not catalog.is_doubt(code), -runs[code], code))
    return {
        code: FlagNote(_letter(n), catalog.is_doubt(code), catalog.flag(code).sentence, runs[code])
        for n, code in enumerate(order)
    }


def flags_in_words(flags: Sequence[FlagNote], letters: frozenset[str]) -> list[str]:
    """One paragraph, if any: of the flags under these letters, or of all without any letter."""
    told = [
        f"{flag.letter}: {flag.in_words()}" if letters else flag.in_words()
        for flag in flags
        if not letters or flag.letter in letters
    ]
    return [("Flags " if letters else "Flags: ") + " · ".join(told)] if told else []


def total_runs(answer: Json) -> int:
    """Runs behind the answer, as it counts them.

    One that was frozen before it did is asked for its groups: further metrics and file sizes are
    mostly of the same runs.
    """
    if "runs" in answer:
        return int(answer["runs"])
    return max(
        (
            sum(max(group["runs"] for group in groups) for groups in _same_runs(result))
            + len({figure["run_id"] for figure in result["published"]})
            for result in answer["results"]
        ),
        default=0,
    )


def left_out_in_words(answer: Json) -> str | None:
    """ "Left out: 4 runs that may have read from the cache."."""
    reasons: dict[str, int] = {}
    for result in answer["results"]:
        for excluded in result["excluded"]:
            reason = excluded["reason"]
            reasons[reason] = max(reasons.get(reason, 0), excluded["runs"])
    if not reasons:
        return None
    return f"Left out: {listed([left_out(code, runs) for code, runs in reasons.items()])}."


def _same_runs(result: Mapping[str, Any]) -> list[list[Json]]:
    """Groups of the same runs, which differ in a dimension of samples only."""
    found: dict[str, list[Json]] = {}
    for group in result["groups"]:
        of_runs = {
            name: value
            for name, value in group["key"].items()
            # A published figure is a run of its own, whatever it is of.
            if group["published"]
            or (known := catalog.dimension(name)) is None
            or known.of != "sample"
        }
        told = [of_runs, group["published"], group["method"], group["method_version"]]
        found.setdefault(json.dumps(told, sort_keys=True), []).append(group)
    return list(found.values())


def _letter(place: int) -> str:
    """a, b … z, aa, ab …"""
    last = chr(ord("a") + place % 26)
    return last if place < 26 else _letter(place // 26 - 1) + last
