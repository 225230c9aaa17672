"""Mail through the operator's SMTP server, if SMTP_HOST is set; valid addresses and host names."""

import re
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from macmeter.platform.errors import ItemError
from macmeter.platform.settings import Settings

_TIMEOUT_SECONDS = 20.0


class MailError(ItemError):
    """The mail was not accepted; the message says why."""


def send(settings: Settings, to: str, subject: str, text: str) -> None:
    """Send a message or raise MailError. Blocks, so don't call it in an event loop."""
    if not is_address(to):
        raise MailError(f"Mail can't be sent to {to!r}: it isn't an email address")
    message = EmailMessage()
    message["From"] = settings.smtp_from
    message["To"] = to
    # User input: text that looks encoded would be decoded, including line breaks and headers.
    message["Subject"] = " ".join(subject.replace("=?", "= ?").split())
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=settings.smtp_from.rpartition("@")[2])
    message.set_content(text)
    try:
        with _connect(settings) as server:
            if settings.smtp_user is not None:
                server.login(settings.smtp_user, settings.smtp_password or "")
            server.send_message(message, to_addrs=[to])
    except (OSError, smtplib.SMTPException) as error:
        raise MailError(f"{settings.smtp_host} did not take the mail: {error}") from None


def _connect(settings: Settings) -> smtplib.SMTP:
    assert settings.smtp_host is not None, "asked for only where mail can be sent"
    address = (settings.smtp_host, settings.smtp_port)
    if settings.smtp_security == "tls":
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(*address, timeout=_TIMEOUT_SECONDS, context=context)
    server = smtplib.SMTP(*address, timeout=_TIMEOUT_SECONDS)
    if settings.smtp_security == "starttls":
        try:
            server.starttls(context=ssl.create_default_context())
        except BaseException:
            server.close()
            raise
    return server


# Excludes separators of addresses, names and headers, and invisible characters.
_LOCAL = re.compile(r'[^\s@\x00-\x20\x7f-\xa0<>,;:"()\[\]\\\ud800-\udfff]{1,64}')
# Start of an encoded word in a header: RFC 2047.
_ENCODED = "=?"
MAX_ADDRESS_LENGTH = 254
_LABEL = re.compile(r"\w([\w-]*\w)?")
_MAX_HOST_LENGTH = 253


def is_host_name(text: str) -> bool:
    """Whether it has labels of 1 to 63 letters, digits and hyphens, counted as looked up: other
    scripts in their IDNA encoding.
    """
    try:
        encoded = text.encode("idna")  # refuses empty and long labels
    except UnicodeError:
        return False
    labels = text.split(".")
    return 0 < len(encoded) <= _MAX_HOST_LENGTH and all(_LABEL.fullmatch(label) for label in labels)


def is_address(text: str) -> bool:
    """Whether mail can be sent there, as one recipient in one line of a header."""
    local, _, host = text.rpartition("@")
    if len(text) > MAX_ADDRESS_LENGTH or _ENCODED in text or not text.isprintable():
        return False
    return _LOCAL.fullmatch(local) is not None and is_host_name(host)


def _require_address(text: str) -> str:
    if not is_address(text):
        raise PydanticCustomError("bad_email", "Write an email address, such as ada@example.org")
    return text


ADDRESS = AfterValidator(_require_address)
