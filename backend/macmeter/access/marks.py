"""The mark of private figures, for whatever leaves the screen: pictures, files, embeds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from macmeter.access.people import Member, Place
from macmeter.access.scope import Asker
from macmeter.access.visibility import PUBLIC
from macmeter.terms import Op, Term


def named_places(member: Member, filters: Iterable[Sequence[Term]]) -> frozenset[Place]:
    """The member's fleets, private to their members, that these filters name."""
    named = {
        term.value
        for terms in filters
        for term in terms
        if term.dimension == "fleet" and term.op is Op.IS
    }
    return frozenset(
        place for place in member.places if place.fleet_name in named and not place.public
    )


def mark_of(reader: Asker | None, filters: Iterable[Sequence[Term]]) -> str | None:
    """The mark of what `reader` sees under these filters; None where everybody sees the same."""
    if reader is None:
        return None
    if isinstance(reader, Member):
        return mark_of_places(named_places(reader, filters))
    if reader.fleet_name is None or reader.visibility == PUBLIC:
        return None
    return _mark([reader.fleet_name])


def mark_of_places(places: Iterable[Place]) -> str | None:
    """The mark of figures of these fleets, as far as they are private."""
    return _mark({place.fleet_name for place in places if not place.public})


def _mark(names: Collection[str]) -> str | None:
    if not names:
        return None
    return f"Private: {'fleet' if len(names) == 1 else 'fleets'} {', '.join(sorted(names))}"
