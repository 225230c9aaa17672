"""What a fleet may be called."""

from __future__ import annotations

import re
import uuid
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from macmeter.plain_text import SEEN, legible

# What divides an address, or a question's terms.
_WHOLE = r"^[^/\\?#:!\x00-\x1f\x7f]*$"


def _require_name(name: str) -> str:
    """One that an address and a question can carry, and that nobody takes for an id."""
    try:
        uuid.UUID(name)
    except ValueError:
        pass
    else:
        raise PydanticCustomError("id_as_name", "This looks like an id. Choose a name")
    if not re.fullmatch(_WHOLE, name):
        raise PydanticCustomError("divided_name", "A name can't have / \\ ? # : or ! in it")
    if legible(name) != name or name in (".", "..", "new"):
        raise PydanticCustomError("no_name", "Choose another name")
    return name


Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=60),
    Field(json_schema_extra={"pattern": _WHOLE}),
    SEEN,
    AfterValidator(_require_name),
]
