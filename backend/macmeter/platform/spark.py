"""Statements on a Spark cluster over Spark Connect, if SPARK_REMOTE names one.

The client is an extra, `macmeter[spark]`, and imported only then.
"""

from __future__ import annotations

import importlib.util
import logging
import queue
import socket
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from macmeter.platform.errors import Problem, ServeError

log = logging.getLogger("macmeter")

_DEFAULT_PORT = 15002
_CONNECT_SECONDS = 3.0
# The client's own would go on for ten minutes. A restart of the cluster takes longer than these.
_MOST_RETRIES = 3


class Cluster(NamedTuple):
    """A cluster, and what is computed there."""

    address: str
    """`sc://HOST:PORT`, which may contain a token."""
    results: int
    """Questions about more results than this go there."""
    seconds: float
    """Time for one question."""


class View(NamedTuple):
    """A relation that a statement reads; `make` creates its DataFrame in a session."""

    identity: Hashable
    """Equal for relations with the same rows, which a session then keeps."""
    make: Callable[[Any], Any]


class ClusterError(Problem):
    """503: the cluster can't be reached, is too slow or failed."""

    def __init__(self, what: str) -> None:
        detail = (
            f"This covers so many results that a Spark cluster has to count them, and {what}. "
            "Add a filter, or try again in a minute."
        )
        headers = {"Retry-After": "60"}
        super().__init__(503, "cluster_unavailable", "Cluster unavailable", detail, headers=headers)


def require(address: str | None) -> None:
    """Raise ServeError if there is a cluster but not what talks to it."""
    if address and not all(map(importlib.util.find_spec, ("pyspark", "sqlglot"))):
        raise ServeError(
            "SPARK_REMOTE is set, but Spark's client is not installed: "
            ".venv/bin/uv pip install --require-hashes -r backend/requirements-spark.txt, "
            "or unset it"
        )


def ask(cluster: Cluster, statement: str, views: Mapping[str, View], until: float) -> Any:
    """Return the statement's rows as an Arrow table, by `until` of the monotonic clock.

    ClusterError if the cluster can't; what it still does for the statement is then interrupted.
    """
    _require_listening(cluster.address)
    outcome: queue.SimpleQueue[Any] = queue.SimpleQueue()
    given_up = threading.Event()

    def work() -> None:
        try:
            outcome.put(_ask(cluster.address, statement, views, given_up))
        except Exception as error:  # of gRPC, of the client or of the cluster
            outcome.put(error)

    # A thread, because the client itself may wait for minutes.
    threading.Thread(target=work, name="spark", daemon=True).start()
    try:
        result = outcome.get(timeout=max(until - time.monotonic(), 0))
    except queue.Empty:
        given_up.set()
        _abandon()
        raise ClusterError(f"it took more than {cluster.seconds:g} seconds") from None
    if isinstance(result, Exception):
        _abandon()
        log.warning("Spark failed: %s", str(result).partition("\n")[0])
        raise ClusterError("it failed") from result
    return result


def _require_listening(address: str) -> None:
    parsed = urlsplit(address)
    endpoint = (parsed.hostname, parsed.port or _DEFAULT_PORT)
    try:
        socket.create_connection(endpoint, timeout=_CONNECT_SECONDS).close()
    except OSError as error:
        _abandon()
        log.warning("Spark at %s:%d can't be reached: %s", *endpoint, error)
        raise ClusterError("it can't be reached") from error


class _Session:
    """This process's session, and the views that it has."""

    def __init__(self, address: str) -> None:
        from pyspark.sql import SparkSession
        from pyspark.sql.connect.client.retries import DefaultPolicy

        self.spark = SparkSession.builder.remote(address).create()
        self.spark.client.set_retry_policies([DefaultPolicy(max_retries=_MOST_RETRIES)])
        self.spark.conf.set("spark.sql.session.timeZone", "UTC")
        # `${…}` in a label is a text.
        self.spark.conf.set("spark.sql.variable.substitute", "false")
        self._views: dict[str, Hashable] = {}

    def ask(self, statement: str, views: Mapping[str, View], given_up: threading.Event) -> Any:
        for name, view in views.items():
            if name not in self._views or self._views[name] != view.identity:
                view.make(self.spark).createOrReplaceTempView(name)
                self._views[name] = view.identity
        if given_up.is_set():
            raise TimeoutError
        return self.spark.sql(statement).toArrow()

    def end(self) -> None:
        self.spark.interruptAll()
        self.spark.stop()


_session: _Session | None = None


def _ask(address: str, statement: str, views: Mapping[str, View], given_up: threading.Event) -> Any:
    global _session
    former = _session
    try:
        _session = _session or _Session(address)
        return _session.ask(statement, views, given_up)
    except Exception:
        if former is None or given_up.is_set():
            raise
    # A session ends with the server that it began with.
    _session = _Session(address)
    return _session.ask(statement, views, given_up)


def _abandon() -> None:
    """End the session with what it does; the next question begins another."""
    global _session
    if _session is not None:
        threading.Thread(target=_end, args=[_session], daemon=True).start()
        _session = None


def _end(session: _Session) -> None:
    try:
        session.end()
    except Exception as error:  # it may be gone
        log.info("Spark's session didn't end: %s", str(error).partition("\n")[0])
