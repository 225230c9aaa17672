"""Limits on long requests: how many at once in total, and from one address."""

from __future__ import annotations

from collections import Counter

from macmeter.access.quota import network
from macmeter.errors import Problem

_COME_AGAIN = {"Retry-After": "60"}


class Turns:
    """In this process. `what` is the thing in the plural, as refusals call it: "downloads"."""

    def __init__(self, what: str, in_all: int, an_address: int) -> None:
        self._what = what
        self._in_all = in_all
        self._an_address = an_address
        self._taken = 0
        self._by_network: Counter[bytes] = Counter()

    def take(self, address: str | None) -> Turn:
        """One turn, to be given back; 429 where this address has all it may, 503 where all are
        taken. None is an address that is not limited.
        """
        of = network(address) if address is not None else None
        if of is not None and self._by_network[of] >= self._an_address:
            raise Problem(
                429,
                f"too_many_{self._what.replace(' ', '_')}",
                f"Too many {self._what}",
                f"One address can have {self._an_address} {self._what} at a time. "
                "Close one, or try again later.",
                headers=_COME_AGAIN,
            )
        if self._taken >= self._in_all:
            raise Problem(
                503,
                "busy",
                "Busy",
                f"This server serves {self._in_all} {self._what} at a time. Try again later.",
                headers=_COME_AGAIN,
            )
        return Turn(self, of)

    def _count(self, of: bytes | None, change: int) -> None:
        self._taken += change
        if of is not None:
            self._by_network[of] += change
            if not self._by_network[of]:
                del self._by_network[of]


class Turn:
    """Held from when it is made until it is given back."""

    def __init__(self, turns: Turns, of: bytes | None) -> None:
        self._turns = turns
        self._of = of
        self._held = True
        turns._count(of, 1)

    def give_back(self) -> None:
        if self._held:
            self._held = False
            self._turns._count(self._of, -1)
