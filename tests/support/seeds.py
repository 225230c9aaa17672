"""Data directories as servers leave them after their first start, copied instead of created.

Creating a cluster takes three seconds of processor time: initdb, every migration, the published
results. Loading a demo takes seven more. Both are done once per version of the sources; later test
runs copy the result. First starts are tested where no copy is used: by `make serve` for the browser
tests, and in `serving`; demos are loaded in their own tests.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from macmeter.embedded import EmbeddedPostgres
from macmeter.platform.database import MIGRATIONS, migrate
from macmeter.runs import published

from support.databases import make_template
from support.live_server import free_port

ROOT = Path(__file__).resolve().parents[2]
SEEDS = ROOT / "build" / "seeds"
# Sources that determine the content of a seed.
SOURCES = (
    ROOT / "backend" / "macmeter",
    ROOT / "tools" / "demo",
    MIGRATIONS,
    Path(__file__).parent / "databases.py",
)


def seeded(data_dir: Path) -> Path:
    """Copy a cluster into `data_dir`, which is empty, and return it."""
    _copy(_seed("cluster", _digest(), _make_cluster) / "postgres", data_dir)
    return data_dir


def seeded_demo(data_dir: Path, machines: int) -> None:
    """Copy all runs of a demo started today into `data_dir`."""
    # A demo ends on the day of its first start.
    version = f"{machines}-{datetime.now(UTC).date()}-{_digest()}"
    seed = _seed("demo", version, lambda folder: _load_demo(folder, machines))
    _copy(f"{seed}/.", data_dir)


def _copy(source: str | Path, data_dir: Path) -> None:
    subprocess.run(["cp", "-a", str(source), str(data_dir)], check=True)


def _make_cluster(folder: Path) -> None:
    with EmbeddedPostgres(folder, durability="test") as cluster:
        make_template(cluster)
        migrate(cluster.url())
        published.load(cluster.url())


def _load_demo(folder: Path, machines: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "demo", "--machines", str(machines)],
        cwd=ROOT / "tools",
        env=os.environ | {"DATA_DIR": str(folder), "PORT": str(free_port())},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr is not None
        lines = []
        for line in server.stderr:
            lines.append(line)
            if "what is true of them" in line:
                break
        else:
            raise AssertionError(f"the demo was not loaded:\n{''.join(lines)}")
        server.terminate()
        server.communicate()


def _seed(kind: str, version: str, make: Callable[[Path], None]) -> Path:
    """Create a seed once, however many processes ask at the same time."""
    seeds = SEEDS / kind
    seeds.mkdir(parents=True, exist_ok=True)
    with (seeds / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        seed = seeds / version
        if not seed.exists():
            for old in seeds.iterdir():
                if old.is_dir():
                    shutil.rmtree(old)
            half_made = seeds / "half-made"
            make(half_made)
            half_made.rename(seed)
    return seed


@cache
def _digest() -> str:
    digest = hashlib.sha256()
    for source in SOURCES:
        for path in [source] if source.is_file() else sorted(source.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"{path}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
