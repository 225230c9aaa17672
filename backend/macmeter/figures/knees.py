"""Where a curve over file sizes bends: small files are slow, large ones all alike."""

from __future__ import annotations

from collections.abc import Iterable

from macmeter.figures.figure import Boundary, Series
from macmeter.figures.words import value_text

FILE_SIZE = "file_size"
# Of a line's highest speed; above it the samples' own spread would choose the size.
NEAR = 0.9
# With fewer sizes than these, two of them are all that a bend is seen from.
_FEWEST = 4


def knees_of(lines: Iterable[Series]) -> tuple[Boundary, ...]:
    """One for all lines of a panel, as wide as they differ; published figures are points."""
    found = [size for line in lines if (size := _knee(line)) is not None]
    if not found:
        return ()
    low, high = min(found), max(found)
    ends = " to ".join(value_text(FILE_SIZE, size) for size in sorted({low, high}))
    return (Boundary(low, high, f"90 % of top speed at {ends}"),)


def _knee(line: Series) -> float | None:
    """The smallest size that comes near the highest speed; None of a line without a bend."""
    points = sorted(line.points, key=lambda point: point.x)
    if line.hollow or len(points) < _FEWEST:
        return None
    top = max(point.y for point in points)
    size = next(point.x for point in points if point.y >= NEAR * top)
    return None if size == points[0].x else size
