"""Database errors as clients see them: the status, and whether a retry helps."""

import psycopg
from sqlalchemy import exc

from macmeter.platform.errors import Problem, disk_full, server_full, too_slow

# SQLSTATE codes and classes.
DISK_FULL = "53100"
CANCELLED = "57014"
_TOO_LARGE = "54"
# Foreign key violation: a referenced row, such as the fleet, was deleted meanwhile.
GONE = "23503"
# Unique violation: two requests claimed one name at once.
_TAKEN = "23505"

EXPECTED = (exc.SQLAlchemyError, psycopg.Error)


def problem_of(error: BaseException, *, reading: bool) -> Problem | None:
    """Return the refusal for an expected database error; None for a fault of ours.

    A statement timeout is `too_slow` for readers.
    """
    if isinstance(error, exc.TimeoutError):
        return server_full("All connections to the database are in use.")
    state = sqlstate(error)
    if state == DISK_FULL:
        return disk_full()
    if reading and (state == CANCELLED or state.startswith(_TOO_LARGE)):
        return too_slow("It takes longer than this server allows. Add a filter.")
    if state == _TAKEN:
        return Problem(
            409,
            "taken_meanwhile",
            "Taken meanwhile",
            "Somebody else did this at the same moment. Nothing was changed; try again.",
        )
    if _is_outage(error):
        return _unavailable()
    return None


def sqlstate(error: BaseException) -> str:
    """Return the error's SQLSTATE, or "" if the server sent none."""
    driver = error.orig if isinstance(error, exc.DBAPIError) else error
    return getattr(driver, "sqlstate", None) or ""


# SQLSTATE classes: connection, resources, operator intervention, system.
NOBODYS_FAULT = {"08", "53", "57", "58"}


def concerns_all(error: BaseException) -> bool:
    """Whether no single item is at fault: the database is away, full or stopping.

    A statement timeout is its item's own fault.
    """
    if state := sqlstate(error):
        return state[:2] in NOBODYS_FAULT and state != CANCELLED
    return isinstance(error, exc.TimeoutError) or _is_outage(error)


def first_line(error: BaseException) -> str:
    """Return the error as one line, without the statement and SQLAlchemy's background."""
    driver = error.orig if isinstance(error, exc.DBAPIError) else error
    lines = str(driver).strip().splitlines()
    return f"{type(driver).__name__}: {lines[0]}" if lines else type(driver).__name__


def _is_outage(error: BaseException) -> bool:
    outages = (exc.OperationalError, exc.InterfaceError)
    return isinstance(error, (*outages, psycopg.OperationalError, psycopg.InterfaceError))


def _unavailable() -> Problem:
    return Problem(
        503,
        "database_unavailable",
        "Database unavailable",
        "The database does not answer. Nothing was stored; try again.",
        headers={"Retry-After": "5"},
    )
