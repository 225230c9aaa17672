"""The agent's disk test, full and quick, and methods whose runs count in another's series.

A quick run measures each of its files as a full run does, so the speeds by file size are of one
series. What it says of all its files is not: they are other files.
"""

from collections.abc import Mapping
from typing import NamedTuple


class CountedAs(NamedTuple):
    """The method and version whose series take a run's results, by other metrics where named."""

    method: str
    version: int
    metrics: Mapping[str, str] = {}

    def metric(self, name: str) -> str:
        """Return the metric under which a series of the document counts."""
        return self.metrics.get(name, name)


class GradedFiles(NamedTuple):
    """What the agent's disk test writes by default: `sets` of files of `sizes` bytes."""

    sizes: tuple[int, ...]
    sets: int

    @property
    def written(self) -> int:
        """Number of bytes of all files."""
        return sum(self.sizes) * self.sets


_MEGABYTES = (2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800, 1000, 2000)
FULL = GradedFiles(tuple(n * 10**6 for n in _MEGABYTES), sets=5)
QUICK = GradedFiles(tuple(size for size in FULL.sizes if size <= 200 * 10**6), sets=1)
# A Mac's rank is by these, the largest files that runs of either have: smaller ones measure the
# start of a transfer.
RANKED_SIZES = tuple(size for size in QUICK.sizes if size >= 40 * 10**6)

_COUNTED_AS = {
    ("graded-files-quick", 2): CountedAs(
        "graded-files",
        1,
        {
            "disk.write_average": "disk.quick_write_average",
            "disk.read_average": "disk.quick_read_average",
            "disk.write_flushed_average": "disk.quick_write_flushed_average",
        },
    )
}


def counted_as(method: str, version: int) -> CountedAs:
    """Return what runs of this method count as: nearly always itself."""
    return _COUNTED_AS.get((method, version)) or CountedAs(method, version)
