#!/usr/bin/env python3
"""Run the server and Vite side by side; the server reloads changed Python sources.

Open the address that Vite prints: the page reloads as frontend sources change, and its API calls go
to the server. On a change below backend/macmeter the server's workers are replaced (SIGHUP).
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from stages import BIN, ROOT

MODULES = ROOT / "node_modules"
SOURCES = ROOT / "backend" / "macmeter"
POLL_SECONDS = 0.5


def main() -> None:
    """Run both until one of them ends or Ctrl-C."""
    port = os.environ.get("PORT") or "8000"
    server = subprocess.Popen([str(BIN / "macmeter-server"), "serve", "--with-parent"])
    vite = subprocess.Popen(
        # Not through npm, which would outlive Ctrl-C and leave Vite behind.
        [str(MODULES / ".bin" / "node"), str(MODULES / ".bin" / "vite")],
        cwd=ROOT / "frontend",
        env=os.environ | {"BACKEND_URL": f"http://127.0.0.1:{port}"},
    )
    newest_seen = newest(SOURCES)
    try:
        while server.poll() is None and vite.poll() is None:
            time.sleep(POLL_SECONDS)
            if (now := newest(SOURCES)) != newest_seen:
                newest_seen = now
                server.send_signal(signal.SIGHUP)
    except KeyboardInterrupt:
        pass
    finally:
        for process in (vite, server):
            process.terminate()
        for process in (vite, server):
            process.wait()
    sys.exit(130)


def newest(directory: Path) -> float:
    """Latest modification time of a Python file below `directory`."""
    return max(path.stat().st_mtime for path in directory.rglob("*.py"))


if __name__ == "__main__":
    main()
