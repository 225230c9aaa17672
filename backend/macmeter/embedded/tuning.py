"""PostgreSQL's settings for a machine of 2 to 24 GB that it shares with the application."""

import os
import sys
from pathlib import Path
from typing import Literal

# durable: an acknowledged commit survives a crash. test: fast, but lost if the machine crashes.
Durability = Literal["durable", "test"]

MIB = 2**20
CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")

ALWAYS = {
    "listen_addresses": "",  # the socket is the only way in
    "unix_socket_permissions": "0700",
    "logging_collector": "off",
    "log_timezone": "UTC",
    "timezone": "UTC",
    "jit": "off",  # our queries are short: compiling them costs more than it saves
}
DURABLE = {
    "max_connections": "200",  # up to 16 workers, each with pools for reading and for writing
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "wal_compression": "pglz",
    "max_wal_size": "4GB",  # recovery of all of it was measured at about 2 s
    "checkpoint_timeout": "15min",
    "log_checkpoints": "off",
    "random_page_cost": "1.1",  # an SSD
    "track_io_timing": "on",
}
# On macOS fsync leaves data in the drive's own cache, where a power cut loses acknowledged commits.
FLUSHED_ON_MAC = {"wal_sync_method": "fsync_writethrough"}
TEST = {
    "max_connections": "60",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "128MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "io_method": "sync",  # no worker processes to start and stop
}


def server_settings(durability: Durability, platform: str = sys.platform) -> dict[str, str]:
    """Return the settings that PostgreSQL gets on its command line."""
    if durability == "test":
        return ALWAYS | TEST
    flushed = FLUSHED_ON_MAC if platform == "darwin" else {}
    return ALWAYS | DURABLE | flushed | memory_settings(memory_bytes())


def memory_settings(memory: int) -> dict[str, str]:
    """Return settings for `memory` bytes: an eighth as PostgreSQL's buffers, 128 MB to 2 GB."""

    def mib(share: float, low: int, high: int) -> str:
        return f"{int(min(max(memory * share / MIB, low), high))}MB"

    return {
        "shared_buffers": mib(1 / 8, 128, 2048),
        "effective_cache_size": mib(1 / 2, 512, 16384),
        "work_mem": mib(1 / 256, 8, 64),
        "maintenance_work_mem": mib(1 / 32, 64, 512),
    }


def memory_bytes() -> int:
    """Return the machine's memory, or the container's limit if that is lower."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(machine, int(CGROUP_LIMIT.read_text()))
    except (OSError, ValueError):  # no such limit here, or "max"
        return machine
