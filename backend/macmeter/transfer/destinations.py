"""Who owns imported runs, according to the command line."""

from __future__ import annotations

import uuid

from sqlalchemy import Connection, Row, select

from macmeter import database
from macmeter.access import tokens
from macmeter.access.visibility import PRIVATE, PUBLIC
from macmeter.demo import is_demo
from macmeter.models import Fleet
from macmeter.settings import Settings
from macmeter.transfer.errors import InputError
from macmeter.transfer.taking import Destination


def resolve(url: str, settings: Settings, *, fleet: str | None, public: bool) -> Destination:
    """InputError where there is no such fleet."""
    simulated, demo = settings.accept_simulated, is_demo(url)
    if fleet is None:
        return Destination(PUBLIC if public else None, None, simulated, demo)
    with database.begun(url) as connection:
        if fleet == tokens.LOCAL_FLEET:
            tokens.local_fleet(connection)
        found = fleet_named(connection, fleet)
    return Destination(PUBLIC if public else PRIVATE, found.fleet_id, simulated, demo)


def fleet_named(connection: Connection, name: str) -> Row[uuid.UUID, str, str]:
    """InputError that names those there are."""
    rows = connection.execute(select(Fleet.fleet_id, Fleet.name, Fleet.visibility))
    fleets = {row.name: row for row in rows}
    if name not in fleets:
        known = ", ".join(sorted(fleets)) or "none yet"
        raise InputError(f"--fleet {name}: there is no such fleet. Fleets here: {known}.")
    return fleets[name]
