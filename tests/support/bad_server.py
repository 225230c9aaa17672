"""A real HTTP server that misbehaves on request, on a free port."""

from __future__ import annotations

import gzip
import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

TOKEN = {
    "scope": "device",
    "visibility": "public",
    "fleet": None,
    "machine_id": None,
    "licence": {"name": "CC0-1.0", "text": "Anybody may use public results."},
}
Behaviour = Callable[["Exchange"], None]


class Exchange(BaseHTTPRequestHandler):
    """One request, answered by one of the behaviours, or not."""

    protocol_version = "HTTP/1.1"
    bad: BadServer

    def do_GET(self) -> None:
        if self.path == "/readyz":
            self.answer(200, {"status": "ready"})
        else:
            self.answer(200, TOKEN)

    def do_POST(self) -> None:
        request = json.loads(self.body())
        if self.bad.secret is None:
            self.answer(404, problem("not_found", "Nothing is here."))
        elif request["secret"] != self.bad.secret:
            self.answer(403, problem("forbidden", "No fleet has this secret."))
        else:
            self.bad.enrolled.append(request["machine_id"])
            self.answer(201, {"token": f"token-of-{request['machine_id']}"})

    def do_PUT(self) -> None:
        self.bad.received.append(self.body())
        self.bad.next_behaviour()(self)

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def answer(self, status: int, content: object, **headers: str) -> None:
        """Send a complete JSON response; `content` may be bytes that are not JSON."""
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


class BadServer:
    """A server that answers uploads with each behaviour in turn, then with the last one."""

    def __init__(
        self, *behaviours: Behaviour, tls: Path | None = None, secret: str | None = None
    ) -> None:
        """Start listening. `tls`: a file with a certificate and its key; `secret`: its only
        fleet's.
        """
        self.behaviours = list(behaviours)
        self.secret = secret
        self.enrolled: list[str] = []
        self.received: list[bytes] = []
        self.ended = threading.Event()
        handler = type("Handler", (Exchange,), {"bad": self})
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.http.daemon_threads = True
        self.scheme = "http"
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls)
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True)
            self.scheme = "https"

    def __enter__(self) -> Self:
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.http.shutdown()
        self.http.server_close()

    @property
    def url(self) -> str:
        return f"{self.scheme}://localhost:{self.http.server_port}"

    def next_behaviour(self) -> Behaviour:
        return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]


def problem(code: str, detail: str) -> dict[str, str]:
    return {"type": f"/problems/{code}", "code": code, "detail": detail}


def store(exchange: Exchange) -> None:
    """Store the run as a good server does."""
    document = json.loads(gzip.decompress(exchange.bad.received[-1]))
    exchange.answer(201, {"id": document["id"], "created": True})


def refuse(status: int, code: str, **headers: str) -> Behaviour:
    """Return an error in the server's own format."""
    return lambda exchange: exchange.answer(status, problem(code, "In words."), **headers)


def page(status: int, **headers: str) -> Behaviour:
    """Return somebody else's page, as hotels and proxies do."""
    return lambda exchange: exchange.answer(status, b"<html>Please sign in\n</html>", **headers)


def cut_short(exchange: Exchange) -> None:
    """Send half an answer, then reset the connection."""
    exchange.wfile.write(b'HTTP/1.1 201 Created\r\nContent-Length: 500\r\n\r\n{"id":"')
    exchange.wfile.flush()
    hang_up(exchange)


def hang_up(exchange: Exchange) -> None:
    """Reset the connection without an answer."""
    linger = struct.pack("ii", 1, 0)
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    exchange.connection.close()
    exchange.close_connection = True


def garbage(exchange: Exchange) -> None:
    """Send something that is not HTTP."""
    exchange.wfile.write(b"\x00\xffSSH-2.0-nobody\r\n\r\n")
    exchange.close_connection = True


def flood(exchange: Exchange) -> None:
    """Send an answer that no agent should keep in memory."""
    exchange.wfile.write(b"HTTP/1.1 201 Created\r\nContent-Length: 200000000\r\n\r\n")
    with suppress(OSError):
        for _ in range(200):
            exchange.wfile.write(b" " * 1_000_000)


def damaged(exchange: Exchange) -> None:
    """Send broken JSON: a line feed within a string, and no end."""
    exchange.answer(201, b'{"id": "01\n93", "detail": ')


def silent(exchange: Exchange) -> None:
    """Accept the request and never answer."""
    exchange.bad.ended.wait(60)
    exchange.close_connection = True


def dripping(exchange: Exchange) -> None:
    """Send one byte after another and never finish."""
    exchange.wfile.write(b"HTTP/1.1 201 Created\r\nContent-Length: 9999\r\n\r\n")
    while not exchange.bad.ended.wait(0.2):
        exchange.wfile.write(b" ")
        exchange.wfile.flush()
