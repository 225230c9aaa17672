"""Questions that the server answers, and that SQL answers over the corpus as a data set."""

from __future__ import annotations

import random
import uuid
from dataclasses import dataclass
from typing import Any

from support.documents import Document, by_file_size, disk_run

# Group -> machines, runs, median with every digit.
Answered = dict[tuple[Any, ...], tuple[int, int, float]]

CHIPS = ("Apple M1", "Apple M2 Pro", "Apple M3 Max", "Apple M4")
STORAGE = ("internal", "usb4", "thunderbolt3")
MONTHS = ("2026-08", "2026-09", "2026-10", "2026-11")


@dataclass(frozen=True)
class Asked:
    """One question. `where` is SQL; `also` says the same to the server."""

    metric: str
    by: tuple[str, ...]
    where: str = "true"
    also: str = ""

    @property
    def address(self) -> str:
        by = "".join(f"&by={name}" for name in self.by)
        return f"metric={self.metric}{by}&where=source:measured{self.also}"

    def sql(self, table: str) -> str:
        """Query with a machine's value as the median of its runs, a group's as that of its
        machines.
        """
        by = ", ".join(self.by)
        return f"""
            WITH machines AS (
                SELECT {by}, machine_id, count(DISTINCT run_id) AS runs,
                    median(p50) AS value
                FROM {table}
                WHERE metric = '{self.metric}' AND source = 'measured' AND NOT doubtful
                    AND {self.where}
                GROUP BY {by}, machine_id
            )
            SELECT {by}, count(*) AS machines, sum(runs) AS runs, median(value) AS value
            FROM machines GROUP BY {by}
        """  # noqa: S608 - ours


QUESTIONS = (
    Asked("disk.write_average", ("chip",)),
    Asked("disk.write_average", ("chip_family", "storage", "encryption")),
    Asked("disk.read_average", ("month",), "storage = 'internal'", "&where=storage:internal"),
    Asked("disk.write_speed", ("file_size", "storage")),
    Asked(
        "disk.write_speed",
        ("chip", "month"),
        "file_size = 2000000 AND encryption <> 'none'",
        "&where=file_size:2000000&where=encryption!:none",
    ),
)


def runs(count: int, seed: int = 1) -> list[Document]:
    """That many runs of a quarter as many machines, with digits that no rounding would keep."""
    chance = random.Random(seed)
    machines = [
        (str(uuid.UUID(int=chance.getrandbits(128), version=4)), chance.choice(CHIPS))
        for _ in range(max(count // 4, 1))
    ]
    documents = []
    for _ in range(count):
        machine, chip = chance.choice(machines)
        run = disk_run(
            id=str(uuid.UUID(int=chance.getrandbits(128), version=4)),
            machine=machine,
            chip=chip,
            storage=chance.choice(STORAGE),
            encryption=chance.choice(("filevault", "none")),
            write=[chance.uniform(1e9, 7e9) for _ in range(chance.randint(1, 4))],
            read=[chance.uniform(1e9, 7e9) for _ in range(chance.randint(1, 4))],
            started_at=f"{chance.choice(MONTHS)}-0{chance.randint(1, 9)}T10:00:00Z",
        )
        sizes = {2 * 10**size: [chance.uniform(1e8, 6e9)] for size in range(4, 9)}
        run["series"] += by_file_size(sizes)
        if chance.random() < 0.1:
            run["warnings"] = [{"code": "on_battery"}]
        documents.append(run)
    return documents


def of_server(asked: Asked, answer: dict[str, Any]) -> Answered:
    """The server's groups."""
    groups = answer["results"][0]["groups"]
    return {
        tuple(group["key"][name] for name in asked.by): (
            group["machines"],
            group["runs"],
            group["median"],
        )
        for group in groups
    }


def of_rows(rows: list[tuple[Any, ...]]) -> Answered:
    """The same from SQL's rows."""
    return {tuple(row[:-3]): (int(row[-3]), int(row[-2]), float(row[-1])) for row in rows}
