"""Compression of stored documents: zstd with a dictionary of what run documents have in common.

A document is about 8 KB, mostly the same as every other: the dictionary saves a third of zlib's
size and compresses in a third of the time. Documents from older versions are zlib, until they are
rewritten.

Dictionary files are never changed or removed, since documents made with them need them. A better
dictionary is a new file (tools/train_dictionary.py); each document names its number in its first
bytes.
"""

import threading
import zlib
from functools import cache, cached_property
from pathlib import Path

from backports import zstd

from macmeter.platform.errors import ItemError

NEWEST_DICTIONARY = 1
"""Number of the dictionary for new documents."""
# Level 3 takes the same time and saves nothing on random-looking numbers.
_LEVEL = 1
_FOLDER = Path(__file__).parent / "dictionaries"


class _Compressors(threading.local):
    """One compressor per thread: creating one takes longer than compressing a document."""

    @cached_property
    def own(self) -> zstd.ZstdCompressor:
        dictionary = _dictionary(NEWEST_DICTIONARY).as_digested_dict
        return zstd.ZstdCompressor(level=_LEVEL, zstd_dict=dictionary)


_compressors = _Compressors()


class DamagedError(ItemError):
    """The bytes weren't written by `compressed`."""


def compressed(content: bytes) -> bytes:
    return _compressors.own.compress(content, zstd.ZstdCompressor.FLUSH_FRAME)


def uncompressed(stored: bytes) -> bytes:
    """Return the document from `compressed` output of this or an older version."""
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
