"""Every page of a demo of sixty Macs in a real Chromium, and readers' tasks in their clicks.

A page's figure is the median of its loads by a browser with an empty cache; the reported one is
that of the slowest page. The limits are our own. Each page is printed with the processor time of
its longest task, which other load on the machine does not lengthen.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import httpx
from macmeter.platform.demo import Scale

from load import chromium
from load.whole_demo import served

ROOT = Path(__file__).resolve().parents[2]
NODE = ROOT / "node_modules/.bin/node"
PLAYWRIGHT = ROOT / "node_modules/.bin/playwright"
SCRIPT = Path(__file__).with_name("demo_pages.mjs")
SCALE = Scale(machines=60)
# By name: `make bench ONLY=demo.lcp`.
THOROUGH_LOADS = 3
OTHERS = ["/", "/power/residency", "/chips", "/machines", "/runs", "/compare", "/methods", "/about"]
# Name, column, unit, limit, and the number of the column's units in one unit.
FIGURES = [
    ("demo.lcp", "lcp", "s", 1.5, 1000),
    ("demo.long_task", "task", "s", 0.2, 1000),
    ("demo.long_task.cpu", "cpu", "s", 0.2, 1000),
    ("demo.shift", "shift", "score", 0.02, 1),
    ("demo.interaction", "press", "s", 0.1, 1000),
    ("demo.tooltip", "tip", "s", 0.033, 1000),
]

Json = dict[str, Any]


def figures() -> list[Json]:
    """`demo.tasks.over`, and the slowest page's paint, tasks, shift, press and tip."""
    return _figures(1)


def thorough_figures() -> list[Json]:
    """Report medians of several loads."""
    return _figures(THOROUGH_LOADS)


def _figures(loads: int) -> list[Json]:
    with served(SCALE) as (url, _):
        over, tasks = _tasks_over(url)
        pages = _pages(url, paths(url), loads)
    for page in sorted(pages, key=lambda item: -item["cpu"]):
        figures = (f"{name} {page[name]:.4g}" for name in ("lcp", "task", "cpu", "shift", "press"))
        tip = "" if page["tip"] is None else f", tip {page['tip']:.3g}"
        print(f"  {page['path']:<40.40} {', '.join(figures)}{tip}")
    return [
        _figure("demo.tasks.over", over, "tasks", 0, tasks),
        *map(_slowest(pages, loads), FIGURES),
    ]


def paths(url: str) -> list[str]:
    """Every view, the other pages, and those of one Mac and of one run."""
    views: Json = json.loads((ROOT / "tests/figures/views.json").read_text())
    addresses = [f"{view['page']}?view={view['view']}" for view in views["views"]]
    with httpx.Client(base_url=f"{url}/api/v1", timeout=60) as client:
        for things, terms in (("machines", ""), ("runs", "suite:disk")):
            response = client.get(f"/{things}", params={"where": terms} if terms else {})
            addresses.append(f"/{things}/{response.raise_for_status().json()['items'][0]['id']}")
    return [*OTHERS, *addresses]


def _pages(url: str, addresses: list[str], loads: int) -> list[Json]:
    process = subprocess.run(
        [str(NODE), str(SCRIPT), url, str(loads), *addresses],
        env=os.environ | {"CHROMIUM": chromium.find()},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        raise RuntimeError(f"demo_pages.mjs failed:\n{process.stderr}")
    return [json.loads(line) for line in process.stdout.splitlines()]


def _tasks_over(url: str) -> tuple[int, int]:
    """Count the tasks that take too many clicks or fail, and all."""
    process = subprocess.run(
        [str(PLAYWRIGHT), "test", "-c", "playwright.config.ts", "tasks", "--reporter=json"],
        cwd=ROOT,
        env=os.environ | {"DEMO_URL": url, "BASE_URL": url, "CHROMIUM": chromium.find()},
        capture_output=True,
        text=True,
        check=False,
    )
    stats: Json = json.loads(process.stdout)["stats"]
    tasks = sum(stats[outcome] for outcome in ("expected", "unexpected", "flaky"))
    assert tasks, process.stderr
    return int(stats["unexpected"]), tasks


def _slowest(pages: list[Json], loads: int) -> Any:
    def of(definition: tuple[str, str, str, float, int]) -> Json:
        name, column, unit, limit, scale = definition
        values = [page[column] / scale for page in pages if page[column] is not None]
        return _figure(name, max(values), unit, limit, len(values) * loads)

    return of


def _figure(name: str, value: float, unit: str, limit: float, n: int) -> Json:
    ratio = value / limit if limit else float(value)
    base = {"name": name, "value": value, "unit": unit}
    return base | {"reference": limit, "ratio": ratio, "n": n}
