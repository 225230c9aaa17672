"""What endpoints of fleets answer."""

from __future__ import annotations

from typing import Literal

from macmeter.api.schemas import Shape

Visibility = Literal["private", "members", "public"]


class Enrolment(Shape):
    token: str
    fleet: str
    visibility: Visibility
    machine_id: str
