"""Files whose compression is detected by their first bytes rather than their names."""

import contextlib
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast

if sys.version_info >= (3, 14):
    from compression import zstd as zstd
else:
    from backports import zstd as zstd

from macmeter.runs.transfer.files import InputError

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# Likely mistakes, with advice.
_FOREIGN = (
    (b"PAR1", "is Parquet, which holds results and not run documents"),
    (b"PK\x03\x04", "is a ZIP archive: unpack it"),
    (b"BZh", "is compressed by bzip2: unpack it, or compress it with gzip or zstd"),
    (b"\xfd7zXZ", "is compressed by xz: unpack it, or compress it with gzip or zstd"),
)
_BROKEN = (EOFError, gzip.BadGzipFile, zlib.error, zstd.ZstdError)
_GZIP_LEVEL, _ZSTD_LEVEL = 6, 3
COMPRESSIONS = ("plain", "gzip", "zstd")


class Reader:
    """Decompressed content of a file; `position` counts the file's own bytes."""

    def __init__(self, name: str, raw: io.RawIOBase) -> None:
        """Open the content; InputError if it begins like another file format."""
        self.name = name
        self._raw = _Counted(raw)
        buffered = io.BufferedReader(self._raw, 256 * 1024)
        start = buffered.peek(8)[:8]
        for magic, what in _FOREIGN:
            if start.startswith(magic):
                raise InputError(f"{name} {what}.")
        self._stream: io.BufferedIOBase
        if start.startswith(_GZIP):
            self._stream, self._kind = gzip.GzipFile(fileobj=buffered), "gzip"
        elif start.startswith(_ZSTD):
            self._stream, self._kind = zstd.ZstdFile(buffered), "zstd"
        else:
            self._stream, self._kind = buffered, "plain"

    @property
    def position(self) -> int:
        return self._raw.count

    def read(self, size: int) -> bytes:
        """Read at most `size` bytes, none at the end. InputError if the file is damaged."""
        try:
            return self._stream.read1(size)
        except _BROKEN as error:
            cut = isinstance(error, EOFError)
            what = f"the {self._kind} data " + ("ends before its end" if cut else "is damaged")
            raise InputError(f"{self.name}: {what}. Copy the file again, whole.") from None
        except OSError as error:
            raise InputError(f"{self.name}: {error.strerror}") from None


class _Counted(io.RawIOBase):
    """A raw file that counts the bytes read."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw = raw
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = self._raw.readinto(buffer) or 0
        self.count += size
        return size


@contextlib.contextmanager
def written(raw: BinaryIO, compression: str) -> Iterator[BinaryIO]:
    """Yield a stream that compresses into `raw`: "plain", "gzip" or "zstd". `raw` stays open."""
    if compression == "gzip":
        # Without a time, so that equal runs give equal bytes.
        with gzip.GzipFile("", "wb", compresslevel=_GZIP_LEVEL, fileobj=raw, mtime=0) as stream:
            yield cast(BinaryIO, stream)
    elif compression == "zstd":
        with zstd.ZstdFile(raw, "wb", level=_ZSTD_LEVEL) as stream:
            yield cast(BinaryIO, stream)
    else:
        yield raw
