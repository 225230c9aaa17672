"""An administrator's first hour, with nothing mocked.

A new server prints the link for its first admin; a real Chromium opens it and does the rest, while
the agent's real binary enrols and uploads as three Macs, whose tools are replayed.
"""

from __future__ import annotations

from pathlib import Path

from support.browser_spec import run_spec
from support.live_server import ForkedServer


def test_from_the_printed_link_to_three_macs_and_a_viewer(
    agent_command: str, published_database_url: str, tmp_path: Path
) -> None:
    for name in ("server", "homes"):
        (tmp_path / name).mkdir()
    settings = {"DATABASE_URL": published_database_url, "ACCEPT_SIMULATED": "1"}
    with ForkedServer(tmp_path / "server", **settings) as server:
        # Passkeys are bound to a host name, and so is the session.
        here = f"http://localhost:{server.port}"
        run_spec(
            "administrator.spec.ts",
            tmp_path / "results",
            BASE_URL=here,
            ADMIN_LINK=here + server.admin_link(),
            AGENT=agent_command,
            HOMES=str(tmp_path / "homes"),
        )
