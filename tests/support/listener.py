"""HTTP server of a test: it records what is posted, and answers as the test asks."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Listener:
    url: str = ""
    statuses: list[int] = field(default_factory=list)
    """Statuses of the next responses, then 204. 0: no response until the test is over."""
    location: str = ""
    taken: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


@contextmanager
def listening() -> Iterator[Listener]:
    listener = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            listener.taken.append((headers, body))
            status = listener.statuses.pop(0) if listener.statuses else 204
            if not status:
                listener.over.wait()
                return
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", listener.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_request(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listener.url = f"http://127.0.0.1:{server.server_address[1]}/hook?room=1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield listener
    finally:
        listener.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
