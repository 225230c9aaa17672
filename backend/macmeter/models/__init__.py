"""The tables. Alembic's migrations make them; a test holds the two together."""

from macmeter.models.base import Base
from macmeter.models.changes import Change, ChangeLog
from macmeter.models.comparisons import Comparison
from macmeter.models.demo import Demo
from macmeter.models.doubts import Doubt, QuotaKey, QuotaUse
from macmeter.models.people import Fleet, Token
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
    "Base",
    "Change",
    "ChangeLog",
    "Comparison",
    "Demo",
    "Document",
    "Doubt",
    "Fleet",
    "Machine",
    "PublishedFigure",
    "QuotaKey",
    "QuotaUse",
    "Result",
    "Run",
    "RunId",
    "RunResults",
    "Series",
    "Token",
]
