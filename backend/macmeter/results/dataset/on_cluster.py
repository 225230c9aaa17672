"""The aggregates of summing.py as statements, for selections so large that a cluster sums them.

Digests of runs can be compared only with one another: Spark's hash differs from DuckDB's.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from macmeter.results.dataset.selection import Selection
from macmeter.results.dataset.snapshot import Columns
from macmeter.results.dataset.summing import hashed, numbers_of

_DRIVE = "coalesce(device_number, 0) AS device, coalesce(holder_number, 0) AS holder"


def on_cluster_if_large(selection: Selection) -> Selection:
    """Return the selection, summed by a cluster if it has very many results.

    Both sides of a ratio are summed in one place, whatever their filters.
    """
    data, requested = selection.snapshot, (selection.needed_scope, selection.series)
    if not data.is_large(
        *((selection.scope, data.of_metric(selection.metric)) if selection.pairs else requested)
    ):
        return selection
    arguments = (
        selection.metric,
        selection.by,
        selection.terms,
        selection.scope,
        selection.flagged,
    )
    return OnCluster(selection.snapshot, *arguments, pairs=selection.pairs)


@dataclass(frozen=True, eq=False)
class OnCluster(Selection):
    """Results whose rows stay where the statements run."""

    is_large: ClassVar[bool] = True

    @cached_property
    def _machines(self) -> Columns:
        runs = "count(*)" if self.is_of_one_series else "count(DISTINCT run_id)"
        columns = self.ask(f"""
            SELECT {self.group_columns}, machine AS owner, median(value) AS value,
                count(*) AS results, {runs} AS runs, min(place) AS place,
                coalesce(min(device_number) < max(device_number), false) AS several
            FROM found GROUP BY {self.group_columns}, machine
        """)
        return columns | {"model": self._models[columns["place"]]}

    @cached_property
    def _sums(self) -> Columns:
        return self.ask(f"""
            SELECT {self.group_columns}, place, count(*) AS results, sum(samples) AS samples,
                count(*) FILTER (WHERE samples > 1) AS several,
                coalesce(sum(low), 0) AS low, coalesce(sum(high), 0) AS high,
                coalesce(sum(deviation::DOUBLE * deviation::DOUBLE), 0) AS squares
            FROM found GROUP BY {self.group_columns}, place
        """)

    def machines(self) -> Columns:
        return self._machines

    def setups(self) -> Columns:
        return self._sums

    def results(self) -> Columns:
        columns = self.ask(f"""
            SELECT {self.group_columns}, value, machine AS owner, place, series, {_DRIVE}, month,
                hash(run_id) AS run
            FROM found WHERE NOT unspecified
        """)
        return columns | {"run": columns["run"].view(np.uint64)}

    def digests(self) -> Columns:
        columns = self.ask(f"""
            SELECT {self.group_columns}, bit_xor(hash(run_id, series)) AS digest
            FROM found GROUP BY {self.group_columns}
        """)
        return columns | {"digest": columns["digest"].view(np.uint64)}

    def cells(
        self, alike: Sequence[str], left_out: Collection[str], series_numbers: Mapping[int, int]
    ) -> Columns:
        settings = self._settings(alike, left_out)
        series = {"series": [*series_numbers], "number": [*series_numbers.values()]}
        numbers = self.snapshot.register(
            {name: np.array(values, dtype=np.int64) for name, values in series.items()}
        )
        keys = f"{self.group_columns}, owner, device, holder, number, setting"
        columns = self.ask(f"""
            , drives AS (
                SELECT {self.group_columns}, machine AS owner, {_DRIVE}, number, setting, value,
                    hash(run_id, series) AS result
                FROM found JOIN {settings} USING (place) JOIN {numbers} USING (series)
                WHERE NOT unspecified
            )
            SELECT {keys}, median(value) AS value, bit_xor(result) AS digest
            FROM drives GROUP BY {keys}
        """)
        cell_columns = [columns.pop(name) for name in ("device", "holder", "number", "setting")]
        columns["cell"] = hashed([columns["owner"], *cell_columns])
        return columns | {"digest": columns["digest"].view(np.uint64)}

    def settings(self, alike: Sequence[str]) -> Columns:
        settings = self._settings(alike, self.by)
        columns = self.ask(f"""
            SELECT {self.group_columns}, series, setting, machine AS owner, min(place) AS place
            FROM found JOIN {settings} USING (place)
            GROUP BY {self.group_columns}, series, setting, machine
        """)
        return columns | {"setting": columns["setting"].view(np.uint64)}

    def _settings(self, alike: Sequence[str], left_out: Collection[str]) -> str:
        """Register a relation of each setup's setting, by place; return its name."""
        numbers = numbers_of(self.snapshot.setups, alike, left_out)
        indices = np.arange(len(numbers), dtype=np.int32)
        return self.snapshot.register({"place": indices, "setting": numbers.view(np.int64)})
