"""Print COUNT device tokens of the server in DATA_DIR, one per line, for a test of many Macs.

`macmeter-server token` issues one at a time, in its own process.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from macmeter.accounts import tokens
from macmeter.embedded import find_running
from macmeter.platform import database
from sqlalchemy import create_engine


def main(count: int) -> None:
    running = find_running(Path(os.environ["DATA_DIR"]))
    assert running is not None, "no server runs there"
    engine = create_engine(database.normalise(running.url()))
    with engine.begin() as connection:
        for _ in range(count):
            print(tokens.issue(connection, "device"))
    engine.dispose()


if __name__ == "__main__":
    main(int(sys.argv[1]))
