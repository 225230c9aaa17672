"""The commands that move data: their arguments and exit statuses."""

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
    """Add the parsers of these commands."""
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
    """Add a command's parser, with its function's docstring as the long description."""
    subparser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=inspect.getdoc(run),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subparser.set_defaults(command=run)
    return subparser


@contextlib.contextmanager
def database_for(
    settings: Settings, command: str, *, brief: bool = True, migrated: bool = False
) -> Iterator[str]:
    """Yield the URL of the database that a command works on; see server/command_database.py."""
    from macmeter.platform import database as schema
    from macmeter.server.command_database import database

    with database(settings, f"macmeter-server {command}", brief=brief) as url:
        if migrated:
            schema.migrate(url)
        yield url


def import_runs(settings: Settings, options: argparse.Namespace) -> None:
    """Store the runs of files.

    Each line of a FILE is one run document (macmeter.run/1) or one line of `macmeter-server
    export`. gzip and zstd are detected by content; `-` is standard input. Runs that are already
    stored are skipped, so repeating an interrupted command continues it, and repeating a complete
    one changes nothing. Refused lines are reported with the reason; all others are stored.

    Plain documents need --fleet or --public. Lines of an export carry their own fleet and
    visibility, which --fleet or --public override.

    Exit status: 0 all runs are stored, 1 some lines were refused or the end was not reached, 2
    the arguments can't be used.
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

    A line has the run's document, byte for byte, and what else this server knows: when it was
    received, its fleet and visibility, its withdrawal, readers' doubts. `macmeter-server import`
    restores all of that. Published figures are left out, since every server has them; so are tokens
    and saved comparisons, which only a backup holds. Without --public, lines carry a digest of each
    Mac's token, by which the Mac can prove its identity on the new server.

    A FILE ending in .gz or .zst is compressed; `-` is standard output. FILE appears once it is
    complete.

    With --parquet DIR it writes the corpus instead: a row for each public result, published figures
    included, in Parquet files by month and suite (docs/dataset.md) for DuckDB, Spark and others.

    Exit status: 0 all runs are written, 1 some documents are damaged or the end was not reached,
    2 the arguments can't be used.
    """
    from macmeter.questions.question import parse_run_terms
    from macmeter.runs.transfer.exporting import ExportSelection, export
    from macmeter.runs.transfer.files import InputError

    with _usage("export"):
        if options.parquet is not None:
            sys.exit(FAILED if _export_dataset(settings, options) else 0)
        if options.file is None:
            raise InputError("name a FILE, or a directory with --parquet DIR.")
        selection = ExportSelection(parse_run_terms(options.where), options.fleet, options.public)
        with database_for(settings, "export", brief=False, migrated=True) as url:
            damaged = export(url, options.file, options.compress, selection)
    sys.exit(FAILED if damaged else 0)


def _export_dataset(settings: Settings, options: argparse.Namespace) -> int:
    """Write the corpus; return the number of runs that were left out."""
    from macmeter.runs.transfer import dataset
    from macmeter.runs.transfer.files import InputError

    excluded = ("file", "where", "fleet", "public", "compress")
    if conflicts := [name for name in excluded if getattr(options, name)]:
        label = "FILE" if conflicts[0] == "file" else f"--{conflicts[0]}"
        raise InputError(f"{label} does not go with --parquet, which writes all that is public.")
    dataset.check(options.parquet)
    with database_for(settings, "export", brief=False, migrated=True) as url:
        files = settings.dataset_dir or settings.data_dir / "dataset"
        served = files.resolve() if files.exists() else None
        return dataset.write_dataset(url, options.parquet, served)


def back_up(settings: Settings, options: argparse.Namespace) -> None:
    """Write the whole database as of one moment, while the server runs: runs, tokens, fleets,
    comparisons, doubts. In a directory the file gets a name with the time. It appears once it is
    complete, readable by its owner only. `macmeter-server verify FILE` checks it.

    Exit status: 0 the backup is written, 1 it could not be finished, 2 wrong arguments.
    """
    from macmeter.server.backup.making import backup

    with _usage("backup"), database_for(settings, "backup", brief=False) as url:
        backup(url, options.target)


def restore(settings: Settings, options: argparse.Namespace) -> None:
    """Restore a backup, all or nothing, and bring its schema up to date.

    The database must be empty, or that of a server that was only started. --replace deletes what
    it holds, after confirmation, or at once with --yes. No server may run on it meanwhile.

    Exit status: 0 restored, 1 it failed and nothing was changed, 2 the arguments or the backup
    can't be used.
    """
    from macmeter.server.backup.restoring import restore as run

    with _usage("restore"), database_for(settings, "restore", brief=False) as url:
        run(url, options.file, replace=options.replace, confirmed=options.yes)


def verify(settings: Settings, options: argparse.Namespace) -> None:
    """Check that a backup, or the database, is sound.

    Without FILE: compare each run of the database with its document, by its SHA-256 and by
    deriving its results again, and check that each run has one id and one document. With FILE:
    check that a backup is complete and has the rows that it declares. Differences are printed, a
    line each.

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
    """Exit with one line about wrong arguments and the status of wrong usage."""
    from macmeter.platform.errors import Problem
    from macmeter.runs.transfer.files import InputError, Interrupted

    status = USAGE
    try:
        yield
    except InputError as error:
        message = str(error)
    except Interrupted as error:
        message, status = str(error), FAILED
    except Problem as problem:
        if problem.status != UNPROCESSABLE:
            raise
        message = (
            "".join(f"{e.pointer.replace('?', '--')}: " for e in problem.errors[:1])
            + problem.detail
        )
    else:
        return
    print(f"macmeter-server {command}: {message}", file=sys.stderr)
    sys.exit(status)
