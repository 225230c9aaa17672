"""What a run was made on, by number, and by that the drive."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from macmeter.columns.numbered import NumberedBytes

_NONE = np.zeros(0, dtype=np.int32)


class Device(NamedTuple):
    """What of a run tells its drive from another: pairs must agree in it."""

    device_id: str | None
    # What is stated of the volume that holds the image or the guest's disk, as sorted items.
    holder: tuple[tuple[str, str], ...] | None


class Devices:
    """Devices in the order in which they were first met. Number 0 is none."""

    def __init__(
        self,
        things: NumberedBytes | None = None,
        ids: NumberedBytes | None = None,
        id_of: NDArray[np.int32] = _NONE,
    ) -> None:
        """`things` are devices as JSON, and `ids` what drives are called, also as JSON; `id_of` has
        for each device the number of its drive's.
        """
        self.things, self.ids = things or NumberedBytes(), ids or NumberedBytes()
        self._id_of = id_of
        self._new_id_of: list[int] = []
        if not len(self):
            self.of(Device(None, None))

    def __len__(self) -> int:
        return len(self._id_of) + len(self._new_id_of)

    def __getitem__(self, number: int) -> Device:
        device_id, holder = orjson.loads(self.things[number])
        return Device(device_id, None if holder is None else tuple(map(tuple, holder)))

    def of(self, device: Device) -> int:
        """Its number, a new one where it has none."""
        number = self.things.of(_told([*device]))
        if number == len(self):
            self._new_id_of.append(self.ids.of(_told(device.device_id)))
        return number

    def id_of(self) -> NDArray[np.int32]:
        """By number of a device, a code that drives share whatever holds them; 0 is not stated."""
        return np.append(self._id_of, np.array(self._new_id_of, dtype=np.int32))


def _told(value: Any) -> bytes:
    return orjson.dumps(value)
