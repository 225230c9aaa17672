"""What kind of request it is: few words, whatever addresses are asked for."""

from __future__ import annotations

import re

# The first that matches the method and the address.
_TABLE = (
    ("upload", r"PUT /api/v1/runs/"),
    ("batch", r"POST /api/v1/runs/batch"),
    ("writing", r"(PUT|POST|DELETE|PATCH) /api/v1/(runs|comparisons|tokens)"),
    ("picture", r"\w+ /.*/chart\.(png|svg)$"),
    ("answer", r"\w+ /api/v1/(answer|percentile|residency|starting-point)"),
    ("facets", r"\w+ /api/v1/facets"),
    ("compare", r"\w+ /api/v1/compar"),
    ("list", r"\w+ /api/v1/(runs|doubted|sources|chips|machines)$"),
    ("machine", r"\w+ /api/v1/machines/"),
    ("run", r"\w+ /api/v1/runs/"),
    ("download", r"\w+ /api/v1/corpus"),
    ("live", r"\w+ /api/v1/events"),
    ("operation", r"\w+ /(healthz|readyz|metrics)$"),
    ("api", r"\w+ /api/"),
    ("page", r"\w+ /"),
)
KINDS = (*(kind for kind, _ in _TABLE), "other")
# What somebody waits for and a server works out.
QUESTIONS = frozenset({"answer", "facets", "compare", "picture", "list", "machine", "run"})

_PATTERN = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _TABLE))


def kind_of(method: str, path: str) -> str:
    """One of KINDS."""
    found = _PATTERN.match(f"{method} {path}")
    return found.lastgroup or "other" if found else "other"
