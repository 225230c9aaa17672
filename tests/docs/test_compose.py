"""docker-compose.yml: what each container may do, and what the proxy passes on."""

from __future__ import annotations

from typing import Any

import pytest
from macmeter.platform.settings import CHECKOUT
from macmeter.server.worker import BACKLOG, HEADER_SECONDS
from ruamel.yaml import YAML

COMPOSE: dict[str, Any] = YAML(typ="safe").load((CHECKOUT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
CADDYFILE = [line.strip() for line in COMPOSE["configs"]["caddyfile"]["content"].splitlines()]


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_a_container_has_limits_and_no_rights_to_spare(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert service["mem_limit"]
    assert service["pids_limit"] > 0


def test_only_the_proxy_is_reachable() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["caddy"]


def test_the_proxy_keeps_what_operators_read() -> None:
    assert {"@operators path /metrics", "respond @operators 404"} <= {*CADDYFILE}


def test_the_proxy_lets_connections_go_before_the_server_does() -> None:
    (idle,) = [line.split()[1] for line in CADDYFILE if line.startswith("keepalive ")]
    assert int(idle.removesuffix("s")) < HEADER_SECONDS
    assert SERVICES["server"]["ulimits"]["nofile"] > BACKLOG
