"""Output of long commands: their progress on standard error, their bytes on standard output."""

import contextlib
import sys
import time
from typing import BinaryIO, TextIO

_TERMINAL_SECONDS = 0.2
_LOG_SECONDS = 30.0
# The rate and the time left use this window, so that a slow start doesn't count.
_WINDOW_SECONDS = 30.0
_CLEAR_LINE = "\r\x1b[K"


class Progress:
    """Progress line: begins with `title`, counts `what` (a plural)."""

    def __init__(self, title: str, what: str, stream: TextIO | None = None) -> None:
        self._title, self._what = title, what
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._pause = _TERMINAL_SECONDS if self._terminal else _LOG_SECONDS
        # Time, count and share when the line was shown, within the window.
        self._readings = [(time.monotonic(), 0, 0.0)]
        self._shown_at = time.monotonic() if not self._terminal else 0.0
        self._has_line = False

    def show(self, count: int, share: float | None) -> None:
        """Show the count; `share` of the whole is 0 to 1, or None if the whole is unknown."""
        now = time.monotonic()
        if now - self._shown_at < self._pause:
            return
        self._shown_at = now
        self._readings.append((now, count, share or 0.0))
        while len(self._readings) > 2 and self._readings[1][0] < now - _WINDOW_SECONDS:
            self._readings.pop(0)
        line = f"{self._title}: {count:,} {self._what}, {self._rate(now, count):,.0f}/s"
        if share is not None:
            line += f", {100 * share:.0f}%{self._time_left(now, share)}"
        self._has_line = self._terminal
        self._write(f"{_CLEAR_LINE}{line}" if self._terminal else f"{line}\n")

    def say(self, line: str) -> None:
        """Print a line that stays."""
        self.clear()
        self._write(f"{line}\n")

    def clear(self) -> None:
        """Erase the changing line."""
        if self._has_line:
            self._has_line = False
            self._write(_CLEAR_LINE)

    def _write(self, text: str) -> None:
        # The work goes on when the terminal is closed.
        with contextlib.suppress(OSError):
            self._stream.write(text)
            self._stream.flush()

    def _rate(self, now: float, count: int) -> float:
        began, before, _ = self._readings[0]
        return (count - before) / max(1e-3, now - began)

    def _time_left(self, now: float, share: float) -> str:
        began, _, before = self._readings[0]
        speed = (share - before) / max(1e-3, now - began)
        return f", {duration((1 - share) / speed)} left" if speed > 0 else ""


def duration(seconds: float) -> str:
    """Format a duration: `45 s`, `12 min`, `3 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def number_of(count: int, what: str) -> str:
    """Format a count: `1 run`, `2,000 runs`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


STANDARD_OUTPUT = 1


def open_output() -> BinaryIO:
    """Open standard output for bytes, with a buffer.

    With PYTHONUNBUFFERED, Python's own has none and loses what a pipe doesn't accept at once.
    """
    return open(STANDARD_OUTPUT, "wb", closefd=False)
