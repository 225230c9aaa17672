"""Which PostgreSQL a command speaks to: one's own, the running server's, or started for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from macmeter.embedded import EmbeddedError, EmbeddedPostgres, InUseError, find_running
from macmeter.platform.settings import Settings

ANSWER_SECONDS = 60.0
POLL_SECONDS = 0.1


@contextmanager
def database(settings: Settings, purpose: str, *, brief: bool = True) -> Iterator[str]:
    """Yields an address that answers, for a command that runs beside the server or without it.

    A server that starts meanwhile waits for a `brief` command, and refuses beside a long one.
    """
    if settings.database_url is not None:
        yield settings.database_url
        return
    embedded = EmbeddedPostgres(settings.data_dir, purpose=purpose, brief=brief)
    try:
        embedded.start()
    except InUseError:
        yield running_url(settings)
        return
    try:
        yield embedded.url()
    finally:
        embedded.stop()


def running_url(settings: Settings) -> str:
    """The address of the server that another process runs, once it answers."""
    end = time.monotonic() + ANSWER_SECONDS
    while (running := find_running(settings.data_dir)) and time.monotonic() < end:
        try:
            running.connect("macmeter").close()
        except psycopg.OperationalError:  # it is only just starting
            time.sleep(POLL_SECONDS)
        else:
            return running.url()
    raise EmbeddedError(f"the PostgreSQL of {settings.data_dir} is in use but does not answer")
