"""The commands that move data: what they are called with, and how they end."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from macmeter.settings import Settings

_IMPORT = """\
Each line of a FILE is one run document (macmeter.run/1) or one line of `macmeter-server export`;
gzip and zstd are told by the file itself, `-` is standard input. Runs that are stored already are
skipped: the same command again goes on where it was interrupted, or changes nothing. A line that is
refused is named with what is wrong in it, and all others are stored.

Documents alone need --fleet or --public. Lines of an export say whose they are themselves; with
--fleet or --public they become that instead.

Exit status: 0 all runs are stored, 1 some lines were refused or the end was not reached, 2 nothing
could be done with the arguments."""


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the parsers of these commands."""
    formatted = argparse.RawDescriptionHelpFormatter
    importing = commands.add_parser(
        "import",
        help="store the runs of files: the way to bring in many",
        description=_IMPORT,
        formatter_class=formatted,
    )
    importing.add_argument("files", nargs="+", metavar="FILE")
    importing.add_argument(
        "--fleet", metavar="NAME", help="the runs become this fleet's, as visible as it is"
    )
    importing.add_argument(
        "--public", action="store_true", help="everybody may read the runs, in a fleet or without"
    )
    importing.set_defaults(command=import_runs)


def import_runs(settings: Settings, options: argparse.Namespace) -> None:
    from macmeter import database as schema
    from macmeter.serving.database import database
    from macmeter.transfer import destinations, importing
    from macmeter.transfer.compressed import InputError

    try:
        importing.check(options.files, owned=options.public or options.fleet is not None)
        with database(settings, "macmeter-server import", brief=False) as url:
            schema.migrate(url)
            destination = destinations.resolve(
                url, settings, fleet=options.fleet, public=options.public
            )
            status = importing.import_files(url, options.files, destination)
    except InputError as error:
        print(f"macmeter-server import: {error}", file=sys.stderr)
        sys.exit(importing.USAGE)
    sys.exit(status)
