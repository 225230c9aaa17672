"""Meanings of a run document's fields, held to its schema."""

from __future__ import annotations

import json

from macmeter.documents.document import RunDocument
from macmeter.documents.meanings import MEANINGS, fields
from macmeter.server.main import document_schema


def test_every_field_has_a_meaning_and_no_other_has() -> None:
    parts = json.loads(document_schema())
    definitions = parts["$defs"] | {RunDocument.__name__: parts}
    described = {struct.__name__: set(fields) for struct, fields in MEANINGS.items()}
    assert described == {name: set(part["properties"]) for name, part in definitions.items()}
    paths = [path for path, _ in fields()]
    assert len(paths) == len(set(paths))
    assert {"machine.core_tiers[].cores", "target.image.host.device_id"} <= set(paths)
