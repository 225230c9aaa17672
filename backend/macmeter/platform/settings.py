"""Operators' settings, each an environment variable of the same name in capitals."""

import os
import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, BeforeValidator, Field, HttpUrl, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy.exc import SQLAlchemyError

CHECKOUT = Path(__file__).resolve().parents[3]
# Part of an installed package; a checkout builds its own.
_DASHBOARD = Path(__file__).resolve().parents[1] / "dashboard"


def without_slash(url: str) -> str:
    """Strip the trailing slash: paths are appended to it."""
    return str(HttpUrl(url)).rstrip("/")


def listed(names: object) -> object:
    """Split `a.example, b.example`."""
    if not isinstance(names, str):
        return names
    return tuple(name for name in re.split(r"[,\s]+", names) if name)


def address(url: object) -> object:
    """Check a PostgreSQL URL; ValueError says what it should look like."""
    if url is None:
        return None
    from macmeter.platform.database import connection_options  # slow, and not needed without a URL

    try:
        options = connection_options(str(url))
        is_valid = str(url).startswith(("postgresql://", "postgres://", "postgresql+psycopg://"))
    except (SQLAlchemyError, ValueError):
        is_valid, options = False, {}
    if not is_valid or not options.get("dbname"):
        raise ValueError("Write postgresql://USER:PASSWORD@HOST/NAME")
    return url


def place_of_files(value: object) -> object:
    """Check the address of a release, or a folder that exists."""
    if value is None or (isinstance(value, str) and value.startswith(("https://", "http://"))):
        return value and without_slash(str(value))
    if not (folder := Path(str(value))).is_dir():
        raise ValueError("Write the path of a folder, or the address of a release's files")
    return folder


def cluster(url: object) -> object:
    """Check the address of Spark Connect."""
    if url is not None and not re.fullmatch(r"sc://[^/:;\s]+(:\d+)?(/;\S*)?", str(url)):
        raise ValueError("Write sc://HOST:PORT")
    return url


def available_cores() -> int:
    """Count the cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS
        return os.cpu_count() or 1


def usual_workers() -> int:
    """Return one worker for each core, up to 8: more would only take memory."""
    return min(available_cores(), 8)


class Settings(BaseSettings):
    """PORT, DATA_DIR, DATABASE_URL … An empty variable counts as unset."""

    model_config = SettingsConfigDict(env_ignore_empty=True)

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=1, le=65535)
    # Data of the embedded PostgreSQL; unused with DATABASE_URL.
    data_dir: Path = Path("data")
    # An external PostgreSQL instead of the embedded one, and a replica of it for reading.
    database_url: Annotated[str | None, BeforeValidator(address)] = None
    database_read_url: Annotated[str | None, BeforeValidator(address)] = None
    # Base address of links, previews and enrolment; defaults to the request's own.
    public_url: Annotated[str, BeforeValidator(without_slash)] | None = None
    # Accepted host names besides that of PUBLIC_URL and this machine's own.
    allowed_hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(listed)] = ()
    # Accept documents of simulated Macs: for contributors, never on a public server.
    accept_simulated: bool = False
    # Accept runs of machines outside fleets, which everybody may read. An organisation may want
    # only its fleets' runs.
    public_uploads: bool = True
    # Whoever claims a Mac may create an account for it; otherwise accounts are by invitation. Needs
    # public uploads: without them every Mac is in a fleet.
    accounts_by_claim: bool = True
    # Everybody with an account may create fleets, not only the server's admins.
    fleets_by_anybody: bool = False
    # Mark everything as a demo. A database that holds one is marked without this.
    demo: bool = False
    # Processes that answer requests. Each has its own connections to PostgreSQL, and takes 100 MB
    # including its worker process for questions.
    workers: int = Field(default_factory=usual_workers, ge=1, le=16)
    # Processes for each worker that compute answers and draw pictures, one question at a time each;
    # by default two for a single worker, otherwise one.
    question_processes: int | None = Field(default=None, ge=1, le=64)
    # Factor on the time limits for answers, pictures and connections to the database.
    patience: float = Field(default=1, ge=1, le=100)
    # Hourly limits of an address without an account.
    quota_comparisons: int = Field(default=200, ge=0)
    quota_doubts: int = Field(default=30, ge=0)
    # Attempts to open links that don't exist.
    quota_guesses: int = Field(default=100, ge=0)
    # Macs that enrol without a fleet's secret.
    quota_enrolments: int = Field(default=60, ge=0)
    # Uploads of runs without a fleet, by one Mac and by one address.
    quota_machine_uploads: int = Field(default=600, ge=1)
    quota_uploads: int = Field(default=6_000, ge=1)
    # Failed sign-ins and failed one-time links of one address, and wrong passwords that are checked
    # for one account.
    quota_sign_ins: int = Field(default=60, ge=1)
    quota_passwords: int = Field(default=20, ge=1)
    # Invitations by one person; and mails that people trigger: from one block of addresses (/24 or
    # /48), to one recipient, and in all.
    quota_invitations: int = Field(default=50, ge=0)
    quota_mails_block: int = Field(default=100, ge=0)
    quota_mails_recipient: int = Field(default=3, ge=0)
    quota_mails: int = Field(default=500, ge=0)
    # Mails with alerts to one address: what is more waits, and comes together. And requests to
    # webhooks that one person triggers by adding or testing them.
    quota_alert_mails: int = Field(default=12, ge=1)
    quota_webhooks: int = Field(default=60, ge=0)
    # Passwords are for addresses where browsers allow no passkeys; True allows them everywhere.
    passwords: bool = False
    # An organisation's own sign-in by OpenID Connect.
    oidc_issuer: Annotated[str, BeforeValidator(without_slash)] | None = None
    oidc_client_id: str | None = None
    oidc_client_secret: str | None = None
    # SMTP server for invitations and alerts.
    smtp_host: str | None = None
    smtp_port: int = Field(default=587, ge=1, le=65535)
    smtp_user: str | None = None
    smtp_password: str | None = None
    # starttls, tls from the first byte, or none.
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    smtp_from: str = "macmeter@localhost"
    # Whether a fleet's webhooks may address this server's own network.
    webhooks_private: bool = False
    # Number of proxies in front that append the client's address to X-Forwarded-For. With 0 the
    # header is untrusted and ignored.
    proxies: int = Field(default=0, ge=0, le=10)
    # Live pages per process, in all and per address; others are asked to come back later. Requests
    # with a token aren't counted by address, here and below.
    live_pages: int = Field(default=200, ge=0, le=10_000)
    live_pages_per_address: int = Field(default=50, ge=0, le=10_000)
    # Downloads of the corpus per process, in all and per address. Each takes about a minute for a
    # large corpus; more at once would starve the questions.
    downloads: int = Field(default=3, ge=0, le=100)
    downloads_per_address: int = Field(default=2, ge=0, le=100)
    # A client that reads nothing of a response for this long is disconnected.
    slow_reader_seconds: float = Field(default=30, gt=0, le=3600)
    # Questions that take longer are logged with their cost; 0 logs them all.
    slow_seconds: float = Field(default=1, ge=0, le=3600)
    # Lines for people, or a JSON object a line for programs: see platform/telemetry/logs.py.
    log_format: Literal["text", "json"] = "text"
    # /readyz fails if the data set lags further behind; without a value the lag is only reported.
    dataset_lag_seconds: float | None = Field(
        default=None,
        gt=0,
        le=86_400,
        validation_alias=AliasChoices("dataset_lag_seconds", "columns_lag_seconds"),
    )
    # Directory of the data set that answers are computed from: a disposable copy, by default beside
    # the embedded PostgreSQL's data. Without a directory every process has its own.
    dataset_dir: Path | None = Field(
        default=None, validation_alias=AliasChoices("dataset_dir", "dataset", "columns_dir")
    )
    # Spark Connect of a cluster that sees the same directory, and the number of results above which
    # a question runs there. DuckDB takes some three seconds for so many, and Spark's statements
    # about a second each, however little they find.
    spark_remote: Annotated[str | None, BeforeValidator(cluster)] = None
    spark_results: int = Field(default=10_000_000, ge=0)
    # The agent's files, which /install.sh installs: a folder with SHA256SUMS, or a release's
    # address. Also the public key of their signature, and the Homebrew tap that has them.
    agent_files: Annotated[str | Path | None, BeforeValidator(place_of_files)] = None
    agent_key: Path | None = None
    agent_tap: str | None = Field(default=None, pattern=r"^[\w.-]+/[\w.-]+$")
    # The built dashboard.
    frontend_dir: Path = _DASHBOARD if _DASHBOARD.is_dir() else CHECKOUT / "frontend" / "dist"

    @property
    def processes_for_questions(self) -> int:
        """Number of processes for each worker."""
        return self.question_processes or (1 if self.workers > 1 else 2)


# Deprecated; the next version drops these.
FORMER_NAMES = {"COLUMNS_DIR": "DATASET_DIR", "COLUMNS_LAG_SECONDS": "DATASET_LAG_SECONDS"}

# Their values contain passwords.
_SECRET = {
    "DATABASE_URL",
    "DATABASE_READ_URL",
    "OIDC_CLIENT_SECRET",
    "SMTP_PASSWORD",
    "SPARK_REMOTE",
}


def explain(error: ValidationError) -> str:
    """Return the settings that were refused and why, a line each."""
    return "\n".join(_explained(fault) for fault in error.errors())


def _explained(fault: ErrorDetails) -> str:
    from macmeter.platform.errors import message_of  # slow, and needed by wrong settings only

    name = ".".join(str(step) for step in fault["loc"]).upper()
    value = "" if name in _SECRET else f", not {fault['input']!r}"
    return f"{name}: {message_of(fault)}{value}"
