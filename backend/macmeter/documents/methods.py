"""Methods whose runs count in the series of another one.

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
