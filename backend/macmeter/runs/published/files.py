"""Published figures, read from files that tools/published generates."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import orjson

from macmeter import Json

FOLDER = Path(__file__).parent


def documents() -> Iterator[Json]:
    """Run documents, one for each figure that is a result, a ratio or a range."""
    return map(orjson.loads, (FOLDER / "documents.ndjson").read_bytes().splitlines())


@cache
def sources() -> Json:
    """Every article with all its figures, and how figures can be used: `Sources` of the API."""
    content: Json = orjson.loads((FOLDER / "sources.json").read_bytes())
    return content
