"""A mail server that keeps the mail it receives."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message as Received


@dataclass
class PostOffice:
    settings: dict[str, Any]
    """Settings with which a server sends its mail here."""
    letters: list[Message] = field(default_factory=list)


@contextmanager
def post_office() -> Iterator[PostOffice]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    office = PostOffice({"smtp_host": "127.0.0.1", "smtp_port": port, "smtp_security": "none"})

    class Kept(Received):
        def handle_message(self, message: Message) -> None:
            office.letters.append(message)

    controller = Controller(Kept(), hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield office
    finally:
        controller.stop()
