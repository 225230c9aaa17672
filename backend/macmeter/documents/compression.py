"""Documents as they are stored: zstd with a dictionary of what run documents have in common.

A document is 8 KB of which most is the same in every other: with the dictionary a third of what
zlib leaves is gone, and compressing takes a third of the time. Those of older versions are zlib's,
and stay so until they are rewritten.

A dictionary is needed for as long as there is a document made with it: its file is never changed
or removed. A better one is a further file (tools/train_dictionary.py), whose number each document
names in its first bytes.
"""

from __future__ import annotations

import threading
import zlib
from functools import cache, cached_property
from pathlib import Path

from backports import zstd

from macmeter.platform.errors import ItemError

NEWEST = 1
"""The number of the dictionary that documents are written with."""
# 3 costs the same time, and saves nothing of numbers that look like chance.
_LEVEL = 1
_FOLDER = Path(__file__).parent / "dictionaries"


class _Compressors(threading.local):
    """One a thread: making one takes longer than a document."""

    @cached_property
    def own(self) -> zstd.ZstdCompressor:
        dictionary = _dictionary(NEWEST).as_digested_dict
        return zstd.ZstdCompressor(level=_LEVEL, zstd_dict=dictionary)


_compressors = _Compressors()


class DamagedError(ItemError):
    """This was never written by `compressed`."""


def compressed(content: bytes) -> bytes:
    return _compressors.own.compress(content, zstd.ZstdCompressor.FLUSH_FRAME)


def uncompressed(stored: bytes) -> bytes:
    """What was given to `compressed`, by this version or an older one."""
    try:
        if stored[:1] == b"\x78":
            return zlib.decompress(stored)
        number = zstd.get_frame_info(stored).dictionary_id
        return zstd.decompress(stored, zstd_dict=_dictionary(number))
    except (zlib.error, zstd.ZstdError, FileNotFoundError) as error:
        raise DamagedError(f"The document can't be unpacked: {error}") from error


@cache
def _dictionary(number: int) -> zstd.ZstdDict:
    return zstd.ZstdDict((_FOLDER / f"documents-{number}.zdict").read_bytes())
