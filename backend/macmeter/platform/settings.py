"""What an operator can choose, each by an environment variable of the same name in capitals."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, BeforeValidator, Field, HttpUrl, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy.exc import SQLAlchemyError

CHECKOUT = Path(__file__).resolve().parents[3]
# In an installed package; a checkout builds its own.
_DASHBOARD = Path(__file__).resolve().parents[1] / "dashboard"


def without_slash(url: str) -> str:
    """`https://host/` as `https://host`: paths are appended to it."""
    return str(HttpUrl(url)).rstrip("/")


def listed(names: object) -> object:
    """`a.example, b.example` as its parts."""
    if not isinstance(names, str):
        return names
    return tuple(part for part in re.split(r"[,\s]+", names) if part)


def address(url: object) -> object:
    """A PostgreSQL's; ValueError with what it should look like."""
    if url is None:
        return None
    from macmeter.platform.database import (
        connection_options,  # commands that need none start without it
    )

    try:
        options = connection_options(str(url))
        known = str(url).startswith(("postgresql://", "postgres://", "postgresql+psycopg://"))
    except (SQLAlchemyError, ValueError):
        known, options = False, {}
    if not known or not options.get("dbname"):
        raise ValueError("Write postgresql://USER:PASSWORD@HOST/NAME")
    return url


def place_of_files(place: object) -> object:
    """A release's address, or a folder that is there."""
    if place is None or (isinstance(place, str) and place.startswith(("https://", "http://"))):
        return place and without_slash(str(place))
    if not (folder := Path(str(place))).is_dir():
        raise ValueError("Write the path of a folder, or the address of a release's files")
    return folder


def available_cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS
        return os.cpu_count() or 1


def usual_workers() -> int:
    """One for each core, up to 8: more would only take memory."""
    return min(available_cores(), 8)


class Settings(BaseSettings):
    """PORT, DATA_DIR, DATABASE_URL … An empty variable counts as unset."""

    model_config = SettingsConfigDict(env_ignore_empty=True)

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=1, le=65535)
    # Where the embedded PostgreSQL keeps everything; unused with DATABASE_URL.
    data_dir: Path = Path("data")
    # A PostgreSQL of one's own instead of the embedded one, and a replica of it for reading.
    database_url: Annotated[str | None, BeforeValidator(address)] = None
    database_read_url: Annotated[str | None, BeforeValidator(address)] = None
    # The address that links, previews and enrolment carry; by default the request's own.
    public_url: Annotated[str, BeforeValidator(without_slash)] | None = None
    # Names that it may be asked by, besides that of PUBLIC_URL and this machine's own.
    allowed_hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(listed)] = ()
    # Takes documents of simulated Macs too: for contributors, never for a public server.
    accept_simulated: bool = False
    # Takes runs of machines that are in no fleet, which everybody may read. An organisation's own
    # server may want its fleets' only.
    public_uploads: bool = True
    # Whoever claims a Mac may make an account for it; without that, accounts are by invitation.
    # Only where public uploads are on: no Mac is outside a fleet otherwise.
    accounts_by_claim: bool = True
    # Everybody with an account creates fleets, and not the server's admins alone.
    fleets_by_anybody: bool = False
    # Marks everything as a demo's. A database that holds one is marked without this.
    demo: bool = False
    # Processes that answer requests. Each has its own connections to PostgreSQL, and 100 MB
    # with its process for questions.
    workers: int = Field(default_factory=usual_workers, ge=1, le=16)
    # Processes beside each worker that work answers and pictures out, one question at a time each;
    # by default two in all, and one each where there are several workers.
    question_processes: int | None = Field(default=None, ge=1, le=64)
    # How many times as long as usual an answer and a picture may take.
    patience: float = Field(default=1, ge=1, le=100)
    # What one address may do in an hour without an account.
    quota_comparisons: int = Field(default=200, ge=0)
    quota_doubts: int = Field(default=30, ge=0)
    # How often it may open links that lead nowhere.
    quota_guesses: int = Field(default=100, ge=0)
    # How many Macs may enrol from it without a fleet's secret.
    quota_enrolments: int = Field(default=60, ge=0)
    # How many runs without a fleet one Mac may upload, and all that share an address.
    quota_machine_uploads: int = Field(default=600, ge=1)
    quota_uploads: int = Field(default=6_000, ge=1)
    # How often one address may fail to sign in, or to open a link that is good once; and how often
    # a wrong password for one account is looked at.
    quota_sign_ins: int = Field(default=60, ge=1)
    quota_passwords: int = Field(default=20, ge=1)
    # How many invitations one person may make; and how many mails people may have sent, from one
    # block of addresses (/24 or /48), to one recipient, and in all.
    quota_invitations: int = Field(default=50, ge=0)
    quota_mails_block: int = Field(default=100, ge=0)
    quota_mails_recipient: int = Field(default=3, ge=0)
    quota_mails: int = Field(default=500, ge=0)
    # Passwords are for addresses that browsers allow no passkeys at; on: at all others too.
    passwords: bool = False
    # An organisation's own sign-in, by OpenID Connect.
    oidc_issuer: Annotated[str, BeforeValidator(without_slash)] | None = None
    oidc_client_id: str | None = None
    oidc_client_secret: str | None = None
    # What invitations and alerts are sent by.
    smtp_host: str | None = None
    smtp_port: int = Field(default=587, ge=1, le=65535)
    smtp_user: str | None = None
    smtp_password: str | None = None
    # starttls, tls from the first byte, or none.
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    smtp_from: str = "macmeter@localhost"
    # Whether a fleet's webhooks may lead into this server's own network.
    webhooks_private: bool = False
    # Proxies in front that add the address they were asked from to X-Forwarded-For. With 0 that
    # header is anybody's word and ignored.
    proxies: int = Field(default=0, ge=0, le=10)
    # Open pages that a process keeps up to date at a time, and how many of one address; others are
    # asked to come again. Whoever shows a token is not counted by address, here and below.
    live_pages: int = Field(default=200, ge=0, le=10_000)
    live_pages_per_address: int = Field(default=50, ge=0, le=10_000)
    # Downloads of the corpus that a process serves at a time, and to one address. Each of them is a
    # minute's work for a large corpus; more at once would starve the questions.
    downloads: int = Field(default=3, ge=0, le=100)
    downloads_per_address: int = Field(default=2, ge=0, le=100)
    # Whoever takes nothing of a response for so long is let go.
    slow_reader_seconds: float = Field(default=30, gt=0, le=3600)
    # A question that takes longer is logged with what it cost; 0 logs them all.
    slow_seconds: float = Field(default=1, ge=0, le=3600)
    # Lines for people, or an object a line for programs: see platform/telemetry/logs.py.
    log_format: Literal["text", "json"] = "text"
    # /readyz says no where the data set is further behind; without it that is only reported.
    dataset_lag_seconds: float | None = Field(
        default=None,
        gt=0,
        le=86_400,
        validation_alias=AliasChoices("dataset_lag_seconds", "columns_lag_seconds"),
    )
    # Where the data set is written that answers come from: a copy that can be thrown away, beside
    # the embedded PostgreSQL's data by default. Without it every process has its own.
    dataset_dir: Path | None = Field(
        default=None, validation_alias=AliasChoices("dataset_dir", "columns_dir")
    )
    # The agent's files, which /install.sh installs: a folder with SHA256SUMS, or a release's
    # address. With it, the public key of whoever signed them, and the Homebrew tap that has them.
    agent_files: Annotated[str | Path | None, BeforeValidator(place_of_files)] = None
    agent_key: Path | None = None
    agent_tap: str | None = Field(default=None, pattern=r"^[\w.-]+/[\w.-]+$")
    # The built dashboard.
    frontend_dir: Path = _DASHBOARD if _DASHBOARD.is_dir() else CHECKOUT / "frontend" / "dist"

    @property
    def processes_for_questions(self) -> int:
        """Beside each worker."""
        return self.question_processes or (1 if self.workers > 1 else 2)


# The next version will know these no longer.
FORMER_NAMES = {"COLUMNS_DIR": "DATASET_DIR", "COLUMNS_LAG_SECONDS": "DATASET_LAG_SECONDS"}

# They have passwords in them.
_SECRET = ("DATABASE_URL", "DATABASE_READ_URL", "OIDC_CLIENT_SECRET", "SMTP_PASSWORD")


def explain(error: ValidationError) -> str:
    """The settings that were refused and why, a line each."""
    return "\n".join(_explained(fault) for fault in error.errors())


def _explained(fault: ErrorDetails) -> str:
    from macmeter.platform.errors import words_of  # as above: settings that are right need none

    name = ".".join(str(part) for part in fault["loc"]).upper()
    given = "" if name in _SECRET else f", not {fault['input']!r}"
    return f"{name}: {words_of(fault)}{given}"
