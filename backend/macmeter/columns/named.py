"""Names as bytes: the things of each kind in blocks, so that whoever knows most of them already
makes only those that are new.
"""

from __future__ import annotations

import hashlib
import itertools
import pickle
from collections.abc import Iterator, Mapping
from typing import Any

from macmeter.columns.names import Names, Numbered

_KINDS = ("machines", "setups", "months", "devices", "hosts", "flags")
# Numbers are given in order: where there are more things, only the last block changes.
_THINGS_OF_BLOCK = 4096

Things = dict[str, list[Any]]
"""What is in blocks, by their digests."""
Told = Mapping[str, list[tuple[int, str]]]
"""By kind its blocks, as they follow each other: how many bytes each has, and their digest."""


def packed(names: Names) -> tuple[bytes, Told]:
    content = bytearray()
    told: dict[str, list[tuple[int, str]]] = {}
    for kind in _KINDS:
        told[kind] = []
        for things in _in_blocks(getattr(names, kind).things):
            block = pickle.dumps(things, protocol=5)
            content += block
            told[kind].append((len(block), digest_of(block)))
    return bytes(content), told


def unpacked(content: memoryview, told: Told, known: Things) -> tuple[Names, Things]:
    """The names, and what is in each block, of which `known` ones are not looked at again.

    ValueError where the content is not as it was written.
    """
    names, things, first = Names(), Things(), 0
    for kind in _KINDS:
        for length, digest in told[kind]:
            block = content[first : first + length]
            things[digest] = known[digest] if digest in known else _opened(block, digest)
            first += length
        listed = (things[digest] for _, digest in told[kind])
        setattr(names, kind, Numbered(itertools.chain.from_iterable(listed)))
    return names, things


def digest_of(content: Any) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _in_blocks(things: list[Any]) -> Iterator[list[Any]]:
    for first in range(0, len(things), _THINGS_OF_BLOCK):
        yield things[first : first + _THINGS_OF_BLOCK]


def _opened(block: memoryview, digest: str) -> list[Any]:
    if digest_of(block) != digest:
        raise ValueError("names have changed")
    things: list[Any] = pickle.loads(block)  # noqa: S301 - our own, and its digest was right
    return things
