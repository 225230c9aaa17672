"""Starting points: questions that fix what their groups would mix."""

from macmeter.catalog.terms import Value
from macmeter.platform.schema import Exact


class Fixed(Exact):
    """A determinant, the value that most machines have, and how many have it."""

    dimension: str
    value: Value
    machines: int


class StartingPoint(Exact):
    canonical: str
    fixed: list[Fixed]
