"""The dashboard's pages: those for each suite's metrics, and all that have filters."""

from __future__ import annotations

from typing import Literal

Page = Literal["/storage", "/threads", "/cores", "/power", "/workloads"]
FilteredPage = Literal[Page, "/power/residency", "/runs", "/machines"]

# The filters that each page opens with, in this order, after those that every page does.
OPEN_FILTERS: dict[FilteredPage, tuple[str, ...]] = {
    "/storage": ("storage", "encryption", "image_format", "virtual", "source"),
    "/threads": ("threads", "virtual", "article", "qos", "source"),
    "/cores": ("kernel", "core_context", "threads", "source"),
    "/power": ("tier", "active_cores", "core_context", "kernel", "power_mode", "source"),
    "/power/residency": ("power_mode", "os_version"),
    "/workloads": ("test", "os_version", "power_mode", "virtual", "source"),
    "/runs": ("source", "suite", "storage", "encryption"),
    "/machines": ("model", "os_version", "virtual", "suite"),
}

# Other tools' scores have none.
PAGES: dict[str, Page] = {
    "disk": "/storage",
    "hash": "/storage",
    "compression": "/threads",
    "cores": "/cores",
    "power": "/power",
    "workload": "/workloads",
}
