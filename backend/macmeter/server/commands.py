"""The commands that move data: what they are called with, and how they end."""

from __future__ import annotations

import argparse
import contextlib
import inspect
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from macmeter.platform.settings import Settings

FAILED, USAGE = 1, 2
UNPROCESSABLE = 422


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the parsers of these commands."""
    add = partial(_add, commands)
    importing = add("import", import_runs, "store the runs of files: the way to bring in many")
    importing.add_argument("files", nargs="+", metavar="FILE")
    importing.add_argument(
        "--fleet", metavar="NAME", help="the runs become this fleet's, as visible as it is"
    )
    importing.add_argument(
        "--public", action="store_true", help="everybody may read the runs, in a fleet or without"
    )

    exporting = add("export", export_runs, "write runs and what is known of them, for import")
    exporting.add_argument("file", nargs="?", metavar="FILE")
    exporting.add_argument(
        "--parquet",
        type=Path,
        metavar="DIR",
        help="instead of FILE: all public results as a data set by month and suite; given again, "
        "only what has changed is written",
    )
    exporting.add_argument(
        "--where",
        action="append",
        metavar="NAME:VALUE",
        help="only these runs, as the filters of answers have it: chip_family:M4, month!:2026-10",
    )
    exporting.add_argument("--fleet", metavar="NAME", help="only the runs of this fleet")
    exporting.add_argument("--public", action="store_true", help="only what everybody may read")
    exporting.add_argument(
        "--compress", choices=["plain", "gzip", "zstd"], help="whatever the name of FILE ends in"
    )

    backing = add("backup", back_up, "write all of the database into a file")
    backing.add_argument("target", type=Path, metavar="DIR|FILE")

    restoring = add("restore", restore, "bring a backup back")
    restoring.add_argument("file", type=Path, metavar="FILE")
    restoring.add_argument(
        "--replace", action="store_true", help="delete what the database holds now"
    )
    restoring.add_argument("--yes", action="store_true", help="do not ask before that")

    verifying = add("verify", verify, "prove that a backup, or the database, is sound")
    verifying.add_argument("file", type=Path, nargs="?", metavar="FILE")


def _add(
    commands: argparse._SubParsersAction[Any], name: str, run: Callable[..., None], summary: str
) -> argparse.ArgumentParser:
    """A command's parser; what it does at length is its function's docstring."""
    made: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=inspect.getdoc(run),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.set_defaults(command=run)
    return made


@contextlib.contextmanager
def database_for(
    settings: Settings, command: str, *, brief: bool = True, migrated: bool = False
) -> Iterator[str]:
    """The address of the database that a command works on; see `serving.database`."""
    from macmeter.platform import database as schema
    from macmeter.server.command_database import database

    with database(settings, f"macmeter-server {command}", brief=brief) as url:
        if migrated:
            schema.migrate(url)
        yield url


def import_runs(settings: Settings, options: argparse.Namespace) -> None:
    """Store the runs of files.

    Each line of a FILE is one run document (macmeter.run/1) or one line of `macmeter-server
    export`; gzip and zstd are detected by content, `-` is standard input. Runs that are stored
    already are skipped: the same command again goes on where it was interrupted, or changes
    nothing. A line that is refused is named with what is wrong in it, and all others are stored.

    Documents alone need --fleet or --public. Lines of an export say whose they are themselves; with
    --fleet or --public they become that instead.

    Exit status: 0 all runs are stored, 1 some lines were refused or the end was not reached, 2
    nothing could be done with the arguments.
    """
    from macmeter.platform.processes.template import forking
    from macmeter.runs.transfer import importing, owners

    with _usage("import"):
        importing.check(options.files, owned=options.public or options.fleet is not None)
        with (
            forking(importing.MODULES),
            database_for(settings, "import", brief=False, migrated=True) as url,
        ):
            destination = owners.resolve(url, settings, fleet=options.fleet, public=options.public)
            status = importing.import_files(url, options.files, destination)
    sys.exit(status)


def export_runs(settings: Settings, options: argparse.Namespace) -> None:
    """Write a line for each run.

    It has its document, byte for byte, and what this server knows besides: when it was received,
    its fleet and visibility, its withdrawal, readers' doubts. `macmeter-server import` brings all
    of that back. Published figures are left out, since every server has them; so are tokens and
    saved comparisons, which only a backup holds. Without --public, lines carry a digest of each
    Mac's token: on the new server the Mac proves by its token that it is the same one.

    A FILE ending in .gz or .zst is compressed; `-` is standard output. FILE appears when it is
    whole.

    With --parquet DIR it is the corpus instead: a line for each public result, published figures
    included, in Parquet files by month and suite (docs/dataset.md) for DuckDB, Spark and the like.

    Exit status: 0 all runs are written, 1 documents of some are damaged or the end was not reached,
    2 nothing could be done with the arguments.
    """
    from macmeter.questions.question import terms_of_runs
    from macmeter.runs.transfer.errors import InputError
    from macmeter.runs.transfer.exporting import Selection, export

    with _usage("export"):
        if options.parquet is not None:
            sys.exit(FAILED if _export_dataset(settings, options) else 0)
        if options.file is None:
            raise InputError("name a FILE, or a directory with --parquet DIR.")
        selection = Selection(terms_of_runs(options.where), options.fleet, options.public)
        with database_for(settings, "export", brief=False, migrated=True) as url:
            damaged = export(url, options.file, options.compress, selection)
    sys.exit(FAILED if damaged else 0)


def _export_dataset(settings: Settings, options: argparse.Namespace) -> int:
    """How many runs were left out."""
    from macmeter.runs.transfer import dataset
    from macmeter.runs.transfer.errors import InputError

    others = ("file", "where", "fleet", "public", "compress")
    if given := [name for name in others if getattr(options, name)]:
        named = "FILE" if given[0] == "file" else f"--{given[0]}"
        raise InputError(f"{named} does not go with --parquet, which writes all that is public.")
    dataset.check(options.parquet)
    with database_for(settings, "export", brief=False, migrated=True) as url:
        files = settings.dataset_dir or settings.data_dir / "dataset"
        own = files.resolve() if files.exists() else None
        return dataset.write_dataset(url, options.parquet, own)


def back_up(settings: Settings, options: argparse.Namespace) -> None:
    """Write all of the database as it is at one moment, while the server runs: runs, tokens,
    fleets, comparisons, doubts. Into a directory it goes under a name with the time. The file
    appears when it is whole, and only its owner may read it. `macmeter-server verify FILE` proves
    that it is sound.

    Exit status: 0 the backup is there, 1 it could not be finished, 2 wrong arguments.
    """
    from macmeter.server.backup.making import backup

    with _usage("backup"), database_for(settings, "backup", brief=False) as url:
        backup(url, options.target)


def restore(settings: Settings, options: argparse.Namespace) -> None:
    """Bring a backup back, all or nothing, and its schema up to date.

    The database has to be empty, or no more than a server that was only started: --replace deletes
    what it holds, after asking, or with --yes at once. No server may run on it meanwhile.

    Exit status: 0 restored, 1 it failed and nothing was changed, 2 the arguments or the backup
    can't be used.
    """
    from macmeter.server.backup.restoring import restore as run

    with _usage("restore"), database_for(settings, "restore", brief=False) as url:
        run(url, options.file, replace=options.replace, confirmed=options.yes)


def verify(settings: Settings, options: argparse.Namespace) -> None:
    """Prove that a backup, or the database, is sound.

    Without FILE: compares each run of the database with its document, by its SHA-256 and by
    deriving its results again, and that each run has one id and one document. With FILE: that a
    backup is whole and has the rows that it says. Differences are printed, a line each.

    Exit status: 0 nothing is wrong, 1 something is, 2 the file isn't a complete backup.
    """
    from macmeter.platform.processes.template import forking
    from macmeter.server.backup.verifying import MODULES, verify_backup, verify_database

    with _usage("verify"):
        if options.file is not None:
            wrong = verify_backup(options.file)
        else:
            with forking(MODULES), database_for(settings, "verify", brief=False) as url:
                wrong = verify_database(url)
    for line in wrong:
        print(line)
    sys.exit(FAILED if wrong else 0)


@contextlib.contextmanager
def _usage(command: str) -> Iterator[None]:
    """Prints what is wrong with the arguments in one line, with the status of wrong usage."""
    from macmeter.platform.errors import Problem
    from macmeter.runs.transfer.errors import InputError, Interrupted

    status = USAGE
    try:
        yield
    except InputError as error:
        said = str(error)
    except Interrupted as error:
        said, status = str(error), FAILED
    except Problem as problem:
        if problem.status != UNPROCESSABLE:
            raise
        said = (
            "".join(f"{e.pointer.replace('?', '--')}: " for e in problem.errors[:1])
            + problem.detail
        )
    else:
        return
    print(f"macmeter-server {command}: {said}", file=sys.stderr)
    sys.exit(status)
