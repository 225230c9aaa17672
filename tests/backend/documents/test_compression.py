"""Compressed documents of this version and older ones, and invalid ones."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

import orjson
import pytest
from backports import zstd
from macmeter.documents import compression
from macmeter.documents.compression import DamagedError, compressed, uncompressed
from macmeter.platform.settings import CHECKOUT
from support.documents import disk_run, encoded

FULL = CHECKOUT / "tests" / "documents" / "full.json"

# Digest of each dictionary ever used: its documents can't be read without its exact bytes.
DICTIONARIES = {1: "b835857b8cf7c57f41b27c888cfb55b347ecec32c6948d905057c7a428593360"}


@pytest.mark.parametrize("content", [b"", b"{}", encoded(disk_run()), bytes(range(256)) * 4_000])
def test_what_was_stored_comes_back(content: bytes) -> None:
    assert uncompressed(compressed(content)) == content
    assert uncompressed(zlib.compress(content)) == content


def test_what_documents_share_takes_no_room() -> None:
    document = orjson.dumps(orjson.loads(FULL.read_bytes()), option=orjson.OPT_SORT_KEYS)
    assert len(compressed(document)) < 0.7 * len(zlib.compress(document))


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"x",
        b"x\x9cand no more",
        compressed(b"{}")[:-1],
        zstd.compress(b"{}", zstd_dict=zstd.ZstdDict(b"another dictionary", is_raw=True))[:-2],
    ],
)
def test_what_is_damaged_is_said_to_be(stored: bytes) -> None:
    with pytest.raises(DamagedError):
        uncompressed(stored)


def test_every_dictionary_is_there_as_it_was() -> None:
    folder = Path(compression.__file__).parent / "dictionaries"
    found = {
        int(file.stem.removeprefix("documents-")): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.glob("*.zdict")
    }
    assert found == DICTIONARIES
    assert zstd.get_frame_info(compressed(b"{}")).dictionary_id == compression.NEWEST_DICTIONARY
