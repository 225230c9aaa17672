"""Numbers for what rows name again and again: machines, setups, flags."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.columns.devices import Devices
from macmeter.columns.numbered import Numbered, NumberedBytes
from macmeter.columns.recent import Recent

Ints = NDArray[np.integer[Any]]

# What a question may name of a run that isn't part of its setup: each run would be one of its own.
APART = ("machine", "month")
# Every dimension's and some labels' codes: any label may be asked for.
_MOST_CODES = 128
# Of a run, besides what questions name.
_OWN = (
    *("visibility", "fleet_id", "source", "method", "method_version", "unspecified"),
    *("derivation_version", "labels"),
)
SETUP = (
    *_OWN,
    *(
        name
        for name, dimension in catalog.DIMENSIONS.items()
        if dimension.of == "run" and name not in (*_OWN, *APART, "fleet")
    ),
)


class Host(NamedTuple):
    """The machine that a guest names, and on whose word."""

    machine_id: uuid.UUID
    token_id: uuid.UUID | None


class Names:
    """Everything that rows refer to by number. Number 0 of devices, hosts and flags is none."""

    def __init__(self) -> None:
        self.machines = NumberedBytes()
        self.setups: Numbered[tuple[Any, ...]] = Numbered()
        self.months: Numbered[str | None] = Numbered()
        self.devices = Devices()
        self.hosts: Numbered[Host | None] = Numbered([None])
        self.flags: Numbered[tuple[str, ...]] = Numbered([()])
        self._words: dict[Any, Any] = {}
        self._codes = Recent(_MOST_CODES)

    def setup(self, cells: tuple[Any, ...]) -> int:
        """The number of a setup. The same words are one object in all setups, here and in files:
        thousands say what hundreds of words can say.
        """
        number = self.setups.known(cells)
        if number is not None:
            return number
        # Not so numbers: what is true equals 1.
        kept = self._words.setdefault
        return self.setups.of(
            tuple(kept(cell, cell) if isinstance(cell, (str, tuple)) else cell for cell in cells)
        )

    def device_ids(self) -> Ints:
        """By number of a device, a code that drives share whatever holds them; 0 is not stated."""
        return self.devices.id_of()

    def machine_ids(self) -> NDArray[np.void]:
        """By number of a machine its id, of 16 bytes."""
        return self.machines.content().view("V16")

    def setup_values(self, name: str) -> tuple[Ints, list[Any]]:
        """For a dimension or part of setups: each setup's code, and the values that codes stand
        for.
        """
        coded: _Coded = self._codes.of(name, lambda: _Coded(_reader(name)))
        return coded.of(self.setups.things)

    def learn(self, known: Names) -> None:
        """Take over what others worked out of setups that have the same numbers there."""
        pairs = zip(self.setups.things, known.setups.things, strict=False)
        same = next(
            (number for number, (one, other) in enumerate(pairs) if one != other),
            min(len(self.setups), len(known.setups)),
        )
        for name, coded in known._codes.kept():
            self._codes.of(name, partial(coded.first, same))


class _Coded:
    """Codes of things, of which more come at any moment: those that are known keep theirs."""

    def __init__(self, read: Callable[[Any], Any], values: Iterable[Any] = ()) -> None:
        self._read = read
        self._values: Numbered[Any] = Numbered(values)
        self._codes: Ints = np.zeros(0, dtype=np.int64)

    def of(self, things: Sequence[Any]) -> tuple[Ints, list[Any]]:
        """By number of a thing its value's code, and the values that codes stand for."""
        if len(self._codes) != len(things):
            new = islice(things, len(self._codes), None)
            codes = np.fromiter((self._values.of(self._read(thing)) for thing in new), np.int64)
            self._codes = np.concatenate([self._codes, codes])
        return self._codes, self._values.things

    def first(self, count: int) -> _Coded:
        """The same of so many things."""
        found = _Coded(self._read, self._values.things)
        found._codes = self._codes[:count]
        return found


def _reader(name: str) -> Any:
    if name.startswith(catalog.LABEL_PREFIX):
        place, key = SETUP.index("labels"), name.removeprefix(catalog.LABEL_PREFIX)
        return lambda setup: dict(setup[place]).get(key)
    place = SETUP.index("fleet_id" if name == "fleet" else name)
    return lambda setup: setup[place]
