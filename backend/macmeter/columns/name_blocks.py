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
Block = tuple[int, str]
"""How many bytes it has, and their digest."""
Told = Mapping[str, list[Block]]
"""By kind its blocks, as they follow each other."""


def packed(names: Names) -> tuple[bytes, Told]:
    content = bytearray()
    told: dict[str, list[Block]] = {}
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
    names, things, first = Names(), Things(), 0
    for kind in _KINDS:
        for length, digest in told[kind]:
            block = content[first : first + length]
            things[digest] = known[digest] if digest in known else opened(block, digest)
            first += length
        listed = (things[digest] for _, digest in told[kind])
        setattr(names, kind, Numbered(itertools.chain.from_iterable(listed)))
    return names, things


def closed(content: object) -> tuple[bytes, Block]:
    of_block = pickle.dumps(content, protocol=5)
    return of_block, (len(of_block), digest_of(of_block))


def opened(block: memoryview, digest: str) -> Any:
    """What was closed; ValueError where the block is not as it was."""
    if digest_of(block) != digest:
        raise ValueError("names have changed")
    return pickle.loads(block)  # noqa: S301 - our own, and its digest was right


def digest_of(content: Any) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _in_blocks(things: list[Any]) -> Iterator[list[Any]]:
    for first in range(0, len(things), _THINGS_OF_BLOCK):
        yield things[first : first + _THINGS_OF_BLOCK]
