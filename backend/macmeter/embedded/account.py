"""Who PostgreSQL runs as, and which paths that account can reach.

PostgreSQL refuses to run as root. Started by root it runs as `nobody`, an account every system
has: nothing is added to the system, and no directory above the data is opened to others.
"""

from __future__ import annotations

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict


class RunAs(TypedDict, total=False):
    """Options of `subprocess.Popen`."""

    user: int
    group: int
    extra_groups: list[str | int]


@dataclass(frozen=True)
class Account:
    """The account that owns the cluster; `switch` when it is not the one we run as."""

    uid: int
    gid: int
    switch: bool

    @property
    def popen(self) -> RunAs:
        """Arguments of subprocess that make a child run as this account."""
        if not self.switch:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, path: Path) -> None:
        """Hands `path` to this account."""
        if self.switch:
            os.chown(path, self.uid, self.gid)

    def reaches(self, path: Path) -> bool:
        """Whether this account can enter or execute `path` by its full name.

        Checked by a process of that account: modes alone don't tell, there are
        access lists and mounts too.
        """
        if not self.switch:
            return True
        test = ["/bin/sh", "-c", 'test -x "$1"', "sh", str(path)]
        return subprocess.run(test, cwd="/", check=False, **self.popen).returncode == 0


def account_for(server_dir: Path) -> Account:
    """The account for a server directory that may not exist yet.

    Root keeps serving as whoever owns an existing one, so that `sudo` once does not make the
    owner's next start fail.
    """
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), switch=False)
    if server_dir.exists() and (owner := server_dir.stat()).st_uid != 0:
        return Account(owner.st_uid, owner.st_gid, switch=True)
    nobody = pwd.getpwnam("nobody")
    return Account(nobody.pw_uid, nobody.pw_gid, switch=True)
