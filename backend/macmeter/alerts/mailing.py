"""Alerts by mail: one mail for all alerts that a person gets at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from macmeter import mail
from macmeter.alerts.deliveries import Due
from macmeter.alerts.pages import page_of
from macmeter.alerts.words import lines_of, title_of
from macmeter.figures.numbers import counted
from macmeter.mail import MailError
from macmeter.settings import Settings


def of(to: str | None, those: Sequence[Due], settings: Settings) -> Callable[[], None]:
    """What sends them; raises MailError where nothing can be sent."""

    def send() -> None:
        if to is None:
            raise MailError("No member of the fleet has an email address")
        if settings.smtp_host is None:
            raise MailError("This server sends no mail: SMTP_HOST is not set")
        mail.send(settings, to, subject_of(those), text_of(those, settings.public_url))

    return send


def subject_of(those: Sequence[Due]) -> str:
    first = those[0]
    if len(those) == 1:
        title = title_of(first.alert.kind, first.alert.cause, first.alert.detail)
        return f"{first.fleet_name}: {title}"
    return counted(len(those), "alert")


def text_of(those: Sequence[Due], public_url: str | None) -> str:
    parts = []
    for one in those:
        title = title_of(one.alert.kind, one.alert.cause, one.alert.detail)
        lines = [f"{one.fleet_name}: {title}", *lines_of(one.alert.detail)]
        if link := page_of(one.fleet_name, public_url):
            lines.append(link)
        parts.append("\n".join(lines))
    how = "You asked for this fleet's alerts. Its page is where to change how they are sent."
    return "\n\n".join([*parts, how]) + "\n"
