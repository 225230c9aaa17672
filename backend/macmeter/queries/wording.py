"""A question in words, for titles and link previews."""

from __future__ import annotations

from typing import Any

from macmeter import catalog
from macmeter.terms import Term, print_value


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
    if name == "machine":
        # Enough of an id to know it again.
        known = f"Machine {str(value)[:8]}"
        return f"not {known}" if term["op"].startswith("not") else known
    if found is not None and found.kind is catalog.Kind.NUMBER:
        return f"{_title(name)} {written}"
    return written


def _title(name: str) -> str:
    found = catalog.dimension(name)
    return found.title if found else name


def _value(term: dict[str, Any]) -> str:
    if term["op"] in ("range", "not_range"):
        ends = [print_value(term[end]) or "…" for end in ("low", "high")]
        written = " to ".join(ends)
    else:
        found = catalog.dimension(term["dimension"])
        printed = print_value(term["value"])
        written = (found.values.get(printed) if found else None) or printed or "not stated"
    return f"not {written}" if term["op"].startswith("not") else written
