"""The dashboard's page that answers questions about a suite's metrics."""

from __future__ import annotations

from typing import Literal

Page = Literal["/storage", "/threads", "/cores", "/power", "/workloads"]

# Other tools' scores have none.
PAGES: dict[str, Page] = {
    "disk": "/storage",
    "hash": "/storage",
    "compression": "/threads",
    "cores": "/cores",
    "power": "/power",
    "workload": "/workloads",
}
