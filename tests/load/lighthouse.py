"""Lighthouse scores of the built pages on a desktop, loaded by a visitor's Chromium.

The pages are those of the demo of sixty Macs and of an empty server. By name each is loaded five
times; otherwise once, and only some of the empty server's. A page's figure is the median of its
loads, and the reported figure is that of the lowest page. The limits are our own: 95 of 100 for
performance on the demo and 99 without runs, 100 for accessibility and best practices.
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
from support.live_server import LiveServer

from load import chromium, demo_pages
from load.figure import figure
from load.whole_demo import served

ROOT = Path(__file__).resolve().parents[2]
LIGHTHOUSE = ROOT / "tests/load/pages/node_modules/.bin/lighthouse"
PAGES = [
    "/",
    "/storage",
    "/threads",
    "/cores",
    "/power",
    "/workloads",
    "/chips",
    "/machines",
    "/runs",
    "/compare",
]
# Pages of an empty server, unless by name: `make bench ONLY=lighthouse`.
SOME = PAGES[::3]
THOROUGH_LOADS = 5
EMPTY_PERFORMANCE = 0.99
CATEGORIES = {"performance": 0.95, "accessibility": 1.0, "best-practices": 1.0}
LCP_LIMIT = 1.2
# Gzipped bytes of the scripts that the page names: what any page needs before it can begin.
JS_LIMIT = 150_000
_SCRIPTS = re.compile(r'<(?:script|link)[^>]*?(?:src|href)="(/assets/[^"]+\.js)"')

Json = dict[str, Any]


def figures() -> list[Json]:
    """Load pages once, and fewer of them than `thorough_figures`."""
    return _figures(1, SOME)


def thorough_figures() -> list[Json]:
    """Report medians of several loads."""
    return _figures(THOROUGH_LOADS, PAGES)


def _figures(loads: int, empty_paths: list[str]) -> list[Json]:
    """The lowest page's scores (0 to 1), the slowest page's largest paint, and bytes of script."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        with served(demo_pages.SCALE) as (url, _):
            full = _pages(url, PAGES, Path(directory), loads)
            script = _script_bytes(url)
        with LiveServer(Path(directory)) as server:
            empty = _pages(server.url, empty_paths, Path(directory), loads)
    scores = [
        figure(f"lighthouse.{category.replace('-', '_')}{suffix}", lowest, "score", limit, loads)
        for pages, suffix in ((full, ""), (empty, ".empty"))
        for category, limit in _limits(suffix).items()
        for lowest in [min(_score(reports, category) for reports in pages.values())]
    ]
    slowest = max(_paint(reports) for reports in full.values())
    return [
        *scores,
        figure("lcp", slowest, "s", LCP_LIMIT, loads),
        figure("js.initial", script, "B", JS_LIMIT, 1),
    ]


def _limits(suffix: str) -> dict[str, float]:
    return CATEGORIES | ({"performance": EMPTY_PERFORMANCE} if suffix else {})


def _pages(url: str, paths: list[str], directory: Path, loads: int) -> dict[str, list[Json]]:
    """Reports of each page, printed as they come."""
    pages: dict[str, list[Json]] = {}
    for path in paths:
        reports = pages[path] = [_report(url + path, directory) for _ in range(loads)]
        scores = ", ".join(f"{category} {_score(reports, category):.2f}" for category in CATEGORIES)
        print(f"  {path:<11} {scores}, largest paint {_paint(reports):.2f} s", flush=True)
        for failing in _failing(reports[0]):
            print(f"    {failing}")
    return pages


def _report(address: str, directory: Path) -> Json:
    """Load a page once with Lighthouse's own desktop settings."""
    target = directory / "report.json"
    flags = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run"
    command = [str(LIGHTHOUSE), address, "--preset=desktop", "--quiet", "--output=json"]
    command += [f"--output-path={target}", f"--chrome-flags={flags}", "--no-enable-error-reporting"]
    command += [f"--only-categories={','.join(CATEGORIES)}"]
    process = subprocess.run(
        command,
        env=os.environ | {"CHROME_PATH": chromium.find()},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        raise RuntimeError(f"Lighthouse failed on {address}:\n{process.stderr}")
    report: Json = json.loads(target.read_text())
    return report


def _score(reports: list[Json], category: str) -> float:
    return float(median(report["categories"][category]["score"] for report in reports))


def _paint(reports: list[Json]) -> float:
    paints = (report["audits"]["largest-contentful-paint"]["numericValue"] for report in reports)
    return float(median(paints)) / 1000


def _failing(report: Json) -> list[str]:
    """Audits that cost a page points, for whoever fixes it."""
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
