"""Format of a backup: a tar with PostgreSQL's dump, followed by a manifest of what it holds.

    database.dump.zst    pg_dump --format=custom, compressed
    manifest.json        the schema's revision, rows by table, the dump's SHA-256

The dump is streamed, and its header is filled in afterwards. The manifest comes last, so that a
truncated file has none. `tar xO` and `pg_restore` read it without Macmeter.
"""

import hashlib
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from macmeter.runs.transfer.compressed import zstd
from macmeter.runs.transfer.files import InputError

DUMP, MANIFEST = "database.dump.zst", "manifest.json"
_BLOCK = tarfile.BLOCKSIZE
_CHUNK = 1024 * 1024
# Half again as fast as level 3 for a few percent more: most of a dump is compressed documents.
_LEVEL = 1
_LONGEST_MANIFEST = 1024 * 1024


class Manifest(BaseModel):
    """Contents of a backup; `tables` are its rows by table."""

    model_config = ConfigDict(frozen=True)

    schema_: Annotated[Literal["macmeter.backup/1"], Field(alias="schema")] = "macmeter.backup/1"
    made_at: AwareDatetime
    made_by: str
    postgresql: str
    revision: str
    tables: dict[str, int]
    dump_bytes: int
    dump_sha256: str


class DumpWriter:
    """Compressing writer of the dump. `written` counts bytes in the file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self._compressor = zstd.ZstdCompressor(level=_LEVEL)
        self.written = 0

    def write(self, chunk: bytes) -> None:
        self._put(self._compressor.compress(chunk))

    def finish(self) -> str:
        """Flush the dump, and return the SHA-256 of its bytes in the file."""
        self._put(self._compressor.flush())
        return self._digest.hexdigest()

    def _put(self, content: bytes) -> None:
        self._digest.update(content)
        self._file.write(content)
        self.written += len(content)


@contextmanager
def dump_writer(file: BinaryIO) -> Iterator[DumpWriter]:
    """Yield a writer for the dump, and then fill in its header. The file ends after the dump."""
    start = file.tell()
    file.write(bytes(_BLOCK))
    writer = DumpWriter(file)
    yield writer
    file.write(bytes(-writer.written % _BLOCK))
    end = file.tell()
    file.seek(start)
    file.write(_header(DUMP, writer.written))
    file.seek(end)


def write_manifest(file: BinaryIO, manifest: Manifest) -> None:
    """Write the manifest, and with it the end of the tar."""
    content = manifest.model_dump_json(by_alias=True, indent=1).encode() + b"\n"
    file.write(_header(MANIFEST, len(content)) + content)
    file.write(bytes(-len(content) % _BLOCK + 2 * _BLOCK))


def _header(name: str, size: int) -> bytes:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, 0o600, int(time.time())
    # GNU's format has room for sizes over 8 GB without a second header.
    return member.tobuf(tarfile.GNU_FORMAT)


class Backup:
    """An open backup: its manifest and its dump. InputError if the file isn't one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with tarfile.open(path, "r:") as tar:
                members = {member.name: member for member in tar.getmembers()}
                self._dump = members[DUMP]
                content = tar.extractfile(members[MANIFEST])
                assert content is not None
                self.manifest = Manifest.model_validate_json(content.read(_LONGEST_MANIFEST))
        except FileNotFoundError:
            raise InputError(f"{path}: there is no such file.") from None
        except IsADirectoryError:
            raise InputError(f"{path} is a directory: name a backup in it.") from None
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}.") from None
        except (tarfile.TarError, KeyError, ValidationError, EOFError):
            raise InputError(
                f"{path} isn't a complete Macmeter backup: it has no manifest at its end."
            ) from None

    @property
    def size(self) -> int:
        """Size of the dump in the file, in bytes."""
        return self._dump.size

    def dump(self, on_read: Callable[[int], None] = lambda _bytes: None) -> Iterator[bytes]:
        """Yield the dump, decompressed. `on_read` is called with the number of bytes read.

        Raise InputError at the end if its checksum isn't the manifest's.
        """
        digest, unpacker, left = hashlib.sha256(), zstd.ZstdDecompressor(), self._dump.size
        try:
            with self.path.open("rb") as file:
                file.seek(self._dump.offset_data)
                while left and (chunk := file.read(min(_CHUNK, left))):
                    left -= len(chunk)
                    digest.update(chunk)
                    yield unpacker.decompress(chunk)
                    on_read(self._dump.size - left)
        except (zstd.ZstdError, EOFError):
            left = -1
        whole = left == 0 and unpacker.eof and digest.hexdigest() == self.manifest.dump_sha256
        if not whole:
            raise InputError(f"{self.path} is damaged: its dump is not what its manifest says.")
