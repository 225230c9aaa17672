"""The server's wheel contains everything that it serves, and runs without a checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from macmeter.platform.release import VERSION
from macmeter.platform.settings import CHECKOUT
from support.live_server import LiveServer
from support.releases import step
from support.seeds import seeded

FILES = "https://example.org/releases/download/v1"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(step("wheel.py", "--out", tmp_path_factory.mktemp("dist"), "--files", FILES))


def tracked(folder: str) -> set[str]:
    """Files of a folder that git tracks, relative to it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", "."],
        cwd=CHECKOUT / folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name for name in listed.stdout.split("\0") if name}


def test_everything_that_is_served_is_inside(wheel: Path) -> None:
    assert wheel.name == f"macmeter-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if not name.endswith("/")}
        entry = packed.read(f"macmeter-{VERSION}.dist-info/entry_points.txt").decode()
    assert "macmeter-server = macmeter.server.cli:main" in entry
    source = {f"macmeter/{name}" for name in tracked("backend/macmeter")}
    migrations = {f"macmeter/migrations/{name}" for name in tracked("migrations")}
    built = (CHECKOUT / "frontend/dist").rglob("*")
    dashboard = {
        f"macmeter/dashboard/{file.relative_to(CHECKOUT / 'frontend/dist')}"
        for file in built
        if file.is_file() and file.name != ".stamp"
    }
    assert dashboard >= {"macmeter/dashboard/index.html", "macmeter/dashboard/paths.json"}
    assert source | migrations | dashboard | {"macmeter/LICENSE"} <= names
    # Nothing else: no tests, tools, caches or files of a developer's machine.
    more = names - source - migrations - dashboard - {"macmeter/LICENSE"}
    about = {f"macmeter-{VERSION}.dist-info/{name}" for name in ("METADATA", "RECORD", "WHEEL")}
    about.add(f"macmeter-{VERSION}.dist-info/entry_points.txt")
    assert more == about | {"macmeter/server/installing/released.json"}


class Unpacked(LiveServer):
    """A server started from an unpacked wheel, in a folder without a checkout."""

    def __init__(self, data_dir: Path, package: Path) -> None:
        super().__init__(data_dir, PYTHONPATH=str(package), PYTHONDONTWRITEBYTECODE="1")
        self.package = package

    def launch(self) -> None:
        program = "import macmeter.server.cli; macmeter.server.cli.main()"
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", program, "serve", "--with-parent"],
                cwd=self.package,
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )


@pytest.mark.thorough
def test_it_serves_from_what_is_inside(wheel: Path, tmp_path: Path) -> None:
    package = tmp_path / "package"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(package)
    (tmp_path / "data").mkdir()
    with Unpacked(seeded(tmp_path / "data"), package) as server:
        page = server.ask("/")
        assert page.status_code == 200
        script = page.text.partition('src="/assets/')[2].partition('"')[0]
        assert server.ask(f"/assets/{script}").status_code == 200
        assert server.ask("/api/v1/runs").json()["total"] > 100, "published figures"
        picture = server.ask("/api/v1/chart.png?metric=disk.write_average")
        assert picture.content.startswith(b"\x89PNG"), "fonts"
        assert server.ask("/api/v1/agent").json()["files"] == FILES
