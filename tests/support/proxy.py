"""Proxies: one that distributes connections over several servers, and one that reports each
request.
"""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import httpx

from support.live_server import NO_TLS


class RoundRobin:
    """Trusted proxy that distributes connections in turn and adds `X-Forwarded-For`."""

    def __init__(self, ports: list[int]) -> None:
        self._ports = itertools.cycle(ports)
        self._turn = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def serve(self) -> None:
        """Accept connections until closed."""
        with contextlib.suppress(OSError):
            while True:
                client, (address, _) = self._listening.accept()
                threading.Thread(target=self._pass, args=(client, address), daemon=True).start()

    def close(self) -> None:
        # Wakes the thread that accepts.
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _pass(self, client: socket.socket, address: str) -> None:
        with self._turn:
            port = next(self._ports)
        server = socket.create_connection(("127.0.0.1", port))
        with contextlib.suppress(OSError), client, server as to:
            head, body = _head(client)
            # One request per connection, so that the next one goes to the next server.
            lines = [f"X-Forwarded-For: {address}", "Connection: close"]
            to.sendall(b"\r\n".join([head, *(line.encode() for line in lines), b"", body]))
            threading.Thread(target=_relay, args=(client, to), daemon=True).start()
            _relay(to, client)


def _head(client: socket.socket) -> tuple[bytes, bytes]:
    """Read the request's head without the lines that the proxy sets, and what follows it."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += client.recv(65_536) or _gone()
    head, _, body = received.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
    return b"\r\n".join(lines), body


def _gone() -> bytes:
    raise ConnectionError


def _relay(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := source.recv(65_536):
            target.sendall(chunk)
        target.shutdown(socket.SHUT_WR)


@contextmanager
def proxied(ports: list[int]) -> Iterator[RoundRobin]:
    proxy = RoundRobin(ports)
    threading.Thread(target=proxy.serve, daemon=True).start()
    yield proxy
    proxy.close()


class Steps:
    """Proxy that passes requests on to one server in turn, and reports each before and after.

    `reached` gets the moment and the request, as "before" and "PUT"; if it returns True, the
    request is dropped.
    """

    def __init__(self, server: str) -> None:
        self.server = server
        self.reached: Callable[[str, str], bool] = lambda moment, request: False
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Step, self))
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()


class _Step(BaseHTTPRequestHandler):
    def __init__(self, steps: Steps, *arguments: Any) -> None:
        self._steps = steps
        super().__init__(*arguments)

    def _pass(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        request = f"{self.command} {self.path}"
        if self._steps.reached("before", request):
            return
        answer = httpx.request(
            self.command,
            self._steps.server + self.path,
            headers=dict(self.headers),
            content=content,
            timeout=300,
            verify=NO_TLS,
        )
        if self._steps.reached("after", request):
            return
        self.send_response(answer.status_code)
        self.send_header("Content-Type", answer.headers.get("content-type", "text/plain"))
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    do_GET = do_POST = do_PUT = do_DELETE = _pass  # noqa: N815 - names of http.server

    def log_message(self, *_: object) -> None:
        """Log nothing."""
