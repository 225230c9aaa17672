"""The agent that this server offers, and where its files are."""

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from macmeter.platform.release import VERSION
from macmeter.platform.settings import Settings

CHECKSUMS = "SHA256SUMS"
SIGNATURE = f"{CHECKSUMS}.sig"
_FOLDER = Path(__file__).parent
# Written into a released wheel (tools/release/wheel.py), which then offers its own release.
_RELEASED = _FOLDER / "released.json"
# Public key of whoever signs releases, if they are signed. See docs/releasing.md.
_KEY = _FOLDER / "release.pem"
_LISTED = re.compile(r"[0-9a-f]{64} [ *]([A-Za-z0-9][\w.-]*)", re.ASCII)
_ARCHIVE = re.compile(r"macmeter-(\d+)\.(\d+)\.(\d+)-(?:linux|macos)-\w+\.tar\.gz", re.ASCII)
_GITHUB_RELEASE = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+)/releases/download/[^/]+")


@dataclass(frozen=True)
class Offer:
    """The agent in one version. `folder` is where this server has its files, if it has them."""

    version: str
    files: str
    folder: Path | None
    names: frozenset[str]
    tap: str | None
    key: str

    @property
    def package(self) -> str | None:
        """Address of the installer package for Macs, or None if this server's files lack it."""
        name = f"macmeter-{self.version}.pkg"
        return f"{self.files}/{name}" if self.folder is None or name in self.names else None

    @property
    def repository(self) -> str:
        """OWNER/NAME of the public repository whose builds are attested; empty if there is none."""
        match = _GITHUB_RELEASE.fullmatch(self.files)
        return match[1] if match else ""

    def installer(self, server: str) -> str:
        """Return `install.sh` with this server's address and this version filled in."""
        return script(
            "install.sh",
            SERVER=server,
            FILES=self.files,
            VERSION=self.version,
            REPOSITORY=self.repository,
            KEY=self.key,
        )


def script(name: str, **filled: str) -> str:
    """Return a script of this folder with @NAME@ replaced by quoted values."""
    text = (_FOLDER / name).read_text(encoding="utf-8")
    return re.sub("@([A-Z]+)@", lambda match: shlex.quote(filled[match[1]]), text)


def offered(settings: Settings, server: str) -> Offer | None:
    """Return what AGENT_FILES names, or else the release that this package belongs to, or None."""
    released = json.loads(_RELEASED.read_text()) if _RELEASED.is_file() else {}
    files = settings.agent_files or released.get("files")
    key = settings.agent_key or _KEY
    tap = settings.agent_tap or released.get("tap")
    pem = key.read_text().strip() if key.is_file() else ""
    if files is None:
        return None
    if isinstance(files, str):
        return Offer(VERSION, files, None, frozenset(), tap, pem)
    names = listed(files)
    versions = [
        tuple(map(int, match.groups())) for match in map(_ARCHIVE.fullmatch, names) if match
    ]
    if not versions:
        return None
    newest = ".".join(map(str, max(versions)))
    return Offer(newest, f"{server}/agent", files, names, tap, pem)


def why_no_agents_offered(settings: Settings) -> str | None:
    """Return why the folder AGENT_FILES offers no agent; None if it does or isn't set."""
    folder = settings.agent_files
    if not isinstance(folder, Path) or offered(settings, "") is not None:
        return None
    return f"AGENT_FILES: {folder / CHECKSUMS} lists no archive that is there: Macs get no agent"


def listed(folder: Path) -> frozenset[str]:
    """Return the existing files that the list of checksums in a folder names, and the list."""
    try:
        lines = (folder / CHECKSUMS).read_text(encoding="utf-8").splitlines()
    except OSError:
        return frozenset()
    names = {match[1] for line in lines if (match := _LISTED.fullmatch(line))}
    names |= {CHECKSUMS, SIGNATURE}
    return frozenset(name for name in names if (folder / name).is_file())
