"""Observation of one request: counted, timed, and logged if slow."""

import logging
import time
from urllib.parse import parse_qsl

from starlette.types import Scope

from macmeter import catalog
from macmeter.platform.errors import request_id
from macmeter.platform.telemetry import cost, counters, traces
from macmeter.platform.telemetry.counters import QUESTIONS, kind_of

log = logging.getLogger("macmeter")


class Observed:
    """A request from its start until its response starts, when `responds` is called."""

    def __init__(self, scope: Scope, slow_seconds: float) -> None:
        self._scope, self._slow = scope, slow_seconds
        self.kind = kind_of(scope["method"], scope["path"])
        self.cost = cost.begin()
        self._began = time.perf_counter()

    def responds(self, status: int) -> None:
        """Record the response. Called once."""
        seconds = time.perf_counter() - self._began
        counts = counters.own()
        label = f'kind="{self.kind}"'
        if 200 <= status < 600:
            status_class = f'status="{status // 100}xx"'
            counts.add("macmeter_requests_total", f"{label},{status_class}")
        counts.observe("macmeter_request_seconds", seconds, label)
        if traces.are_sent():
            traces.record(self.kind, seconds, self._scope["headers"], self._fields(status))
        if seconds > self._slow and self.kind in QUESTIONS:
            counts.add("macmeter_slow_questions_total")
            fields = {"seconds": round(seconds, 3), **self.cost.fields(), **self._requested_names()}
            log.warning(
                "[%s] slow question: %s", request_id.get(), self.kind, extra={"fields": fields}
            )

    def _fields(self, status: int) -> dict[str, object]:
        """Return the attributes of the request's span."""
        return {
            "http.request.method": self._scope["method"],
            "http.response.status_code": status,
            "macmeter.request_id": request_id.get() or "",
            **{f"macmeter.{name}": value for name, value in self.cost.fields().items()},
        }

    def _requested_names(self) -> dict[str, str]:
        """Return the query's metrics and dimensions, without filter values, which are private."""
        names: dict[str, list[str]] = {"metric": [], "by": [], "where": []}
        query = self._scope["query_string"].decode("ascii", "replace")
        for name, value in parse_qsl(query):
            requested = value.split(":")[0] if name == "where" else value
            catalogued = catalog.METRICS if name == "metric" else catalog.DIMENSIONS
            if name in names and requested in catalogued and requested not in names[name]:
                names[name].append(requested)
        return {name: ",".join(values) for name, values in names.items() if values}
