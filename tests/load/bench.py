"""Run the measurements and write bench.json: `make bench`, `make bench ONLY=put`.

A figure is {name, value, unit, reference, ratio, n}: the reference is a floor or another program's
figure in the same run, or our own limit, and ratio = value / reference. bench.json is written after
each figure: a measurement that fails, or is stopped, loses no others.
"""

from __future__ import annotations

import fcntl
import importlib
import json
import shutil
import signal
import sys
import traceback
from pathlib import Path
from typing import IO, Any

Figure = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "bench.json"
# Figures by the module that measures them; only modules of requested figures run.
MEASURED_BY = {
    "serve_start": ["serve.cold", "serve.warm", "serve.wheel"],
    "release": ["release.build"],
    "intervals": ["interval.coverage", "null.different", "null.different.unlike"],
    "dependence": [
        "interval.models",
        "interval.models.few",
        "interval.independent",
        "interval.runs",
        "null.different.models",
        "null.several",
    ],
    "changes": ["changes.false"],
    "alerts": [
        "alerts.found",
        "alerts.false",
        "alerts.later",
        "alerts.passing",
        "alerts.dated",
        "alerts.shared",
        "alerts.groups",
    ],
    "strays": ["strays.false", "strays.found"],
    "fleet_page": ["fleet.page.p95"],
    "private_fleet": [
        "private.page.p95",
        "private.page.late",
        "private.list.p95",
        "private.list.late",
        "private.answer.p95",
        "private.answer.late",
        "private.limited.p95",
        "private.limited.late",
        "private.change",
        "private.undo",
        "private.missed",
        "private.false",
    ],
    "pairs": ["pairs.false"],
    "unsaid": ["views.confounded.unsaid"],
    "confounding": [
        "confounding.coverage",
        "confounding.sign",
        "confounding.false",
        "confounding.unsaid",
        "confounding.named",
    ],
    "answers": ["answer.p95.2000", "answer.p95.20000"],
    "preview": ["preview.cold", "preview.live"],
    "hostile": ["healthz.p99"],
    "slow_connections": ["connections.p99", "connections.refused"],
    "lighthouse": [
        "lighthouse.performance",
        "lighthouse.accessibility",
        "lighthouse.best_practices",
        "lighthouse.performance.empty",
        "lighthouse.accessibility.empty",
        "lighthouse.best_practices.empty",
        "lcp",
        "js.initial",
    ],
    "points": ["points.5000", "points.10000", "interaction"],
    "put_floor": ["put.1/floor", "batch/floor", "put.8/floor"],
    "import_floor": ["import/floor"],
    "disk_fio": ["disk.write/fio", "disk.read/fio"],
    "latency_fio": ["latency.read/fio", "latency.write/fio"],
    "hash_openssl": ["hash/openssl"],
    "compress_zlib": ["compress.1/zlib", "compress.all/zlib"],
    "cores_steady": ["cores.cv", "cores.cv.worst"],
    "agent_costs": ["agent.memory", "agent.memory.compression", "agent.size", "agent.idle"],
    "agent_kills": ["agent.kills"],
    "import_cost": ["import.50mb.cpu", "import.50mb.memory"],
    "server_kills": ["kills.lost"],
    "stops": ["stops.hung"],
    "shared_dataset": ["shared.harm", "shared.lag.p95"],
    "poison": ["poison.late", "poison.doubled", "poison.failed"],
    "spark": ["spark.equal", "spark.history", "spark.harm"],
    "soak": ["soak.p50", "soak.p99", "soak.memory", "soak.errors"],
    "demo_views": ["demo.views.wrong"],
    "statements": ["demo.statements.wrong"],
    "fleet_views": [
        "fleet2.views.wrong",
        "fleet3.views.wrong",
        "fleet4.views.wrong",
        "views.hidden",
        "views.empty",
    ],
    "demo_pages": [
        "demo.tasks.over",
        "demo.lcp",
        "demo.long_task",
        "demo.long_task.cpu",
        "demo.shift",
        "demo.interaction",
        "demo.tooltip",
    ],
    "figures_twins": ["figures.twins"],
    "access": ["access.cells", "crawl.leaks", "writes.foreign", "takeovers"],
    "contract": ["contract.faults"],
    "timing": ["timing.tells", "timing.ids"],
    "proofs": ["proofs.failed", "proofs.failed.browser"],
    "restored": ["restore.backup", "restore.restore", "restore.equal", "restore.verify"],
    "direct": ["answer/floor", "answer.p95.10000000"],
    "million": [
        "answer.p95.60000",
        "answer.p95.1000000",
        "answer.cached.p95",
        "answer.file_size.p95",
        "facets.p95",
        "compare.p95",
        "lists.p95",
        "picture.p95",
        "mix.p95",
        "readers.rate",
        "readers.p95",
        "dataset.lag",
        "bytes.run",
        "dataset.bytes.run",
        "memory.server",
        "restart.ready",
        "dataset.rebuild",
        "million.healthz.p99",
        "import.rate",
    ],
}
# These take long, and run only when asked for by name.
BY_NAME = {"spark", "soak", "million", "restored", "contract", "proofs"}
# Where measurements put their files when they need this checkout's disk.
SCRATCH = ".bench-*"
FIELDS = ["name", "value", "unit", "reference", "ratio", "n"]


def main(only: str = "") -> int:
    """Measure everything whose name begins with `only`. Returns 1 if a measurement failed."""
    signal.signal(signal.SIGTERM, _stop)
    with (ROOT / ".bench.lock").open("w") as lock:
        _clear(lock)
        return _measure(only)


def _measure(only: str) -> int:
    figures: list[Figure] = []
    failed = []
    for module, names in MEASURED_BY.items():
        if module in BY_NAME:
            if not only or only not in (module, *names):
                continue
        elif not any(name.startswith(only) for name in names):
            continue
        print(f"── {', '.join(names)}", flush=True)
        try:
            measuring = importlib.import_module(f"load.{module}")
            # Some take longer if asked for by name.
            thorough = getattr(measuring, "thorough_figures", measuring.figures)
            for figure in thorough() if only else measuring.figures():
                figures.append({field: figure[field] for field in FIELDS})
                TARGET.write_text(json.dumps(figures, indent=1) + "\n")
                print(line(figure), flush=True)
        except Exception:
            traceback.print_exc()
            failed.append(module)
    print(f"\n{len(figures)} figures in {TARGET.name}")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed or not figures else 0


def _stop(number: int, _frame: object) -> None:
    """Exit normally, so that the current measurement removes its files and stops its servers."""
    sys.exit(128 + number)


def _clear(lock: IO[str]) -> None:
    """Remove what a killed bench left, unless another one runs here and holds the lock."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    for folder in ROOT.glob(SCRATCH):
        shutil.rmtree(folder, ignore_errors=True)


def line(figure: Figure) -> str:
    """One figure for a reader: value, its reference, and their ratio."""
    value, reference = number(figure["value"]), number(figure["reference"])
    unit, ratio = figure["unit"], figure["ratio"]
    return (
        f"  {figure['name']:<18} {value:>10} {unit:<7} beside {reference:>10} {unit:<7} "
        f"ratio {ratio:.3f}  n {figure['n']}"
    )


def number(value: float) -> str:
    """Format with four significant digits, without an exponent."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
