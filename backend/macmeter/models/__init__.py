"""The tables. Alembic's migrations make them; a test holds the two together."""

from macmeter.models.alerts import (
    Alert,
    AlertComment,
    AlertDelivery,
    AlertMail,
    AlertWebhook,
    FleetMachine,
    FleetState,
    Refusal,
)
from macmeter.models.audit import Act
from macmeter.models.base import Base
from macmeter.models.changes import Change, ChangeLog
from macmeter.models.comparisons import Comparison, ComparisonMachines
from macmeter.models.demo import Demo
from macmeter.models.doubts import DISMISSED, UPHELD, Doubt, QuotaKey, QuotaUse
from macmeter.models.failures import Failure
from macmeter.models.fleets import Clone, EnrolmentSecret, Fleet, Token
from macmeter.models.people import Challenge, Membership, OneTimeLink, Passkey, Person, Session
from macmeter.models.retention import Sweep
from macmeter.models.runs import (
    OWNER,
    QUARANTINE,
    RETENTION,
    SERVER,
    Document,
    Machine,
    PublishedFigure,
    Result,
    Run,
    RunId,
    RunResults,
    Series,
)

__all__ = [
    "DISMISSED",
    "OWNER",
    "QUARANTINE",
    "RETENTION",
    "SERVER",
    "UPHELD",
    "Act",
    "Alert",
    "AlertComment",
    "AlertDelivery",
    "AlertMail",
    "AlertWebhook",
    "Base",
    "Challenge",
    "Change",
    "ChangeLog",
    "Clone",
    "Comparison",
    "ComparisonMachines",
    "Demo",
    "Document",
    "Doubt",
    "EnrolmentSecret",
    "Failure",
    "Fleet",
    "FleetMachine",
    "FleetState",
    "Machine",
    "Membership",
    "OneTimeLink",
    "Passkey",
    "Person",
    "PublishedFigure",
    "QuotaKey",
    "QuotaUse",
    "Refusal",
    "Result",
    "Run",
    "RunId",
    "RunResults",
    "Series",
    "Session",
    "Sweep",
    "Token",
]
