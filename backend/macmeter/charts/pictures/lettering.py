"""Text widths from the advance widths of the pictures' fonts."""

import struct
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from macmeter.platform.plain_text import closed

Weight = Literal["regular", "semibold"]

FOLDER = Path(__file__).with_name("fonts")
FILES: dict[Weight, Path] = {
    "regular": FOLDER / "IBMPlexSans-Regular.ttf",
    "semibold": FOLDER / "IBMPlexSans-SemiBold.ttf",
}


ELLIPSIS = "…"


def width(text: str, size: float, weight: Weight = "regular") -> float:
    """Return the width of one line without kerning, which slightly overestimates it."""
    return _ems(text, weight) * size


# Layout is repeated with the same words until the picture's size is settled.
@lru_cache(maxsize=2048)
def _ems(text: str, weight: Weight) -> float:
    advances = _advances(weight)
    return sum(advances.get(letter) or _foreign(letter) for letter in text)


def fitted(text: str, room: float, size: float, weight: Weight = "regular") -> str:
    """Truncate `text` with an ellipsis to fit in `room`."""
    if width(text, size, weight) <= room:
        return text
    left = room - width(ELLIPSIS, size, weight)
    end = 0
    for letter in text:
        left -= _ems(letter, weight) * size
        if left < 0:
            break
        end += 1
    return closed(text[:end].rstrip(" ,·") + ELLIPSIS)


def wrapped(
    text: str, room: float, size: float, lines: int, weight: Weight = "regular"
) -> list[str]:
    """Wrap `text` at spaces in at most `lines` lines; truncate the last if necessary."""
    rows: list[str] = []
    for word in text.split(" "):
        joined = f"{rows[-1]} {word}" if rows else word
        if rows and (width(joined, size, weight) <= room or len(rows) == lines):
            rows[-1] = joined
        else:
            rows.append(word)
    return [fitted(line, room, size, weight) for line in rows]


def _foreign(letter: str) -> float:
    """Estimate the width of a letter that our fonts lack; its substitute is seldom wider."""
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    return 1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.65


@cache
def _advances(weight: Weight) -> dict[str, float]:
    """Map letters to advances in em, from the font's own tables (OpenType: cmap format 4, hmtx)."""
    data = FILES[weight].read_bytes()
    tables = {
        data[at : at + 4].decode(): struct.unpack_from(">II", data, at + 8)
        for at in range(12, 12 + 16 * struct.unpack_from(">H", data, 4)[0], 16)
    }
    em = struct.unpack_from(">H", data, tables["head"][0] + 18)[0]
    measured = struct.unpack_from(">H", data, tables["hhea"][0] + 34)[0]
    advances = struct.unpack_from(">" + "Hh" * measured, data, tables["hmtx"][0])[::2]
    return {
        chr(code): advances[min(glyph, measured - 1)] / em
        for code, glyph in _glyphs(data, tables["cmap"][0]).items()
    }


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """Map code points to glyphs, from the Unicode subtable of the basic plane."""
    subtables = struct.unpack_from(">H", data, cmap + 2)[0]
    for at in range(cmap + 4, cmap + 4 + 8 * subtables, 8):
        start = cmap + struct.unpack_from(">I", data, at + 4)[0]
        if struct.unpack_from(">H", data, start)[0] == 4:
            return _segments(data, start)
    raise ValueError("the font has no cmap of format 4")


def _segments(data: bytes, start: int) -> dict[int, int]:
    doubled = struct.unpack_from(">H", data, start + 6)[0]
    array_format = f">{doubled // 2}H"
    ends = struct.unpack_from(array_format, data, start + 14)
    firsts = struct.unpack_from(array_format, data, start + 16 + doubled)
    deltas = struct.unpack_from(array_format, data, start + 16 + 2 * doubled)
    offsets_at = start + 16 + 3 * doubled
    offsets = struct.unpack_from(array_format, data, offsets_at)
    glyphs: dict[int, int] = {}
    for i, (first, end, delta, offset) in enumerate(
        zip(firsts, ends, deltas, offsets, strict=True)
    ):
        for code in range(first, min(end, 0xFFFE) + 1):
            glyph = code
            if offset:
                at = offsets_at + 2 * i + offset + 2 * (code - first)
                glyph = struct.unpack_from(">H", data, at)[0]
                if glyph == 0:
                    continue
            glyph = (glyph + delta) % 0x10000
            if glyph:
                glyphs[code] = glyph
    return glyphs
