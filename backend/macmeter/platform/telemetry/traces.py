"""OpenTelemetry traces: one span per request, exported as the standard OTEL_* variables say.

OpenTelemetry is an extra, `macmeter[otel]`, and imported only if a receiver is configured.
"""

import importlib.util
import os
import time
from collections.abc import Mapping
from typing import Any

from macmeter.platform.errors import ServeError

_RECEIVERS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
# Header of the caller's trace.
_PARENT_HEADER = b"traceparent"


def receiver_variable() -> str | None:
    """Return the variable that names a receiver, unless other variables turn traces off."""
    off = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if off or os.environ.get("OTEL_TRACES_EXPORTER") == "none":
        return None
    return next((name for name in _RECEIVERS if os.environ.get(name)), None)


def require() -> None:
    """Raise ServeError if traces are configured but OpenTelemetry isn't installed."""
    name = receiver_variable()
    if name and importlib.util.find_spec("opentelemetry.exporter") is None:
        raise ServeError(
            f"{name} is set, but OpenTelemetry is not installed: "
            ".venv/bin/uv pip install --require-hashes -r backend/requirements-otel.txt, "
            "or unset it"
        )


_tracer: Any = None
_provider: Any = None


def begin() -> None:
    """Start exporting traces in this worker, if configured."""
    global _provider, _tracer
    if not receiver_variable():
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    attributes = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": "macmeter"}
    _provider = TracerProvider(resource=Resource.create(attributes))
    _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _tracer = _provider.get_tracer("macmeter")


def end() -> None:
    """Export spans that are still pending."""
    if _provider is not None:
        _provider.shutdown()


def are_sent() -> bool:
    """Whether this process exports traces."""
    return _tracer is not None


def record(
    kind: str, seconds: float, headers: list[tuple[bytes, bytes]], fields: Mapping[str, Any]
) -> None:
    """Record a span that ends now, within the trace of `headers`, with `fields` as attributes."""
    from opentelemetry.propagate import extract
    from opentelemetry.trace import SpanKind

    parent_headers = {
        name.decode("latin-1"): value.decode("latin-1")
        for name, value in headers
        if name == _PARENT_HEADER
    }
    now = time.time_ns()
    span = _tracer.start_span(
        kind,
        context=extract(parent_headers),
        kind=SpanKind.SERVER,
        attributes=dict(fields),
        start_time=now - round(seconds * 1e9),
    )
    span.end(now)
