"""Pictures, files and embeds with private figures say so, and name the fleet."""

from __future__ import annotations

import csv
import io

import pytest
from macmeter.models import Fleet
from sqlalchemy import update
from support import people
from support.documents import disk_run
from support.server import Server

MARK = "Private: fleet acme"
NAMED = "metric=disk.write_average&by=storage&where=fleet:acme"
SIDES = "metric=disk.write_average&side=1:fleet:acme&side=2:chip:Apple%20M4"
OTHERS = "metric=disk.write_average&by=storage"
FILES = ("answer.csv", "answer.atom", "compare.csv", "compare.atom", "chart.svg")


def asked(path: str, question: str) -> str:
    return f"/api/v1/{path}?{SIDES if path.startswith('compare') else question}"


async def told(server: Server, path: str, headers: dict[str, str]) -> str:
    response = await server.client.get(path, headers=headers)
    assert response.status_code == 200, response.text
    return response.text.replace("\u00a0", " ")


def column(text: str, name: str) -> list[str]:
    return [row[name] for row in csv.DictReader(io.StringIO(text))]


async def test_whatever_is_drawn_from_a_private_fleet_says_so(server: Server) -> None:
    url = server.database_url
    fleet_id = people.make_fleet(url, "acme")
    uploader = {"Authorization": f"Bearer {people.uploader_of(url, fleet_id)}"}
    for number in range(6):
        run = disk_run(write=5e9 + number)
        assert (await server.put(run, uploader["Authorization"][7:])).status_code == 201
    await server.stored(disk_run(chip="Apple M4"))
    ada = people.make_person(url, "Ada", roles={fleet_id: "admin"})
    admin = await people.sign_in(url, ada)
    reads = people.token_of(url, ada, "read")

    for headers in (admin, reads, uploader):
        for path in FILES:
            text = await told(server, asked(path, NAMED), headers)
            assert MARK in text, (path, headers)
            if path.endswith(".csv"):
                assert set(column(text, "private")) == {MARK}
        png = await server.client.get(asked("chart.png", NAMED), headers=headers)
        assert png.headers["cache-control"] == "private, no-store"
    # Without a fleet in the question, an uploader still reads its own.
    assert MARK in await told(server, asked("answer.csv", OTHERS), uploader)
    for headers in (admin, {}):
        assert "Private" not in await told(server, asked("chart.svg", OTHERS), headers)
        assert "private" not in await told(server, asked("answer.csv", OTHERS), headers)

    asks = {"question": NAMED, "shares_fleet": True, "title": "Ours"}
    saved = await server.client.post("/api/v1/comparisons", json=asks, headers=admin)
    assert saved.status_code == 201, saved.text
    slug = saved.json()["slug"]
    links = [f"/api/v1/comparisons/{slug}/{name}" for name in ("answer.csv", "chart.svg")]
    links.append(f"/embed/c/{slug}")
    for path in links:
        assert MARK in await told(server, path, {}), path
    # Nothing is private once everybody can read the fleet.
    with people.writing(url) as connection:
        connection.execute(update(Fleet).values(visibility="public"))
    for path in [*links, *(asked(name, NAMED) for name in FILES)]:
        assert "Private" not in await told(server, path, admin), path


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_a_preview_says_so_too(server: Server, theme: str) -> None:
    """Narrow pictures leave out much, but never this."""
    url = server.database_url
    fleet_id = people.make_fleet(url, "acme")
    assert (await server.put(disk_run(), people.uploader_of(url, fleet_id))).status_code == 201
    admin = await people.sign_in(url, people.make_person(url, "Ada", roles={fleet_id: "admin"}))
    narrow = await told(server, asked("chart.svg", f"{NAMED}&theme={theme}&width=400"), admin)
    assert MARK in narrow
