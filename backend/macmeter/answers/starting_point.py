"""Starting points: questions that fix what their groups would mix."""

from __future__ import annotations

from typing_extensions import TypedDict

from macmeter.answers.exact import exact
from macmeter.terms import Value


@exact
class Fixed(TypedDict):
    """A determinant, the value that most machines have, and how many they are."""

    dimension: str
    value: Value
    machines: int


@exact
class StartingPoint(TypedDict):
    canonical: str
    fixed: list[Fixed]
