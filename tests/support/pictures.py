"""Reading pictures."""

from __future__ import annotations

import struct


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height in pixels."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack_from(">II", png, 16)
    return width, height
