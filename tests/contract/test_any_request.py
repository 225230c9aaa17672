"""Random requests to the real server: answered or refused, never a server error."""

from __future__ import annotations

import asyncio
import csv
import io
import os
import socket
import uuid
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
import schemathesis
import schemathesis.pytest
from hypothesis import HealthCheck, given, settings, strategies
from macmeter import catalog
from macmeter.embedded import find_running
from macmeter.questions.question import Question
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance
from support import people
from support.contract import PROBLEM, Contract, openapi
from support.documents import disk_run, encoded
from support.live_server import ANSWER_SECONDS, LiveServer
from support.questions import questions

# `make bench ONLY=contract.faults` runs many more.
EXAMPLES = int(os.environ.get("CONTRACT_EXAMPLES", "3"))
BOUNDED = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,  # the same requests for everybody; a new fault fails no unrelated change
    suppress_health_check=list(HealthCheck),
)


OPENAPI = openapi()
CONTRACT = Contract(OPENAPI)
CHECKS = [status_code_conformance, response_schema_conformance]
anything = schemathesis.openapi.from_dict(OPENAPI).include(
    lambda context: (
        # A stream of events would not end, and one address only redirects browsers.
        (
            context.operation.method == "get"
            and context.operation.path not in ("/api/v1/events", "/api/v1/session/oidc/return")
        )
        or context.operation.label == "POST /api/v1/comparisons"
    )
)


@pytest.fixture(scope="session")
def stored(live_server: LiveServer) -> dict[str, str]:
    """A run, its machine and a comparison on the server, besides the published figures."""
    document = disk_run()
    headers = {"Authorization": f"Bearer {live_server.token()}", "Content-Type": "application/json"}
    address = f"/api/v1/runs/{document['id']}"
    live_server.ask(address, "PUT", content=encoded(document), headers=headers)
    run = live_server.ask(address).json()
    question = {"question": "metric=disk.write_average"}
    saved = live_server.ask("/api/v1/comparisons", "POST", json=question)
    return {
        "run_id": document["id"],
        "machine_id": run["machine"]["id"],
        "slug": saved.json()["slug"],
    }


@anything.parametrize()
@BOUNDED
def test_no_request_makes_the_server_fail(
    case: schemathesis.Case[Any], live_server: LiveServer, stored: dict[str, str]
) -> None:
    # Without an account there are no fleets or secrets: those are only requested by made-up names.
    there = {name: stored[name] for name in case.path_parameters or {} if name in stored}
    there = {**case.path_parameters, **there} if there else {}
    for parameters in [case.path_parameters, there] if there else [case.path_parameters]:
        case.path_parameters = parameters
        response = case.call(base_url=live_server.url, timeout=ANSWER_SECONDS)
        case.validate_response(response, checks=CHECKS)
        # 501 is not a fault: oEmbed requires it for other formats.
        assert response.status_code < 500 or response.status_code == 501
        if response.status_code >= 400:
            assert response.headers["content-type"] == [PROBLEM]


# A stream of events would not end, one address belongs to other sites, and JSON lines can't be
# generated.
everything = schemathesis.openapi.from_dict(OPENAPI).exclude(
    path=["/api/v1/events", "/api/v1/session/oidc/return", "/api/v1/runs/batch"]
)
SENT = settings(BOUNDED, max_examples=max(2, EXAMPLES // 3))


@pytest.fixture(scope="session")
def everybody(live_server: LiveServer) -> Everybody:
    running = find_running(live_server.data_dir)
    assert running is not None
    return Everybody(live_server, running.url())


class Everybody:
    """A fleet with a run, and somebody who may read it; replaced after each change."""

    def __init__(self, server: LiveServer, url: str) -> None:
        self._server, self._url = server, url
        self._known: dict[str, dict[str, str]] = {}
        self.there: dict[str, str] = {}

    def headers(self, kind: str) -> dict[str, str]:
        if not self._known:
            self._make()
        return dict(self._known[kind])

    def ask(self, case: schemathesis.Case[Any], headers: dict[str, str]) -> Any:
        response = case.call(base_url=self._server.url, headers=headers, timeout=ANSWER_SECONDS)
        if case.method != "GET" and response.status_code < 300:
            # The change may have ended the others' credentials.
            self._known = {}
        return response

    def _make(self) -> None:
        run, name = disk_run(), f"fleet {uuid.uuid4().hex[:8]}"
        fleet_id = people.make_fleet(self._url, name)
        alert_id = people.make_alert(self._url, fleet_id)
        admin = people.make_person(self._url, roles={fleet_id: "admin"})
        viewer = people.make_person(self._url, roles={fleet_id: "viewer"})
        root = people.make_person(self._url, server_admin=True)
        secret = people.make_secret(self._url, fleet_id)
        machine = str(run["machine"]["id"])
        enrolled = self._server.ask(
            "/api/v1/enroll", "POST", json={"secret": secret, "machine_id": machine}
        )
        device = {"Authorization": f"Bearer {enrolled.json()['token']}"}
        uploader = {"Authorization": f"Bearer {people.uploader_of(self._url, fleet_id)}"}
        self._known = {
            "device": device,
            "uploader": uploader,
            "viewer": asyncio.run(people.sign_in(self._url, viewer)),
            "admin": asyncio.run(people.sign_in(self._url, admin)),
            "server admin": asyncio.run(people.sign_in(self._url, root)),
            "reading token": people.token_of(self._url, admin, "read"),
            "managing token": people.token_of(self._url, root, "manage"),
        }
        address = f"/api/v1/runs/{run['id']}"
        typed = device | {"Content-Type": "application/json"}
        self._server.ask(address, "PUT", content=encoded(run), headers=typed).raise_for_status()
        self.there = {
            "run_id": str(run["id"]),
            "machine_id": machine,
            "fleet": name,
            "alert_id": str(alert_id),
            "person_id": str(viewer),
        }


KINDS = ("device", "uploader", "viewer", "admin", "server admin", "reading token", "managing token")


@everything.given(kind=strategies.sampled_from(KINDS), is_there=strategies.booleans())
@everything.parametrize()
@SENT
def test_nobody_lets_the_server_fail(
    case: schemathesis.Case[Any], kind: str, is_there: bool, everybody: Everybody
) -> None:
    """No request fails with any credential, including changes and existing objects."""
    headers = everybody.headers(kind)
    if is_there:
        known = {
            name: everybody.there[name] for name in case.path_parameters if name in everybody.there
        }
        case.path_parameters = {**case.path_parameters, **known}
    response = everybody.ask(case, headers)
    case.validate_response(response, checks=CHECKS)
    # 501 as above; 503 means that a mail server or an issuer is unavailable.
    assert response.status_code < 500 or response.status_code in (501, 503), response.text
    if response.status_code >= 400:
        assert response.headers["content-type"] == [PROBLEM]


@pytest.fixture(scope="session")
def client(live_server: LiveServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=live_server.url, timeout=ANSWER_SECONDS) as client:
        yield client


@BOUNDED
@given(question=questions())
def test_any_question_is_answered_as_the_contract_says(
    question: Question, client: httpx.Client, stored: dict[str, str]
) -> None:
    query = question.canonical
    answer = client.get(f"/api/v1/answer?{query}")
    assert answer.status_code == 200, answer.text
    CONTRACT.check(answer)
    assert answer.json()["question"]["canonical"] == query
    lines = client.get(f"/api/v1/answer.csv?{query}")
    assert lines.status_code == 200, lines.text
    groups = [group for result in answer.json()["results"] for group in result["groups"]]
    rows = list(csv.DictReader(io.StringIO(lines.text, newline="")))
    assert [float(row["median"]) for row in rows if row["kind"] == "result"] == [
        group["median"] for group in groups
    ]
    saved = client.post("/api/v1/comparisons", json={"question": query})
    CONTRACT.check(saved)
    if saved.status_code == 201:
        opened = client.get(f"/api/v1/comparisons/{saved.json()['slug']}").json()
        assert opened["changed"] is False
        assert (opened["answer"], opened["question"]["canonical"]) == (
            saved.json()["answer"],
            query,
        )
    else:
        assert (saved.json()["code"], groups) == ("empty_answer", [])


@BOUNDED
@given(question=questions())
def test_the_filters_of_any_question_are_taken_by_facets_and_lists(
    question: Question, client: httpx.Client, stored: dict[str, str]
) -> None:
    metrics = [("metric", metric) for metric in question.metrics]
    where = [("where", str(term)) for term in question.where]
    query = urlencode([*metrics, *where, ("flagged", "include")])
    facets = client.get(f"/api/v1/facets?{query}")
    assert facets.status_code == 200, facets.text
    CONTRACT.check(facets)
    of_runs = [
        ("where", str(term))
        for term in question.where
        if getattr(catalog.dimension(term.dimension), "of", None) == "run"
    ]
    runs = client.get(f"/api/v1/runs?{urlencode(of_runs)}")
    assert runs.status_code == 200, runs.text
    CONTRACT.check(runs)
    assert runs.json()["total"] >= facets.json()["total"]


# Raw bytes that a client library would not send: a request line, or all of a request.
ODD_REQUESTS = [
    b"GET /%00",
    b"GET /c/%00",
    b"GET /api/v1/comparisons/%00",
    b"GET /assets/../../../../etc/passwd",
    b"GET /../../../../../../../etc/passwd",
    b"GET //etc/passwd",
    b"GET /%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    b"GET /%zz%f",
    b"GET /\xff\xfe",
    b"GET /" + b"x" * 60_000,
    b"GET /api/v1/answer?metric=%zz&\xff",
    b"GET /api/v1/runs?where=device:%ff&cursor=%00",
    b"GET http://elsewhere/api/v1/runs",
    b"OPTIONS *",
    b"BREW /api/v1/runs",
    b"GET /api/v1/runs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \xff\xfe\r\n",
    b"GET /api/v1/runs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer\r\n",
    b'GET /api/v1/runs HTTP/1.1\r\nHost: "><script>\r\n',
    b"GET /c/2345678923 HTTP/1.1\r\nHost: [::1\r\n",
    b"GET /c/2345678923 HTTP/1.0\r\n",
    b"PUT /api/v1/runs/x HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n",
    b"POST /api/v1/runs/batch HTTP/1.1\r\nHost: x\r\nContent-Length: \xb2\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"\x00" * 64,
]


def test_odd_bytes_are_refused_and_the_server_goes_on(
    live_server: LiveServer, client: httpx.Client
) -> None:
    answered = 0
    for odd in ODD_REQUESTS:
        whole = odd if b"\r\n" in odd else odd + b" HTTP/1.1\r\nHost: x\r\n"
        with socket.create_connection(
            ("127.0.0.1", live_server.port), timeout=ANSWER_SECONDS
        ) as connection:
            connection.sendall(whole + b"Connection: close\r\n\r\n")
            answer = b"".join(iter(partial(connection.recv, 65536), b""))
        # Closed without a response: the server's HTTP layer could not read the request.
        if answer:
            answered += 1
            fault = answer.split(b" ", 2)[1][:1] == b"5" and b"no_dashboard" not in answer
            assert not fault, (odd[:80], answer[:300])
            assert b"root:" not in answer, odd[:80]
    assert answered > len(ODD_REQUESTS) / 2
    assert client.get("/readyz").status_code == 200
