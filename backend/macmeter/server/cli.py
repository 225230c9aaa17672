"""`macmeter-server`: the server's command line."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import uuid
from collections.abc import Callable, Iterator

from pydantic import ValidationError

from macmeter.embedded import EmbeddedError
from macmeter.platform.database_errors import EXPECTED, first_line, problem_of
from macmeter.platform.errors import Problem, ServeError
from macmeter.platform.processes.memory import exempt_from_gc
from macmeter.platform.settings import Settings, explain
from macmeter.server import commands as data_commands

DESCRIPTION = """\
Settings come from the environment: PORT, HOST, DATA_DIR, DATABASE_URL, DATABASE_READ_URL,
PUBLIC_URL, WORKERS. Without DATABASE_URL a PostgreSQL of its own is kept in DATA_DIR.
A demo with invented Macs is served by `make demo` in a working copy."""
# Files get mode 0600, directories 0700.
OWNER_ONLY = 0o077


def main(arguments: list[str] | None = None) -> None:
    """Run one command."""
    options = parser().parse_args(arguments)
    # Files written by a command or its processes may hold private data of a fleet.
    os.umask(OWNER_ONLY)
    # Set before NumPy's import: matrices are small, and OpenBLAS threads don't survive a fork.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with errors_in_one_line("macmeter-server"):
        options.command(Settings(), options)


@contextlib.contextmanager
def errors_in_one_line(program: str) -> Iterator[None]:
    """Exit with a one-line message for operators instead of a traceback."""
    try:
        yield
    except ValidationError as error:
        sys.exit(f"{program}: {explain(error)}")
    except (EmbeddedError, ServeError) as error:
        sys.exit(f"{program}: {error}")
    except Problem as problem:
        sys.exit(f"{program}: {problem.detail}")
    except EXPECTED as error:
        sys.exit(f"{program}: {_database_error(error)}")
    except KeyboardInterrupt:
        sys.exit(130)


def _database_error(error: BaseException) -> str:
    """Describe a database error for operators."""
    problem = problem_of(error, reading=False)
    if problem is not None and problem.code == "database_unavailable":
        return f"the database does not answer: {first_line(error)}. Start it, or see DATABASE_URL"
    if problem is not None and problem.code == "disk_full":
        return "the database's disk is full: make room on it"
    return problem.detail if problem else first_line(error)


def parser() -> argparse.ArgumentParser:
    """Build the parser of all commands."""
    top = argparse.ArgumentParser(prog="macmeter-server", epilog=DESCRIPTION)
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, run: Callable[..., None], summary: str) -> argparse.ArgumentParser:
        subparser: argparse.ArgumentParser = commands.add_parser(name, help=summary)
        subparser.set_defaults(command=run)
        return subparser

    add("serve", serve, "serve the dashboard and the API until stopped").add_argument(
        "--with-parent",
        action="store_true",
        help="stop when the process that started it ends",
    )
    add("migrate", migrate, "bring the database's schema up to date")
    add("token", token, "print a fresh token as the last line").add_argument(
        "--scope",
        choices=["device", "fleet"],
        default="device",
        help="device: writes the runs of one machine; fleet: of any machine of the local fleet",
    )
    add(
        "admin-link", admin_link, "print a one-time link that makes its user an admin of the server"
    )
    add(
        "fleet", fleet, "print how Macs enrol in a fleet, which is made where there is none"
    ).add_argument("name", type=fleet_name, metavar="NAME", help="the fleet's name")
    withdrawing = add(
        "withdraw", withdraw, "take a run out of every answer; its page stays and gives the reason"
    )
    withdrawing.add_argument("run", type=uuid.UUID, metavar="RUN", help="the run's id")
    withdrawing.add_argument("--reason", required=True, help="a sentence that everybody reads")
    add("reinstate", reinstate, "undo the withdrawal of a run").add_argument(
        "run", type=uuid.UUID, metavar="RUN", help="the run's id"
    )
    add("doubts", doubts, "list problem reports")
    add("rederive", rederive, "derive results and flags from documents again")
    data_commands.add_to(commands)
    return top


def serve(settings: Settings, options: argparse.Namespace) -> None:
    with exempt_from_gc():
        from macmeter.server.serve import serve as run

    run(settings, with_parent=options.with_parent)


def migrate(settings: Settings, _: argparse.Namespace) -> None:
    with data_commands.database_for(settings, "migrate", migrated=True):
        pass


def token(settings: Settings, options: argparse.Namespace) -> None:
    from macmeter.accounts import tokens
    from macmeter.platform import database

    with (
        data_commands.database_for(settings, "token", migrated=True) as url,
        database.begun(url) as connection,
    ):
        secret = tokens.issue(connection, options.scope)
    print(f"A {options.scope} token, shown this once:", file=sys.stderr, flush=True)
    print(secret)


def admin_link(settings: Settings, _: argparse.Namespace) -> None:
    from macmeter.accounts import one_time_links
    from macmeter.platform import database

    site = _site(settings)
    with (
        data_commands.database_for(settings, "admin-link", migrated=True) as url,
        database.begun(url) as connection,
    ):
        secret = one_time_links.make_admin_link(connection)
    print("Open this link within a day; it works once:", file=sys.stderr, flush=True)
    print(one_time_links.address_of(site, secret))


def fleet_name(text: str) -> str:
    """Parse a fleet's name as the API does."""
    from pydantic import TypeAdapter

    from macmeter.fleets.service import Name

    try:
        return TypeAdapter(Name).validate_python(text)
    except ValidationError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error.errors()[0]['msg']}") from None


def fleet(settings: Settings, options: argparse.Namespace) -> None:
    from macmeter.fleets.devices import create_secret_of_fleet
    from macmeter.server.addresses import is_local

    site = _site(settings)
    with data_commands.database_for(settings, "fleet", migrated=True) as url:
        secret = create_secret_of_fleet(url, options.name)
    if is_local(site):
        print(
            f"Only this machine reaches {site}: set HOST and PUBLIC_URL for others.",
            file=sys.stderr,
        )
    print("Run on each Mac; the secret is shown this once:", file=sys.stderr, flush=True)
    print(f"macmeter enroll --server {site} --secret {secret}")


def _site(settings: Settings) -> str:
    """Return what a printed link begins with; say on standard error if that is a guess."""
    from macmeter.server.addresses import noted_address, site_address

    if (noted := noted_address(settings)) is not None:
        return noted
    print(
        f"No server has noted its address in DATA_DIR={settings.data_dir.absolute()}: set DATA_DIR "
        "or PUBLIC_URL if the one below, where `serve` would listen, is wrong.",
        file=sys.stderr,
    )
    return site_address(settings)


def withdraw(settings: Settings, options: argparse.Namespace) -> None:
    from macmeter.moderation.withdraw import withdraw_run

    with data_commands.database_for(settings, "withdraw") as url:
        withdraw_run(url, options.run, options.reason)


def reinstate(settings: Settings, options: argparse.Namespace) -> None:
    from macmeter.moderation.withdraw import reinstate_run

    with data_commands.database_for(settings, "reinstate") as url:
        reinstate_run(url, options.run)


def doubts(settings: Settings, _: argparse.Namespace) -> None:
    from macmeter.moderation.withdraw import print_doubts

    with data_commands.database_for(settings, "doubts") as url:
        print_doubts(url)


def rederive(settings: Settings, _: argparse.Namespace) -> None:
    from macmeter.runs.rederive import rederive as run

    with data_commands.database_for(settings, "rederive") as url:
        run(url)
