"""SVG to PNG in a process of its own: `python -m macmeter.charts.pictures.rasterise`.

The renderer holds the GIL while it draws, and a picture that crashes it must not take the server
down. So it is a separate process that reads pictures from standard input, each a big-endian
four-byte length and that many bytes of SVG, and replies with PNG in the same format (length 0 if
the picture could not be drawn). It ends with its input, and so with the server.
"""

import struct
import sys
from typing import BinaryIO

import resvg_py

from macmeter.charts.pictures.lettering import FILES
from macmeter.platform import progress

LENGTH = struct.Struct(">I")
_FONTS = [str(path) for path in FILES.values()]


def to_png(svg: str) -> bytes:
    """Render deterministically on every machine: only our own fonts are used."""
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
    with progress.open_output() as output:
        serve(sys.stdin.buffer, output)
