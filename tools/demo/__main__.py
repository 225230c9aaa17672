"""`make demo`: serve a fleet of invented machines from its own DATA_DIR or DATABASE_URL."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
import urllib.request
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path

from macmeter.platform import database as schema
from macmeter.platform.database_errors import EXPECTED
from macmeter.platform.demo import Mark, Scale, claim, monday
from macmeter.platform.isolation import reason_of
from macmeter.platform.settings import Settings
from macmeter.server.addresses import own_address
from macmeter.server.cli import OWNER_ONLY, errors_in_one_line
from macmeter.server.command_database import database, running_url
from macmeter.server.supervised import STOP_SIGNALS, stop_with_parent

from demo.loading import LoadError, load

SERVER = Path(sys.executable).with_name("macmeter-server")
FEWEST, MOST = 20, 100_000
READY_POLL_SECONDS = 0.1


def main() -> None:
    """Claim the database, start a server on it, and load what is missing meanwhile."""
    parser = argparse.ArgumentParser(prog="demo", description=__doc__)
    parser.add_argument("--machines", type=machines, default=300, metavar="N")
    options = parser.parse_args()
    os.umask(OWNER_ONLY)
    with errors_in_one_line("demo"):
        settings = Settings()
        with database(settings, "make demo") as url:
            schema.migrate(url)
            mark = claim(url, Scale(machines=options.machines), monday(datetime.now(UTC)))
        sys.exit(serve(settings, mark))


def machines(text: str) -> int:
    """Parse the number of machines; with too few, some views would have nothing to show."""
    if not text.isdecimal() or not FEWEST <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"a demo has {FEWEST} to {MOST:,} machines")
    return int(text)


def serve(settings: Settings, mark: Mark) -> int:
    """Serve the whole demo, stop when this process stops, and return the exit status."""
    with subprocess.Popen([SERVER, "serve", "--with-parent"]) as server:
        for number in STOP_SIGNALS:
            signal.signal(number, lambda *_: server.terminate())
        stop_with_parent()
        if answers(server, own_address(settings)):
            load_all(settings, mark)
        return server.wait()


def answers(server: subprocess.Popen[bytes], address: str) -> bool:
    """Wait until a server is ready; return False if it ended instead."""
    while server.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/readyz", timeout=5).close()
        except OSError:  # not listening yet, or not ready: an HTTPError
            time.sleep(READY_POLL_SECONDS)
        else:
            return True
    return False


def load_all(settings: Settings, mark: Mark) -> None:
    """Load all runs; report an error in one line, as the server goes on with what it has."""
    try:
        url = settings.database_url or running_url(settings)
        load(url, own_address(settings), mark, settings.data_dir)
    except (LoadError, OSError, HTTPException, *EXPECTED) as error:
        sys.stderr.write(
            f"\ndemo: not all is loaded ({reason_of(error)}); make demo goes on where it ended\n"
        )


if __name__ == "__main__":
    main()
