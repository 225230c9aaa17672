"""SVG to PNG in a process of its own: `python -m macmeter.charts.pictures.rasterise`.

The renderer holds Python's lock for as long as it draws, and a picture that it can't cope with
must not take the server down. So it is a process of its own and reads pictures from its standard
input: a big-endian length of four bytes and so many bytes of SVG, answered by the same of PNG (a
length of 0 where the picture could not be drawn). It ends with its input, and so with the server.
"""

from __future__ import annotations

import struct
import sys
from typing import BinaryIO

import resvg_py

from macmeter.charts.pictures.lettering import FILES
from macmeter.platform import standard_output

LENGTH = struct.Struct(">I")
_FONTS = [str(path) for path in FILES.values()]


def to_png(svg: str) -> bytes:
    """The same bytes for the same picture everywhere: no font but ours is ever looked at."""
    return resvg_py.svg_to_bytes(
        svg_string=svg, skip_system_fonts=True, font_files=_FONTS, font_family="IBM Plex Sans"
    )


def serve(pictures: BinaryIO, drawn: BinaryIO) -> None:
    while len(header := pictures.read(LENGTH.size)) == LENGTH.size:
        svg = pictures.read(LENGTH.unpack(header)[0])
        try:
            png = to_png(svg.decode())
        except ValueError:
            png = b""
        drawn.write(LENGTH.pack(len(png)) + png)
        drawn.flush()


if __name__ == "__main__":
    with standard_output.opened() as output:
        serve(sys.stdin.buffer, output)
