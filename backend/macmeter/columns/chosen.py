"""Which runs of a segment a question is about, and what is kept of that for the next one."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import ref

import numpy as np

from macmeter.columns.segment import Bools, Segment


@dataclass(frozen=True, eq=False)
class Chosen:
    """Which runs of a segment match, and by setup whether all of its runs do, or any may."""

    mask: Bools | None
    """By run; None where all match."""
    whole: Bools
    """By setup, whether all of its runs are chosen."""
    some: Bools
    """By setup, whether any of its runs may be: of others none is."""

    def standing(self, segment: Segment, alive: Bools) -> Chosen:
        """Without those that are gone."""
        if alive.all():
            return self
        whole = self.whole.copy()
        whole[segment.runs.setup[~alive]] = False
        mask = alive if self.mask is None else self.mask & alive
        return Chosen(mask, whole, self.some)


class Kept:
    """What was chosen, without a look at which are alive: in a bit a run while nobody uses it."""

    def __init__(self, chosen: Chosen, runs: int) -> None:
        """Of so many runs."""
        self._runs = runs
        self._bits = None if chosen.mask is None else np.packbits(chosen.mask)
        self._by_setup = chosen.whole, chosen.some
        self._used = ref(chosen)

    @property
    def chosen(self) -> Chosen:
        """The same one for all who use it at the same time."""
        chosen = self._used()
        if chosen is None:
            chosen = Chosen(self._mask(), *self._by_setup)
            self._used = ref(chosen)
        return chosen

    def _mask(self) -> Bools | None:
        if self._bits is None:
            return None
        return np.unpackbits(self._bits, count=self._runs).view(bool)
