"""A receiver of OpenTelemetry traces: OTLP over HTTP, as collectors accept them."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

# A request's attributes, with its span's name and the ids of its trace and parent.
Span = dict[str, Any]


class Receiver:
    """Receiver that keeps the spans sent to it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.spans: list[Span] = []

    def take(self, content: bytes) -> None:
        for resource in ExportTraceServiceRequest.FromString(content).resource_spans:
            service = _values(resource.resource.attributes)["service.name"]
            for scope in resource.scope_spans:
                self.spans += [
                    {
                        "service": service,
                        "name": span.name,
                        "trace": span.trace_id.hex(),
                        "parent": span.parent_span_id.hex(),
                        "seconds": (span.end_time_unix_nano - span.start_time_unix_nano) / 1e9,
                        **_values(span.attributes),
                    }
                    for span in scope.spans
                ]


def _values(attributes: Any) -> dict[str, Any]:
    return {
        attribute.key: getattr(attribute.value, attribute.value.WhichOneof("value"))
        for attribute in attributes
        if attribute.value.WhichOneof("value")
    }


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            packed = self.headers.get("Content-Encoding") == "gzip"
            receiver.take(gzip.decompress(body) if packed else body)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Log nothing, to keep the tests' output readable."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        receiver = Receiver(f"http://127.0.0.1:{http.server_port}")
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield receiver
        http.shutdown()
