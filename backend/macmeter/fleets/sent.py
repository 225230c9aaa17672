"""What leaves a fleet's Macs: each field of run documents, with an example of the fleet's own."""

import json
import uuid
from collections.abc import Iterator
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json
from macmeter.documents.meanings import fields
from macmeter.documents.stored import stored_document
from macmeter.fleets import schemas
from macmeter.platform.isolation import DOCUMENTS, Isolated
from macmeter.results.fleets import newest_documents

_SHOWN, _LONGEST = 3, 120


async def sent_by(connection: AsyncConnection, fleet_id: uuid.UUID) -> schemas.Sent:
    """List the fields of the schema and of the fleet's newest run of each suite and source."""
    meanings = dict(fields())
    examples: dict[str, tuple[str, str]] = {}
    runs: list[schemas.RunSent] = []
    reading = Isolated(DOCUMENTS, quiet=True)
    for row in await newest_documents(connection, fleet_id):
        with reading.item(row.run_id):
            for path, value in values_of(stored_document(row.compressed)):
                examples.setdefault(path, (_in_short(value), str(row.run_id)))
            runs.append({"run_id": str(row.run_id), "suite": row.suite, "source": row.source})
    order = {path: index for index, path in enumerate(meanings)}
    by_path = {path: _schema_field(path, order) for path in [*meanings, *examples]}
    # An object without fixed members is listed by what this fleet's have.
    open_paths = {field for path, field in by_path.items() if field not in (None, path)}
    paths = sorted(
        (path for path in by_path if path not in open_paths),
        key=lambda path: (order.get(by_path[path] or "", len(order)), path),
    )
    return {
        "runs": runs,
        "fields": [
            {
                "path": path,
                "meaning": meanings.get(by_path[path] or ""),
                "example": examples[path][0] if path in examples else None,
                "run_id": examples[path][1] if path in examples else None,
            }
            for path in paths
        ],
    }


def _schema_field(path: str, order: dict[str, int]) -> str | None:
    """Return the schema's field that a path is, or is in; None for a newer agent's."""
    while path and path not in order:
        path = path.rpartition(".")[0]
    return path or None


def values_of(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Flatten a document: paths such as `series[].metric`, with each value found there."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from values_of(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        for item in value:
            yield from values_of(item, f"{path}[]")
    else:
        yield path, value


def _in_short(value: Json | Any) -> str:
    """Write a value for people: the first items of a list, and the beginning of a long text."""
    if isinstance(value, list):
        ending = f" … {len(value):,} in all" if len(value) > _SHOWN else ""
        return ", ".join(_in_short(item) for item in value[:_SHOWN]) + ending
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
