"""What was made of late and may be wanted again: so many things, and no more."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any


class Recent:
    """The last `most` things that were asked for; questions name what nobody can foresee."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def of(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` returned for this key, made again if that is long ago."""
        if key not in self._kept:
            self._kept[key] = make()
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def kept(self) -> list[tuple[Hashable, Any]]:
        """What there is, by its key: what was asked for last comes last."""
        return [*self._kept.items()]
