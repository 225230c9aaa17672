"""Macmeter's server. Each folder is a room: a subject, or what several subjects use."""

from typing import Any

Json = dict[str, Any]
"""JSON whose members have no type here: from documents, tools and sign-ins, or for the log."""
