"""What a fleet may be called."""

from __future__ import annotations

import uuid
from typing import Annotated

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

from macmeter.plain_text import SEEN, legible


def _require_name(name: str) -> str:
    """One that an address and a question can carry, and that nobody takes for an id."""
    try:
        uuid.UUID(name)
    except ValueError:
        pass
    else:
        raise PydanticCustomError("id_as_name", "This looks like an id. Choose a name")
    if legible(name) != name or name in (".", "..", "new"):
        raise PydanticCustomError("no_name", "Choose another name")
    return name


Name = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=60, pattern=r"^[^/\\?#:!\x00-\x1f\x7f]*$"
    ),
    SEEN,
    AfterValidator(_require_name),
]
