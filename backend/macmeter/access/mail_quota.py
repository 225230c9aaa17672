"""How many invitations a person may make in an hour, and how many of them are mailed.

Mail goes to whoever the sender names, in the operator's name. It is limited for each sender, their
network, each recipient and the server, whichever process sends it.
"""

from __future__ import annotations

import ipaddress
import uuid
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access import quota
from macmeter.errors import Problem
from macmeter.settings import Settings

# What one customer of a provider may have.
_BLOCKS = {4: 24, 6: 48}
_TO = {"mail to address": " to this address", "mail from network": " from your network"}


async def spend_invitation(
    connection: AsyncConnection, limits: Settings, sender: uuid.UUID, now: datetime
) -> Problem | None:
    """Count an invitation; the refusal of one too many, to be raised after the commit."""
    use = await quota.count(connection, "invitation", sender.bytes, limits.quota_invitations, now)
    if use.left >= 0:
        return None
    limit = f"Invitations are limited to {use.limit} per person and hour."
    return _refusal("Too many invitations", f"{limit} Try again in {use.minutes}.", use)


async def spend_mail(
    connection: AsyncConnection, limits: Settings, address: str, recipient: str, now: datetime
) -> Problem | None:
    """Count a mail that somebody at `address` has sent, unless it is refused by a limit before: who
    has reached their own uses up nobody else's.
    """
    for kind, whose, limit in (
        ("mail from network", block(address), limits.quota_mails_block),
        ("mail to address", mailbox(recipient), limits.quota_mails_recipient),
        ("mail", b"", limits.quota_mails),
    ):
        use = await quota.count(connection, kind, whose, limit, now)
        if use.left < 0:
            sent = f"This server sends at most {use.limit} mails per hour{_TO.get(kind, '')}."
            instead = "leave out the email address and send the link yourself"
            detail = f"{sent} Try again in {use.minutes}, or {instead}."
            return _refusal("Too many mails", detail, use)
    return None


def _refusal(title: str, detail: str, use: quota.Use) -> Problem:
    return Problem(429, "quota", title, detail, headers={"Retry-After": str(use.wait)})


def block(address: str) -> bytes:
    """The block of addresses that an address is in: whoever has one often has more of it."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return quota.network(address)
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    network = ipaddress.ip_network((found, _BLOCKS[found.version]), strict=False)
    return network.network_address.packed


def mailbox(recipient: str) -> bytes:
    """Who reads an address: `ada+1@example.org` is Ada's as well."""
    name, _, host = recipient.lower().rpartition("@")
    return f"{name.partition('+')[0]}@{host}".encode()
