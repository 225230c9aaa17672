"""Alerts by mail: one mail for all alerts that a person gets at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from macmeter import mail
from macmeter.alerts.deliveries import Due
from macmeter.alerts.pages import page_of
from macmeter.alerts.words import alert_lines, title_of
from macmeter.figures.numbers import counted
from macmeter.mail import MailError
from macmeter.settings import Settings

_HOW = "You asked for this fleet's alerts. Its page is where to change how they are sent."


class Part(NamedTuple):
    """What a mail says of one alert."""

    title: str
    text: str


def part_of(due: Due, public_url: str | None) -> Part:
    title = title_of(due.alert.kind, due.alert.cause, due.alert.detail)
    lines = [f"{due.fleet_name}: {title}", *alert_lines(due.alert)]
    if link := page_of(due.fleet_name, public_url):
        lines.append(link)
    return Part(lines[0], "\n".join(lines))


def send(to: str | None, parts: Sequence[Part], settings: Settings) -> None:
    """Raises MailError where nothing can be sent."""
    if to is None:
        raise MailError("No member of the fleet has an email address")
    if settings.smtp_host is None:
        raise MailError("This server sends no mail: SMTP_HOST is not set")
    subject = parts[0].title if len(parts) == 1 else counted(len(parts), "alert")
    text = "\n\n".join([*(part.text for part in parts), _HOW]) + "\n"
    mail.send(settings, to, subject, text)
