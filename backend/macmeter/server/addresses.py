"""The server's addresses: where it listens, and what links to it begin with."""

import contextlib
import re
from hashlib import sha256
from pathlib import Path

from macmeter.platform.settings import Settings

# Settings that say where a server is. A command without them asks the note.
_SAID = {"public_url", "host", "port"}


def own_address(settings: Settings) -> str:
    """Return the server's address on this machine; wildcard hosts become loopback."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def site_address(settings: Settings) -> str:
    """Return the address for links in this machine's browser: by name, since passkeys are bound to
    names.
    """
    address = settings.public_url or own_address(settings)
    return re.sub(r"//(127\.0\.0\.1|\[::1\])(?=:|$)", "//localhost", address)


def is_local(address: str) -> bool:
    """Return whether only this machine reaches an address of `site_address`."""
    return re.match(r"http://localhost(?=:|$)", address) is not None


def note_address(settings: Settings) -> None:
    """Note in DATA_DIR where this server is, for commands with another environment."""
    # Where nothing may be written, they need PUBLIC_URL or PORT.
    with contextlib.suppress(OSError):
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        _note(settings).write_text(f"{site_address(settings)}\n")


def noted_address(settings: Settings) -> str | None:
    """Return the address for the links of a command; None if nobody has said it.

    PUBLIC_URL, HOST and PORT decide, and without any of them the note of the server that runs on
    this database, or ran last.
    """
    if _SAID & settings.model_fields_set:
        return site_address(settings)
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return _note(settings).read_text().strip() or None
    return None


def _note(settings: Settings) -> Path:
    """Path of the note of one database's server: DATA_DIR is `data` unless somebody says more."""
    digest = settings.database_url and sha256(settings.database_url.encode()).hexdigest()[:8]
    return settings.data_dir / (f"address-{digest}" if digest else "address")
