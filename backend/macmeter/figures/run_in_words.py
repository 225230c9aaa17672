"""A run for link previews: what it is, its chief figures, and what speaks against them."""

from __future__ import annotations

from macmeter.answers.runs import RunSummary
from macmeter.figures.numbers import day
from macmeter.figures.runs import chief_text
from macmeter.figures.words import listed, metric_title, system_text, value_text

# More figures than these are cut by those who show previews.
_MOST = 3


def title_of_run(run: RunSummary) -> str:
    """ "Disk run of Apple M4 Pro, 20 Nov 2026"."""
    of = f" of {run['machine']['chip']}" if run["machine"]["chip"] else ""
    when = f", {day(run['started_at'])}" if run["started_at"] else ""
    kind = "Published" if run["source"] == "published" else run["suite"].capitalize()
    return f"{kind} run{of}{when}"


def run_in_words(run: RunSummary) -> str:
    """ "Write speed, whole run: 7.66 GB/s. Internal SSD, FileVault, macOS 26.4."."""
    told = []
    if run["withdrawn"]:
        told.append(f"Withdrawn: {run['withdrawn']['reason']}")
    doubts = [flag["sentence"] for flag in run["flags"] if flag["severity"] == "doubt"]
    if doubts:
        told.append(f"Doubted: it {listed(doubts)}.")
    told += [f"{metric_title(one['metric'])}: {chief_text(one)}." for one in run["chief"][:_MOST]]
    target = {"storage": run["storage"], "encryption": run["encryption"]}
    stated = [value_text(name, value) for name, value in target.items() if value is not None]
    if run["os_version"]:
        stated.append(system_text(run["os_version"]))
    if stated:
        told.append(", ".join(stated) + ".")
    return " ".join(told) or "A run on Macmeter."
