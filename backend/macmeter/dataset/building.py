"""Why a question may have to wait: the files that it is answered from are being written."""

from __future__ import annotations

from macmeter.errors import Problem


class BuildingError(Problem):
    """503: there are no files yet, or they lack more than a question reads by itself."""

    def __init__(self) -> None:
        detail = "The server is preparing its answers. Try again in a few seconds."
        super().__init__(503, "dataset_building", "Being prepared", detail)
        self.headers["Retry-After"] = "5"


class OutrunError(BuildingError):
    """The files are of a later moment than the transaction, or gone: the next one has others."""
