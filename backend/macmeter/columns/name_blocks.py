"""Names as bytes: in blocks, so that whoever knows most of them already makes only those that are
new. Of kinds that have very many things the blocks are arrays, which are used where they lie.
"""

from __future__ import annotations

import hashlib
import itertools
import pickle
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.devices import Devices
from macmeter.columns.names import Names
from macmeter.columns.numbered import Numbered, NumberedBytes, Written

_KINDS = ("setups", "months", "hosts", "flags")
# Numbers are given in order: where there are more things, only the last block changes.
_THINGS_OF_BLOCK = 4096
_ARRAYS = "arrays"
_WRITTEN = (np.uint8, np.int64, np.int32)
_OF_ARRAYS = (*_WRITTEN, *_WRITTEN, *_WRITTEN, np.int32)
# Arrays begin at multiples of it.
_ALIGNED = 8

Block = tuple[int, str]
"""How many bytes it has, and their digest."""
Told = Mapping[str, list[Block]]
"""By kind its blocks, as they follow each other."""


class Things(NamedTuple):
    """What is in blocks, by their digests."""

    arrays: dict[str, memoryview]
    lists: dict[str, list[Any]]


NO_THINGS = Things({}, {})


def packed(names: Names) -> tuple[bytes, Told]:
    content = bytearray()
    told: dict[str, list[Block]] = {_ARRAYS: []}
    for array in _arrays(names):
        of_array = array.tobytes()
        told[_ARRAYS].append((len(of_array), digest_of(of_array)))
        content += of_array + bytes(-len(of_array) % _ALIGNED)
    for kind in _KINDS:
        told[kind] = []
        for things in _in_blocks(getattr(names, kind).things):
            of_block, block = closed(things)
            content += of_block
            told[kind].append(block)
    return bytes(content), told


def unpacked(content: memoryview, told: Told, known: Things) -> tuple[Names, Things]:
    """The names, and what is in each block, of which `known` ones are not looked at again.

    ValueError where the content is not as it was written.
    """
    names, things, first = Names(), Things({}, {}), 0
    arrays = []
    for (length, digest), kind in zip(told[_ARRAYS], _OF_ARRAYS, strict=True):
        block = content[first : first + length]
        if digest not in things.arrays:
            things.arrays[digest] = known.arrays.get(digest) or _checked(block, digest)
        arrays.append(np.frombuffer(things.arrays[digest], kind))
        first += length + -length % _ALIGNED
    machines, devices, ids = (
        NumberedBytes(Written(*arrays[place : place + 3])) for place in (0, 3, 6)
    )
    names.machines, names.devices = machines, Devices(devices, ids, arrays[-1])
    for name in _KINDS:
        for length, digest in told[name]:
            block = content[first : first + length]
            things.lists[digest] = known.lists.get(digest) or opened(block, digest)
            first += length
        listed = (things.lists[digest] for _, digest in told[name])
        setattr(names, name, Numbered(itertools.chain.from_iterable(listed)))
    return names, things


def _arrays(names: Names) -> Iterator[NDArray[Any]]:
    """As in `_OF_ARRAYS`."""
    devices = names.devices
    for numbered in (names.machines, devices.things, devices.ids):
        yield from numbered.written()
    yield devices.id_of()


def closed(content: object) -> tuple[bytes, Block]:
    of_block = pickle.dumps(content, protocol=5)
    return of_block, (len(of_block), digest_of(of_block))


def opened(block: memoryview, digest: str) -> Any:
    """What was closed; ValueError where the block is not as it was."""
    return pickle.loads(_checked(block, digest))  # noqa: S301 - our own, and its digest was right


def _checked(block: memoryview, digest: str) -> memoryview:
    if digest_of(block) != digest:
        raise ValueError("names have changed")
    return block


def digest_of(content: Any) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _in_blocks(things: list[Any]) -> Iterator[list[Any]]:
    for first in range(0, len(things), _THINGS_OF_BLOCK):
        yield things[first : first + _THINGS_OF_BLOCK]
