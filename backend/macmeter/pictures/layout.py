"""What the parts of a picture hand to each other, and texts that flow over lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from macmeter.pictures import lettering, svg
from macmeter.pictures.palette import Theme

LABEL = 13.0
SMALL = 12.0
NOTE = 11.5
NOTE_LINE = 15.5


@dataclass(frozen=True)
class Space:
    """Where a part may draw: a width, and a height unless it may take what it needs.

    `dense` sets rows as close as they stay legible.
    """

    width: float
    height: float | None
    theme: Theme
    dense: bool = False

    @property
    def narrow(self) -> bool:
        """Labels are above their lanes and not to the left of them."""
        return self.width < 560


@dataclass(frozen=True)
class Drawn:
    """A drawn part and the height that it took.

    `missing` says what found no room; `cramped` that more room would show more. `letters` are
    those of flags that stand in it.
    """

    body: str
    height: float
    missing: str | None = None
    cramped: bool = False
    letters: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Sign:
    """An entry of a key: a small drawing of `width`, with its middle at (0, 0), and its meaning."""

    drawing: str
    width: float
    text: str


def draw_key(signs: Sequence[Sign], space: Space) -> Drawn:
    """The key in as many lines as it needs."""
    lines, x, body = 0, 0.0, ""
    for sign in signs:
        label = lettering.fitted(sign.text, space.width - sign.width - 6, SMALL)
        taken = sign.width + 6 + lettering.width(label, SMALL)
        if x and x + taken > space.width:
            lines, x = lines + 1, 0.0
        y = lines * 19 + 9.5
        body += svg.element("g", sign.drawing, transform=f"translate({svg.number(x)} {y})")
        body += svg.text(label, x + sign.width + 6, y, svg.Look(space.theme.ink_3, size=SMALL))
        x += taken + 18
    return Drawn(body, (lines + 1) * 19.0 if signs else 0.0)


def draw_notes(notes: Iterable[str], space: Space, lines: int | None) -> Drawn:
    """Paragraphs of small text, in at most so many lines together (None: as many as needed)."""
    y, body = 0.0, ""
    left = 200 if lines is None else lines
    for note in notes:
        if left == 0:
            break
        for line in lettering.wrapped(note, space.width, NOTE, min(left, 2 if lines else 6)):
            body += svg.text(line, 0, y + NOTE_LINE / 2, svg.Look(space.theme.ink_3, size=NOTE))
            y, left = y + NOTE_LINE, left - 1
    return Drawn(body, y)


def moved(body: str, x: float, y: float) -> str:
    return svg.element("g", body, transform=f"translate({svg.number(x)} {svg.number(y)})")
