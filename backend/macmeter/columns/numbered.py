"""Numbers for things that rows name again and again, in the order in which they were first met.

A number once given keeps its meaning, so that segments written earlier stay right.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=Hashable)


class Numbered(Generic[T]):
    """Things in the order in which they were first met; their places are their numbers."""

    def __init__(self, things: Iterable[T] = ()) -> None:
        self.things: list[T] = list(things)
        self._numbers = {thing: number for number, thing in enumerate(self.things)}

    def __len__(self) -> int:
        return len(self.things)

    def of(self, thing: T) -> int:
        """Its number, a new one where it has none."""
        number = self._numbers.get(thing)
        if number is None:
            number = self._numbers[thing] = len(self.things)
            self.things.append(thing)
        return number

    def known(self, thing: T) -> int | None:
        return self._numbers.get(thing)


class Written(NamedTuple):
    """N things as bytes, in arrays that may lie in a file."""

    content: NDArray[np.uint8]
    """One after another."""
    ends: NDArray[np.int64]
    """Where each one begins, and where the last ends: N + 1."""
    order: NDArray[np.int32]
    """Their numbers, ascending by their bytes."""

    @classmethod
    def of(cls, things: Sequence[bytes]) -> Written:
        return cls(
            np.frombuffer(b"".join(things), dtype=np.uint8),
            np.cumsum([0, *map(len, things)]),
            np.array(sorted(range(len(things)), key=things.__getitem__), dtype=np.int32),
        )

    def thing(self, number: int) -> bytes:
        return self.content[self.ends[number] : self.ends[number + 1]].tobytes()

    def known(self, thing: bytes) -> int | None:
        place = bisect_left(self.order, thing, key=self.thing)
        if place == len(self.order) or self.thing(self.order[place]) != thing:
            return None
        return int(self.order[place])


_NOTHING = Written.of([])


class NumberedBytes:
    """As `Numbered`, of very many things, each as bytes: objects are those alone that nobody had
    met when the others were written down.
    """

    def __init__(self, written: Written = _NOTHING) -> None:
        self._written = written
        self._new: Numbered[bytes] = Numbered()
        self._first_new = len(written.order)

    def __len__(self) -> int:
        return self._first_new + len(self._new)

    def __getitem__(self, number: int) -> bytes:
        if number < self._first_new:
            return self._written.thing(number)
        return self._new.things[number - self._first_new]

    def __iter__(self) -> Iterator[bytes]:
        return map(self.__getitem__, range(len(self)))

    def of(self, thing: bytes) -> int:
        """Its number, a new one where it has none."""
        number = self._written.known(thing)
        return number if number is not None else self._first_new + self._new.of(thing)

    def known(self, thing: bytes) -> int | None:
        number = self._written.known(thing)
        if number is None and (number := self._new.known(thing)) is not None:
            number += self._first_new
        return number

    def content(self) -> NDArray[np.uint8]:
        """Of all, one after another."""
        new = np.frombuffer(b"".join(self._new.things), dtype=np.uint8)
        return np.concatenate([self._written.content, new]) if len(new) else self._written.content

    def written(self) -> Written:
        """All of them, to be written down."""
        return Written.of([*self]) if len(self._new) else self._written
