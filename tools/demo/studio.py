"""A private fleet beside the demo's public one, with something of each kind for its admins to see.

Its Macs run like the public fleet's and get macOS 26.4 in the last weeks, which slows one chip.
What else is planted: a Mac that fell silent, agents out of date, a run that is refused, and a Mac
that is slow for a reason that its runs state. The server finds all of it by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

from macmeter import Json
from macmeter.platform.demo import Scale
from macmeter.platform.release import VERSION

from demo.documents import document
from demo.fleet import WEEKS, Mac, Planned, macs_of_chips

NAME = "Studio"
# Macs of each chip, of which the first slows under the new macOS.
CHIPS = {"Apple M2": 16, "Apple M4 Pro": 20}
FIRST_WEEK, UPDATED_IN = 9, 17
SILENT_SINCE = WEEKS - 4
OLD_AGENT = "0.1.0"
# Speed of the slow Mac in its last weeks, relative to before, in Low Power Mode.
SLOWED, SLOW_WEEKS = 0.62, 4
OFFICES = ("Bern", "Oslo")


@dataclass(frozen=True)
class Studio:
    """The fleet's Macs by what is planted on them, and its runs in order of time."""

    macs: list[Mac]
    runs: list[Planned]
    silent: Mac
    slow: Mac
    outdated: list[Mac]

    def document(self, run: Planned) -> Json:
        """The document of a run, as the Mac's agent would have written it."""
        version = OLD_AGENT if run.mac.id in {mac.id for mac in self.outdated} else VERSION
        return document(run) | {
            "agent": {"version": version, "platform": "macos-arm64"},
            "labels": {"office": OFFICES[run.mac.index % len(OFFICES)]},
        }

    @property
    def refused(self) -> Json:
        """A document that no server takes: the Mac's clock is a month ahead."""
        ahead = replace(self.runs[-1], at=self.runs[-1].at + timedelta(days=60), ordinal=WEEKS + 1)
        return self.document(ahead)

    @property
    def updated(self) -> list[Mac]:
        """Macs that the new macOS slows."""
        first = next(iter(CHIPS))
        return [mac for mac in self.macs if mac.chip.name == first and mac.updates]


def studio(scale: Scale, base: datetime) -> Studio:
    macs = [_as_planted(mac) for mac in macs_of_chips(CHIPS, f"{scale.seed}/studio")]
    by_chip = {name: [mac for mac in macs if mac.chip.name == name] for name in CHIPS}
    *_, quiet = by_chip.values()
    silent, slow = quiet[0], quiet[1]
    runs = [
        run
        for mac in macs
        for run in _runs(mac, base, is_slow=mac is slow)
        if mac is not silent or run.week < SILENT_SINCE
    ]
    runs.sort(key=lambda run: (run.at, run.key))
    return Studio(macs, runs, silent, slow, quiet[2:5])


def _as_planted(mac: Mac) -> Mac:
    """Without drives and other modes, and updated in one of two weeks."""
    return replace(
        mac,
        drives=(),
        low_power=False,
        updates=True,
        encryption="filevault",
        # A Mac is compared with others of its model, in its office.
        model=mac.chip.models[0],
        # From the week in which the public fleet gets it.
        lag=UPDATED_IN - 10 + mac.index % 2,
    )


def _runs(mac: Mac, base: datetime, *, is_slow: bool) -> Iterator[Planned]:
    chance = Random(f"studio/{mac.id}")
    day = timedelta(days=chance.randrange(6), hours=chance.choice([2, 3, 12, 13, 18, 22]))
    for week in range(FIRST_WEEK, WEEKS):
        slowed = is_slow and week >= WEEKS - SLOW_WEEKS
        measured_mac = replace(mac, disk_factor=mac.disk_factor * SLOWED) if slowed else mac
        at = base - timedelta(weeks=WEEKS - week) + day
        mode = "low" if slowed else "automatic"
        yield Planned(measured_mac, week, "graded", at.replace(microsecond=0), week, mode)


def planted(private: Studio) -> Json:
    """What is true of it, for truth.json."""
    return {
        "fleet": NAME,
        "runs": len(private.runs),
        "machines": [mac.id for mac in private.macs],
        "slowed_by_update": [mac.id for mac in private.updated],
        "silent": private.silent.id,
        "outdated": [mac.id for mac in private.outdated],
        "slow": private.slow.id,
        "offices": list(OFFICES),
    }
