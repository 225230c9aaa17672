"""The tables. Alembic's migrations make them; a test holds the two together."""

from macmeter.models.audit import Act
from macmeter.models.base import Base
from macmeter.models.changes import Change, ChangeLog
from macmeter.models.comparisons import Comparison
from macmeter.models.demo import Demo
from macmeter.models.doubts import Doubt, QuotaKey, QuotaUse
from macmeter.models.fleets import EnrolmentSecret, Fleet, Token
from macmeter.models.people import Membership, OneTimeLink, Passkey, Person, Session
from macmeter.models.runs import (
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
    "Act",
    "Base",
    "Change",
    "ChangeLog",
    "Comparison",
    "Demo",
    "Document",
    "Doubt",
    "EnrolmentSecret",
    "Fleet",
    "Machine",
    "Membership",
    "OneTimeLink",
    "Passkey",
    "Person",
    "PublishedFigure",
    "QuotaKey",
    "QuotaUse",
    "Result",
    "Run",
    "RunId",
    "RunResults",
    "Series",
    "Session",
    "Token",
]
