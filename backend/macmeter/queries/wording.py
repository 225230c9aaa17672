"""A question in words, for titles and link previews."""

from __future__ import annotations

from typing import Any

from macmeter import catalog
from macmeter.terms import Term, print_value

# What no and yes mean, where the dimension's title alone does not say it.
TRUTH = {"virtual": ("Host", "In a VM")}


def in_words(terms: tuple[Term, ...]) -> str:
    """ "Apple M4, USB4": the values alone; "everything" where nothing is filtered."""
    told = (_alone(vars(term) | {"op": term.op.value}) for term in terms)
    return ", ".join(told) or "everything"


def _alone(term: dict[str, Any]) -> str:
    """A value that says of what it is: "Machine 0193f2a1", "Threads 4", "Encryption not stated"."""
    name, written, value = term["dimension"], _value(term), term.get("value")
    found = catalog.dimension(name)
    if value is None and term["op"] not in ("range", "not_range"):
        return f"{_title(name)} {written}"
    if isinstance(value, bool) and name in TRUTH:
        written = TRUTH[name][value]
    elif name == "machine":
        # Enough of an id to know it again.
        written = f"Machine {str(value)[:8]}"
    elif found is not None and found.kind is catalog.Kind.NUMBER:
        return f"{_title(name)} {written}"
    else:
        return written
    return f"not {written}" if term["op"].startswith("not") else written


def _title(name: str) -> str:
    found = catalog.dimension(name)
    return found.title if found else name


def _value(term: dict[str, Any]) -> str:
    if term["op"] in ("range", "not_range"):
        ends = [print_value(term[end]) or "…" for end in ("low", "high")]
        written = " to ".join(ends)
    else:
        found = catalog.dimension(term["dimension"])
        value = term["value"]
        named = found.values.get(value) if found and isinstance(value, str) else None
        written = named or print_value(value) or "not stated"
    return f"not {written}" if term["op"].startswith("not") else written
