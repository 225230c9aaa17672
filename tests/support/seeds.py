"""PostgreSQL clusters as a server's first start leaves them, copied instead of made.

Making one takes three seconds of the processor: initdb, every migration, the published results.
It is done once for a version of the sources; every test run after that copies it. First starts are
shown where no copy is taken: `make serve` below the browser's tests, and those of `serving`.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
from functools import cache
from pathlib import Path

from macmeter.database import MIGRATIONS, migrate
from macmeter.embedded import EmbeddedPostgres
from macmeter.ingest import published

from support.databases import make_template

ROOT = Path(__file__).resolve().parents[2]
SEEDS = ROOT / "build" / "seeds"
# Whatever decides on what is in one.
SOURCES = (ROOT / "backend" / "macmeter", MIGRATIONS, Path(__file__).parent / "databases.py")


def seeded(data_dir: Path) -> Path:
    """`data_dir`, which is there and holds nothing yet, with a cluster of its own."""
    command = ["cp", "-a", str(_seed() / "postgres"), str(data_dir / "postgres")]
    subprocess.run(command, check=True)
    return data_dir


def _seed() -> Path:
    """Made once, however many ask at the same time."""
    SEEDS.mkdir(parents=True, exist_ok=True)
    with (SEEDS / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        seed = SEEDS / _digest()
        if not seed.exists():
            for old in SEEDS.iterdir():
                if old.is_dir():
                    shutil.rmtree(old)
            half_made = SEEDS / "half-made"
            with EmbeddedPostgres(half_made, durability="test") as cluster:
                make_template(cluster)
                migrate(cluster.url())
                published.load(cluster.url())
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
