"""The HTTP contract in short: operations, parameters, fields and types, one per line.

Written to `docs/contract.txt`, so that a review shows a contract change as the lines it changes;
`/api/v1/openapi.json` describes each in full.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


def contract(openapi: Json) -> str:
    """Return the text for an OpenAPI 3.1 description."""
    lines = ["# Operations: parameters, bodies, responses. `?`: may be left out."]
    for path, methods in sorted(openapi["paths"].items()):
        for method, operation in sorted(methods.items()):
            lines += ["", f"{method.upper()} {path}", *_operation(operation)]
    lines += ["", "# Types"]
    for name, schema in sorted(openapi["components"]["schemas"].items()):
        lines += ["", *_type(name, schema)]
    return "\n".join(lines) + "\n"


def _operation(operation: Json) -> Iterator[str]:
    for field in sorted(operation.get("parameters", ()), key=lambda f: (f["in"], f["name"])):
        name = _field(field["name"], field.get("required", False))
        yield f"  {field['in']} {name}: {_kind(field['schema'])}"
    if body := operation.get("requestBody"):
        yield f"  {_field('body', body.get('required', False))}: {_content(body)}"
    statuses: dict[str, list[str]] = {}
    for status, response in sorted(operation["responses"].items()):
        statuses.setdefault(_content(response), []).append(status)
    for content, codes in statuses.items():
        yield f"  {', '.join(codes)}: {content}"


def _field(name: str, required: bool) -> str:
    return name if required else f"{name}?"


def _content(holder: Json) -> str:
    """Types of a body by media type; JSON is shown by its type alone."""
    content = holder.get("content", {})
    texts = []
    for media, media_type in sorted(content.items()):
        kind = _kind(media_type.get("schema", {}))
        texts.append(kind if media.endswith("json") else f"{media} {kind}")
    return " | ".join(dict.fromkeys(texts)) or "nothing"


def _type(name: str, schema: Json) -> Iterator[str]:
    if "properties" not in schema:
        yield f"{name} = {_kind(schema)}"
        return
    yield name
    required = schema.get("required", ())
    for field, field_schema in sorted(schema["properties"].items()):
        yield f"  {_field(field, field in required)}: {_kind(field_schema)}"


def _kind(schema: Json) -> str:
    """A type in a word or two."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in schema:
            return " | ".join(sorted({_kind(option) for option in schema[keyword]}))
    if "const" in schema:
        return repr(schema["const"])
    if "enum" in schema:
        return " | ".join(sorted(map(repr, schema["enum"])))
    kind = schema.get("type", "any")
    if kind == "array":
        return f"[{_kind(schema.get('items', {}))}]"
    if kind == "object":
        return _object(schema)
    if isinstance(kind, list):
        return " | ".join(sorted(kind))
    return f"{kind}({schema['format']})" if "format" in schema else str(kind)


def _object(schema: Json) -> str:
    """Inline fields of an object, or the type of its values."""
    if fields := schema.get("properties"):
        required = schema.get("required", ())
        entries = (f"{_field(k, k in required)}: {_kind(v)}" for k, v in sorted(fields.items()))
        return f"{{{', '.join(entries)}}}"
    values = schema.get("additionalProperties", {})
    return f"{{string: {_kind(values) if isinstance(values, dict) else 'any'}}}"
