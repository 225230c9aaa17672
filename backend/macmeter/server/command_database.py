"""The database of a command: DATABASE_URL, the running server's, or one started for it."""

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
    """Yield the URL of a running database, whether or not a server is running.

    A server that starts meanwhile waits for a `brief` command, and refuses to start during a longer
    one.
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
    """Return the URL of another process's database once it accepts connections."""
    end = time.monotonic() + ANSWER_SECONDS
    while (running := find_running(settings.data_dir)) and time.monotonic() < end:
        try:
            running.connect("macmeter").close()
        except psycopg.OperationalError:  # still starting
            time.sleep(POLL_SECONDS)
        else:
            return running.url()
    raise EmbeddedError(f"the PostgreSQL of {settings.data_dir} is in use but does not answer")
