"""That a database is a demo's, and of which fleet."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from macmeter.models.base import Base


class Demo(Base):
    """At most one row. With it every page says "demo", whatever the server is started with."""

    __tablename__ = "demo"
    __table_args__ = (CheckConstraint("is_demo", name="one_row"),)

    is_demo: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    machines: Mapped[int]
    every: Mapped[int]
    seed: Mapped[int]
    base: Mapped[datetime]
    """The Monday that its weeks lead up to."""
