"""A question in words, for titles and link previews."""

from __future__ import annotations

from macmeter import catalog
from macmeter.terms import Op, Term, machine_name, print_value


def in_words(terms: tuple[Term, ...]) -> str:
    """ "Apple M4, USB4": the values alone; "everything" where nothing is filtered."""
    return ", ".join(map(_alone, terms)) or "everything"


def _alone(term: Term) -> str:
    """A value that says of what it is: "Machine 0193f2a1", "Threads 4", "Encryption not stated"."""
    name, written = term.dimension, _value(term)
    found = catalog.dimension(name)
    if term.value is None and not _is_range(term):
        return f"{_title(name)} {written}"
    if name == "machine":
        return _negated(term, machine_name(term.value))
    if found is not None and found.kind is catalog.Kind.NUMBER:
        return f"{_title(name)} {written}"
    return written


def _title(name: str) -> str:
    found = catalog.dimension(name)
    return found.title if found else name


def _value(term: Term) -> str:
    if _is_range(term):
        return _negated(term, " to ".join(print_value(end) or "…" for end in (term.low, term.high)))
    found = catalog.dimension(term.dimension)
    printed = print_value(term.value)
    return _negated(term, (found.values.get(printed) if found else None) or printed or "not stated")


def _is_range(term: Term) -> bool:
    return term.op in (Op.RANGE, Op.NOT_RANGE)


def _negated(term: Term, text: str) -> str:
    return f"not {text}" if term.op in (Op.NOT, Op.NOT_RANGE) else text
