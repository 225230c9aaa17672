"""What is marked on an axis: where a tier of cores is full, and where macOS changed.

Curves over threads bend where one more thread no longer finds a core of its tier.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from macmeter.answers.answer import Answer, Key, QuestionTold
from macmeter.answers.runs import RunMachine
from macmeter.chips import Chip, ChipTier, configurations
from macmeter.figures.figure import Axis, Boundary
from macmeter.figures.words import system_text
from macmeter.terms import Value

MONTH = "month"
THREADS = "threads"
_CONTEXT = "core_context"


def boundaries_of(
    answer: Answer, axis: str, keys: Sequence[Key], across: Axis
) -> tuple[Boundary, ...]:
    """On an axis of threads those of the groups' chip, on one of months those of macOS."""
    if axis == MONTH:
        return tuple(_updates(answer, across))
    return _of_chip(answer, keys, across) if axis == THREADS else ()


def place_of_month(month: str) -> float:
    """ "2026-11": months are equally far from one another."""
    year, number = month.split("-")
    return float(int(year) * 12 + int(number) - 1)


def _updates(answer: Answer, across: Axis) -> Iterable[Boundary]:
    for update in answer.get("updates") or []:
        place = place_of_month(update["month"])
        if across.low <= place <= across.high:
            yield Boundary(place, place, system_text(update["os_version"]))


def _of_chip(answer: Answer, keys: Sequence[Key], across: Axis) -> tuple[Boundary, ...]:
    """Boundaries of one chip on its hosts; a VM's threads run on virtual CPUs."""
    question = answer["question"]
    hosts = [key for key in keys if not _asked(question, key, "virtual") & {True}]
    chips = {chip for key in hosts for chip in _chips(question, key)}
    if len(chips) != 1:
        return ()
    chip = chips.pop()
    measured = (g["key"] for of in answer["results"] for g in of["groups"] if not g["published"])
    of_chip = [key for key in measured if key.get("chip", chip) == chip]
    known = [one for one in configurations(chip) if not _is_refuted(one, of_chip)]
    background = {_is_background(_asked(question, key, _CONTEXT)) for key in hosts}
    return _full([one.tiers for one in known], background, across)


def tiers_of(machine: RunMachine, contexts: Iterable[Value], across: Axis) -> tuple[Boundary, ...]:
    """Boundaries of one Mac, whose own cores are known, for what its threads were asked for."""
    tiers = [Cores(tier["name"], tier["cores"]) for tier in machine.get("core_tiers") or []]
    background = {_is_background({context}) for context in contexts}
    return _full([tiers], background, across) if tiers else ()


class Cores(NamedTuple):
    """A tier as far as it is marked."""

    name: str
    cores: int


def _full(
    known: Sequence[Sequence[Cores | ChipTier]], background: set[bool], across: Axis
) -> tuple[Boundary, ...]:
    """Where the tiers of these configurations are full, fastest first."""
    fast = (_called(known, 0), {tiers[0].cores for tiers in known})
    slow = (_called(known, -1), {tiers[-1].cores for tiers in known})
    every = ("cores", {sum(tier.cores for tier in tiers) for tiers in known})
    counts = [fast, every] * (False in background) + [slow] * (True in background)
    found: dict[tuple[int, int], list[str]] = {}
    for called, cores in counts:
        if called and cores and across.low < min(cores) and max(cores) <= across.high:
            found.setdefault((min(cores), max(cores)), []).append(called)
    return tuple(
        Boundary(*span, f"{_written(*span)} {' or '.join(found[span])}")
        for span in sorted(found, key=max)
    )


def _asked(question: QuestionTold, key: Key, name: str) -> set[Value]:
    """What a group has of a dimension: by its key, or else by the filters."""
    if name in key:
        return {key[name]}
    terms = (term for term in question["where"] if term["dimension"] == name)
    return {term["value"] for term in terms if term["op"] == "is"}


def _chips(question: QuestionTold, key: Key) -> Iterable[str]:
    """A filter for a chip names its VMs' as well, which no host has."""
    named = map(str, _asked(question, key, "chip"))
    return (chip for chip in named if not chip.endswith("(Virtual)"))


def _is_refuted(chip: Chip, keys: Sequence[Key]) -> bool:
    """Whether no Mac has this configuration: more threads than its fast cores stayed on them."""
    fast = chip.tiers[0]
    alone, spilled = _threads(keys, f"{fast.name}/high"), _threads(keys, "+")
    most = max(alone, default=0.0)
    return most > fast.cores and not any(fast.cores < threads <= most for threads in spilled)


def _threads(keys: Sequence[Key], context: str) -> set[float]:
    """The numbers of threads of the groups whose context has that in its name."""
    named = (key for key in keys if context in str(key.get(_CONTEXT)))
    return {threads for key in named if isinstance(threads := key.get(THREADS), (int, float))}


def _is_background(contexts: set[Value]) -> bool:
    """Whether all its threads stay on the lowest tier."""
    return bool(contexts) and all(str(one).endswith("/background") for one in contexts)


def _called(known: Sequence[Sequence[Cores | ChipTier]], place: int) -> str:
    """ "P cores", as they are called in short."""
    names = {tiers[place].name for tiers in known}
    return f"{names.pop()[0]} cores" if len(names) == 1 else ""


def _written(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"
