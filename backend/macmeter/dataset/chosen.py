"""Which setups a question is of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from macmeter.access.scope import Scope
from macmeter.dataset.setups import Bools, Ints
from macmeter.dataset.snapshot import Columns, Snapshot
from macmeter.dataset.wording import by_subject, machine_number, matching
from macmeter.terms import Term, matches


def matching_setups(snapshot: Snapshot, terms: Sequence[Term]) -> Bools:
    """Whether each setup passes those filters that are of setups."""
    of_setups, _, _ = by_subject(terms)
    found = np.ones(len(snapshot.setups), dtype=bool)
    for name in {term.dimension for term in of_setups}:
        codes, values = snapshot.values(name)
        of_name = [term for term in of_setups if term.dimension == name]
        found &= np.array([matches(value, of_name) for value in values], dtype=bool)[codes]
    return found


@dataclass(frozen=True, eq=False)
class ChosenSetups:
    """Those that match filters, and of which a run may be read."""

    snapshot: Snapshot
    terms: Sequence[Term]
    scope: Scope

    @cached_property
    def readable(self) -> Bools:
        """Whether all runs of each setup may be read."""
        codes, values = self.snapshot.values("visibility")
        found = np.array([value == "public" for value in values], dtype=bool)[codes]
        if fleets := self.scope.asked(self.terms).fleet_ids | self.snapshot.public_fleets:
            codes, values = self.snapshot.setups.values("fleet_id")
            found |= np.array([value in fleets for value in values], dtype=bool)[codes]
        return found

    @cached_property
    def matching(self) -> Bools:
        """Whether each setup matches."""
        found = matching_setups(self.snapshot, self.terms)
        # One machine's own runs are looked at one by one.
        return found if self.scope.machine_id is not None else found & self.readable

    @cached_property
    def unspecified(self) -> Bools:
        """Whether the runs of each setup name no machine."""
        codes, values = self.snapshot.values("unspecified")
        return np.array(values, dtype=bool)[codes] if len(codes) else np.zeros(0, dtype=bool)

    def relation(self, also: Bools | None = None, **columns: Ints) -> str:
        """Those of them that are `also` wanted, with their places among all setups and more columns
        by setup, as a relation.
        """
        places = np.flatnonzero(self.matching if also is None else self.matching & also)
        told = {
            "setup": self.snapshot.setups.numbers,
            "unspecified": self.unspecified,
            "readable": self.readable,
            **columns,
        }
        chosen = {name: of[places] for name, of in told.items()}
        return self.snapshot.register({"place": places.astype(np.int32), **chosen})

    def among(self, runs: Columns, also: Bools | None = None) -> Bools:
        """Which runs of a set of files are of these setups, and `also` wanted, and may be read; as
        `relation` and `conditions` say it, but for filters of single runs.
        """
        place = runs["place"]
        matching = self.matching if also is None else self.matching & also
        found = matching[place] & ~self.snapshot.is_hidden(runs)
        if (own := self.scope.machine_id) is not None:
            found &= self.readable[place] | (runs["owner"] == machine_number(own))
        return found

    def conditions(self) -> list[str]:
        """What of the filters is said of single runs."""
        _, of_runs, _ = by_subject(self.terms)
        if (own := self.scope.machine_id) is None:
            return [matching(of_runs)]
        return [matching(of_runs), f"(readable OR machine = {machine_number(own)})"]
