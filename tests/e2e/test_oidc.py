"""Single sign-on as people see it: a certified provider and a real browser."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from support.agent import ROOT
from support.browser_spec import run_spec
from support.live_server import ForkedServer, free_port


def test_signing_in_by_an_organisation_and_what_can_go_wrong(
    database_url: str, tmp_path: Path
) -> None:
    own = ROOT / "node_modules/node/bin/node"
    node = str(own) if own.exists() else shutil.which("node")
    assert node is not None
    here = f"http://localhost:{(port := free_port())}"
    program = [node, str(ROOT / "tests/support/oidc_provider.mjs")]
    with subprocess.Popen(
        [*program, f"{here}/api/v1/session/oidc/return"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as provider:
        assert provider.stdout is not None
        try:
            issuer = next(line for line in provider.stdout if line.startswith("http://")).strip()
            settings = {
                "PORT": str(port),
                "DATABASE_URL": database_url,
                "OIDC_ISSUER": issuer,
                "OIDC_CLIENT_ID": "macmeter",
                "OIDC_CLIENT_SECRET": "a secret of the client, long enough",
            }
            (tmp_path / "server").mkdir()
            with ForkedServer(tmp_path / "server", **settings) as server:
                run_spec(
                    "oidc.spec.ts",
                    tmp_path / "results",
                    BASE_URL=here,
                    OIDC_LINK=here + server.admin_link(),
                    OIDC_HOST=issuer.removeprefix("http://"),
                    OIDC_PROVIDER=str(provider.pid),
                )
        finally:
            provider.kill()
