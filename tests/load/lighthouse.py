"""What Lighthouse says of the built pages on a desktop, as a visitor's Chromium loads them.

Each page is loaded a few times from a server with the published figures and generated runs; a
page's figure is the median of its loads, and the reported figure is that of the lowest page. The
limits are ours: 95 of 100 for performance, all of it for accessibility and best practices.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from macmeter.embedded import find_running
from support.live_server import LiveServer

from load import chromium, generated

ROOT = Path(__file__).resolve().parents[2]
LIGHTHOUSE = ROOT / "tests/load/pages/node_modules/.bin/lighthouse"
PAGES = {"Overview": "/", "Storage": "/storage", "Compare": "/compare"}
LOADS = 3
RUNS = 300
CATEGORIES = {"performance": 0.95, "accessibility": 1.0, "best-practices": 1.0}
LCP_LIMIT = 1.2
# Gzip, of the scripts that the page names: what any page needs before it can begin.
JS_LIMIT = 150_000
_SCRIPTS = re.compile(r'<(?:script|link)[^>]*?(?:src|href)="(/assets/[^"]+\.js)"')

Json = dict[str, Any]


def figures() -> list[Json]:
    """The lowest page's scores (0 to 1), the slowest page's largest paint, and bytes of script."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        with LiveServer(Path(directory)) as server:
            running = find_running(Path(directory))
            assert running is not None
            generated.load(running.url(), RUNS)
            pages = {
                name: [_report(server.url + path, Path(directory)) for _ in range(LOADS)]
                for name, path in PAGES.items()
            }
            script = _script_bytes(server.url)
    for name, reports in pages.items():
        told = ", ".join(f"{one} {_score(reports, one):.2f}" for one in CATEGORIES)
        print(f"  {name:<9} {told}, largest paint {_paint(reports):.2f} s")
        for failing in _failing(reports[0]):
            print(f"    {failing}")
    scores = [
        _figure(
            f"lighthouse.{category.replace('-', '_')}",
            min(_score(reports, category) for reports in pages.values()),
            "score",
            limit,
        )
        for category, limit in CATEGORIES.items()
    ]
    slowest = max(_paint(reports) for reports in pages.values())
    return [
        *scores,
        _figure("lcp", slowest, "s", LCP_LIMIT),
        {**_figure("js.initial", script, "B", JS_LIMIT), "n": 1},
    ]


def _report(address: str, directory: Path) -> Json:
    """One load, by Lighthouse's own desktop settings."""
    target = directory / "report.json"
    flags = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run"
    command = [str(LIGHTHOUSE), address, "--preset=desktop", "--quiet", "--output=json"]
    command += [f"--output-path={target}", f"--chrome-flags={flags}", "--no-enable-error-reporting"]
    command += [f"--only-categories={','.join(CATEGORIES)}"]
    done = subprocess.run(
        command,
        env=os.environ | {"CHROME_PATH": chromium.find()},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"Lighthouse failed on {address}:\n{done.stderr}")
    report: Json = json.loads(target.read_text())
    return report


def _score(reports: list[Json], category: str) -> float:
    return float(median(report["categories"][category]["score"] for report in reports))


def _paint(reports: list[Json]) -> float:
    paints = (report["audits"]["largest-contentful-paint"]["numericValue"] for report in reports)
    return float(median(paints)) / 1000


def _failing(report: Json) -> list[str]:
    """What costs a page its points, for whoever is to mend it."""
    weights = {
        ref["id"]: ref["weight"]
        for category in report["categories"].values()
        for ref in category["auditRefs"]
    }
    return [
        f"{audit['id']}: {audit['score']} {audit.get('displayValue', '')}".rstrip()
        for audit in report["audits"].values()
        if weights.get(audit["id"]) and audit["score"] is not None and audit["score"] < 0.9
    ]


def _script_bytes(url: str) -> int:
    with httpx.Client(base_url=url) as client:
        names = set(_SCRIPTS.findall(client.get("/storage").raise_for_status().text))
        assert names, "the page names no script"
        scripts = [client.get(name).raise_for_status().content for name in sorted(names)]
    return sum(len(gzip.compress(script)) for script in scripts)


def _figure(name: str, value: float, unit: str, limit: float) -> Json:
    return {
        "name": name,
        "value": value,
        "unit": unit,
        "reference": limit,
        "ratio": value / limit,
        "n": LOADS,
    }
