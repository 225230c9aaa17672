"""PNG rendering in one separate process, with a cache of recent pictures."""

import asyncio
import contextlib
import hashlib
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import OrderedDict

from macmeter.charts.pictures.rasterise import LENGTH
from macmeter.platform.errors import Problem

# A picture takes a tenth of a second; one that takes this long is stuck.
PICTURE_SECONDS = 10.0
KEPT_BYTES = 32 * 1024 * 1024
# With a longer queue, the last picture would arrive too late for a link preview.
MOST_WAITING = 64
_SMALL = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
    '<text x="2" y="14">M</text><text x="2" y="14" font-weight="600">M</text></svg>'
)


class PngRenderer:
    """Renderer process for one picture at a time, started on demand and replaced when it ends."""

    def __init__(self, kept_bytes: int = KEPT_BYTES, patience: float = 1) -> None:
        """`patience` multiplies the time limit of a picture."""
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._cache: OrderedDict[bytes, bytes] = OrderedDict()
        self._room = kept_bytes
        self._seconds = PICTURE_SECONDS * patience

    async def png(self, svg: str) -> bytes:
        """Return the picture as PNG; 503 if it isn't available now."""
        name = hashlib.sha256(svg.encode()).digest()
        if name not in self._cache:
            if self._waiting >= MOST_WAITING:
                raise _busy("Too many pictures are being drawn.")
            self._waiting += 1
            try:
                async with self._turn:
                    if name not in self._cache:  # another request may have drawn it meanwhile
                        self._keep(name, await self._drawn(svg.encode()))
            finally:
                self._waiting -= 1
        self._cache.move_to_end(name)
        return self._cache[name]

    async def warm(self) -> None:
        """Start the renderer and load its fonts by drawing a small picture."""
        with contextlib.suppress(Problem):
            await self.png(_SMALL)

    async def close(self) -> None:
        """End the renderer."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def _keep(self, name: bytes, png: bytes) -> None:
        self._cache[name] = png
        self._room -= len(png)
        while self._room < 0 and len(self._cache) > 1:
            _, oldest = self._cache.popitem(last=False)
            self._room += len(oldest)

    async def _drawn(self, svg: bytes) -> bytes:
        """Draw a picture; end a renderer that fails or times out."""
        try:
            async with asyncio.timeout(self._seconds):
                png = await self._request_png(svg)
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            png = b""
        except asyncio.CancelledError:
            # Its late reply would be taken for that of the next picture.
            await self.close()
            raise
        if not png:
            await self.close()
            raise _busy("The picture could not be drawn.")
        return png

    async def _request_png(self, svg: bytes) -> bytes:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "macmeter.charts.pictures.rasterise"),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(LENGTH.pack(len(svg)) + svg)
        await process.stdin.drain()
        (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
        return await process.stdout.readexactly(length)


def _busy(detail: str) -> Problem:
    return Problem(503, "picture_unavailable", "No picture", detail, headers={"Retry-After": "5"})
