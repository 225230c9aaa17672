"""`macmeter-server`: the server's own command line."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import uuid
from collections.abc import Iterator

from pydantic import ValidationError

from macmeter import commands as moving
from macmeter.database_errors import EXPECTED, first_line, problem_of
from macmeter.embedded import EmbeddedError
from macmeter.errors import Problem, ServeError
from macmeter.processes.memory import staying
from macmeter.settings import Settings, explain

DESCRIPTION = """\
Settings come from the environment: PORT, HOST, DATA_DIR, DATABASE_URL, DATABASE_READ_URL,
PUBLIC_URL, WORKERS. Without DATABASE_URL a PostgreSQL of its own is kept in DATA_DIR.
A demo with invented Macs is served by `make demo` in a working copy."""
# Files are 0600, in directories that are 0700.
OWNER_ONLY = 0o077


def main(arguments: list[str] | None = None) -> None:
    """Runs one command."""
    options = parser().parse_args(arguments)
    # Whatever a command or its processes write may hold what a fleet keeps to itself.
    os.umask(OWNER_ONLY)
    # Before NumPy is imported: matrices are small here, and its threads would not be forked.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with errors_in_one_line("macmeter-server"):
        options.command(Settings(), options)


@contextlib.contextmanager
def errors_in_one_line(program: str) -> Iterator[None]:
    """Ends the process with what an operator can fix, without a traceback."""
    try:
        yield
    except ValidationError as error:
        sys.exit(f"{program}: {explain(error)}")
    except (EmbeddedError, ServeError) as error:
        sys.exit(f"{program}: {error}")
    except Problem as problem:
        sys.exit(f"{program}: {problem.detail}")
    except EXPECTED as error:
        sys.exit(f"{program}: {_of_database(error)}")
    except KeyboardInterrupt:
        sys.exit(130)


def _of_database(error: BaseException) -> str:
    """What is wrong with the database, for whoever can mend it."""
    problem = problem_of(error, reading=False)
    if problem is not None and problem.code == "database_unavailable":
        return f"the database does not answer: {first_line(error)}. Start it, or see DATABASE_URL"
    if problem is not None and problem.code == "disk_full":
        return "the database's disk is full: make room on it"
    return problem.detail if problem else first_line(error)


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(prog="macmeter-server", epilog=DESCRIPTION)
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    serving = commands.add_parser("serve", help="serve the dashboard and the API until stopped")
    serving.add_argument(
        "--with-parent",
        action="store_true",
        help="stop when the process that started it ends",
    )
    serving.set_defaults(command=serve)

    migrating = commands.add_parser("migrate", help="bring the database's schema up to date")
    migrating.set_defaults(command=migrate)

    issuing = commands.add_parser("token", help="print a fresh token as the last line")
    issuing.add_argument(
        "--scope",
        choices=["device", "fleet"],
        default="device",
        help="device: writes the runs of one machine; fleet: of any machine of the local fleet",
    )
    issuing.set_defaults(command=token)

    inviting = commands.add_parser(
        "admin-link", help="print a one-time link that makes its user an admin of the server"
    )
    inviting.set_defaults(command=admin_link)

    enrolling = commands.add_parser(
        "fleet", help="print how Macs enrol in a fleet, which is made where there is none"
    )
    enrolling.add_argument("name", type=fleet_name, metavar="NAME", help="the fleet's name")
    enrolling.set_defaults(command=fleet)

    withdrawing = commands.add_parser(
        "withdraw", help="take a run out of every answer; its page stays and gives the reason"
    )
    withdrawing.add_argument("run", type=uuid.UUID, metavar="RUN", help="the run's id")
    withdrawing.add_argument("--reason", required=True, help="a sentence that everybody reads")
    withdrawing.set_defaults(command=withdraw)

    reinstating = commands.add_parser("reinstate", help="undo the withdrawal of a run")
    reinstating.add_argument("run", type=uuid.UUID, metavar="RUN", help="the run's id")
    reinstating.set_defaults(command=reinstate)

    doubting = commands.add_parser("doubts", help="print what readers hold against runs")
    doubting.set_defaults(command=doubts)

    rederiving = commands.add_parser(
        "rederive", help="derive results and flags from documents again"
    )
    rederiving.set_defaults(command=rederive)
    moving.add_to(commands)
    return top


def serve(settings: Settings, options: argparse.Namespace) -> None:
    with staying():
        from macmeter.serving.serve import serve as run

    run(settings, with_parent=options.with_parent)


def migrate(settings: Settings, _: argparse.Namespace) -> None:
    from macmeter import database as schema
    from macmeter.serving.database import database

    with database(settings, "macmeter-server migrate") as url:
        schema.migrate(url)


def token(settings: Settings, options: argparse.Namespace) -> None:
    from sqlalchemy import create_engine

    from macmeter import database as schema
    from macmeter.access import tokens
    from macmeter.serving.database import database

    with database(settings, "macmeter-server token") as url:
        schema.migrate(url)
        engine = create_engine(schema.normalise(url))
        with engine.begin() as connection:
            secret = tokens.issue(connection, options.scope)
        engine.dispose()
    print(f"A {options.scope} token, shown this once:", file=sys.stderr, flush=True)
    print(secret)


def admin_link(settings: Settings, _: argparse.Namespace) -> None:
    from sqlalchemy import create_engine

    from macmeter import database as schema
    from macmeter.access import first_admin
    from macmeter.access.links import address_of
    from macmeter.serving.database import database
    from macmeter.serving.serve import site_address

    with database(settings, "macmeter-server admin-link") as url:
        schema.migrate(url)
        engine = create_engine(schema.normalise(url))
        with engine.begin() as connection:
            secret = first_admin.make_admin_link(connection)
        engine.dispose()
    print("Open it within a day; links made before no longer work:", file=sys.stderr, flush=True)
    print(address_of(site_address(settings), secret))


def fleet_name(text: str) -> str:
    """Parse a fleet's name as the API does."""
    from pydantic import TypeAdapter

    from macmeter.fleets.fleets import Name

    try:
        return TypeAdapter(Name).validate_python(text)
    except ValidationError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error.errors()[0]['msg']}") from None


def fleet(settings: Settings, options: argparse.Namespace) -> None:
    from macmeter import database as schema
    from macmeter.fleets.devices import make_secret
    from macmeter.serving.database import database
    from macmeter.serving.serve import site_address

    with database(settings, "macmeter-server fleet") as url:
        schema.migrate(url)
        secret = make_secret(url, options.name)
    print("Run on each Mac; the secret is shown this once:", file=sys.stderr, flush=True)
    print(f"macmeter enroll --server {site_address(settings)} --secret {secret}")


def withdraw(settings: Settings, options: argparse.Namespace) -> None:
    from macmeter.moderation.judge import withdraw_run
    from macmeter.serving.database import database

    with database(settings, "macmeter-server withdraw") as url:
        withdraw_run(url, options.run, options.reason)


def reinstate(settings: Settings, options: argparse.Namespace) -> None:
    from macmeter.moderation.judge import reinstate_run
    from macmeter.serving.database import database

    with database(settings, "macmeter-server reinstate") as url:
        reinstate_run(url, options.run)


def doubts(settings: Settings, _: argparse.Namespace) -> None:
    from macmeter.moderation.judge import print_doubts
    from macmeter.serving.database import database

    with database(settings, "macmeter-server doubts") as url:
        print_doubts(url)


def rederive(settings: Settings, _: argparse.Namespace) -> None:
    from macmeter.ingest.rederive import rederive as run
    from macmeter.serving.database import database

    with database(settings, "macmeter-server rederive") as url:
        run(url)
