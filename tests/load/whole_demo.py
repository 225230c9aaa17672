"""A server with every run of a demo."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from demo.loading import load
from macmeter.embedded import find_running
from macmeter.platform import demo as mark
from macmeter.platform.demo import Mark, Scale, monday
from support.live_server import LiveServer


@contextmanager
def served(scale: Scale) -> Iterator[tuple[str, Mark]]:
    """Yield the server's address, and what its demo is made from."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        directory.chmod(0o755)
        with LiveServer(directory) as server:
            running = find_running(directory)
            assert running is not None
            claimed = mark.claim(running.url(), scale, monday(datetime.now(UTC)))
            load(running.url(), server.url, claimed, directory)
            yield server.url, claimed
