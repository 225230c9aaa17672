"""The demo: the same fleet every time, in the agent's format, loaded once, never mixed."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from demo import laws
from demo.dice import Noise
from demo.documents import document
from demo.fleet import Planned, fleet
from demo.loading import load
from demo.truth import truth
from macmeter.accounts import tokens
from macmeter.documents.derive import derive
from macmeter.documents.parse import parse
from macmeter.embedded import find_running
from macmeter.platform import demo as mark
from macmeter.platform.database import normalise
from macmeter.platform.demo import Scale, monday
from macmeter.platform.errors import ServeError
from macmeter.platform.settings import CHECKOUT
from sqlalchemy import create_engine, text
from support import people
from support.documents import disk_run, encoded
from support.live_server import ForkedServer, LiveServer
from support.seeds import seeded
from support.server import Server, serving

BASE = datetime(2026, 11, 16, tzinfo=UTC)
# Whatever alerts look back at has to be recent.
TODAY = monday(datetime.now(UTC))
SMALL = Scale(machines=24, every=10)
SIDES = "side=1:storage:internal&side=2:storage:usb4"
INDEX = (
    '<html lang="en"><head><title>Macmeter</title><meta name="description" content="x"></head>'
    "<body></body></html>"
)
GOLDEN = CHECKOUT / "tests/documents/macs"


def test_the_same_seed_makes_the_same_runs() -> None:
    one, other = fleet(SMALL, BASE), fleet(SMALL, BASE)
    assert [document(run) for run in one.runs] == [document(run) for run in other.runs]
    assert len({run.id for run in one.runs}) == len(one.runs)


def test_a_whole_demo_has_what_an_organisation_has() -> None:
    whole = fleet(Scale(), BASE)
    assert len(whole.macs) == 300
    assert 11_000 < len(whole.runs) < 14_000
    assert {mac.chip.family for mac in whole.macs} == {"M1", "M2", "M3", "M4", "M5"}
    assert {run.fault for run in whole.runs} == {None, "cached", "cut", "beyond_link", "mistaken"}
    assert all(run.at < BASE for run in whole.runs)
    assert (BASE - whole.runs[0].at).days > 7 * 19
    assert truth(whole)["regression_machines"]


def test_weeks_lead_up_to_the_last_monday() -> None:
    assert monday(datetime(2026, 11, 22, 23, 59, tzinfo=UTC)) == BASE
    assert monday(BASE) == BASE


def test_documents_are_what_the_server_takes_and_doubts_are_those_planted() -> None:
    whole = fleet(SMALL, BASE)
    told = truth(whole)["doubted"]
    suites = set()
    for run in whole.runs:
        derived = derive(*parse(orjson.dumps(document(run)), now=BASE))
        suites.add(derived.columns["suite"])
        doubted = {flag for result in derived.results for flag in result.flags or []}
        doubted |= set(derived.columns["flags"])
        planted = doubted & {"reads_may_be_cached", "incomplete", "faster_than_link"}
        assert planted == ({told[run.id]} if run.id in told else set()), run
    assert suites == {"disk", "hash", "compression", "cores", "power", "workload", "score"}


@pytest.mark.parametrize(
    ("golden", "is_alike"),
    [
        ("mac-mini-m4-pro", lambda run: run.mac.chip.name == "Apple M4 Pro" and not run.mac.host),
        ("virtual-machine-macos-26", lambda run: run.mac.host is not None),
        ("mac-studio-m1-max-encrypted-image", lambda run: run.detail.get("image")),
    ],
)
def test_keys_are_those_that_the_agent_writes(golden: str, is_alike: Any) -> None:
    expected = json.loads((GOLDEN / golden / "document.json").read_text())
    run = next(r for r in fleet(SMALL, BASE).runs if r.kind == "graded" and is_alike(r))
    written = document(run)
    for part in ("machine", "target"):
        assert written[part].keys() == expected[part].keys()
    assert expected["method"]["parameters"].keys() <= written["method"]["parameters"].keys()
    for name, value in expected["environment"].items():
        assert name in written["environment"]
        if isinstance(value, dict):
            assert value.keys() <= written["environment"][name].keys()


def test_without_noise_a_document_says_what_the_laws_say() -> None:
    run = next(
        r
        for r in fleet(SMALL, BASE).runs
        if r.kind == "graded" and r.mac.host is None and not r.detail and not r.fault
    )
    write, read = laws.internal(run.mac.chip, run.mac.encryption, run.mac.os_version(run.week))
    series = {one["metric"]: one for one in document(run, Noise.NONE)["series"]}
    assert series["disk.write_average"]["values"] == pytest.approx([write] * 3, rel=1e-6)
    assert series["disk.read_average"]["values"] == pytest.approx([read] * 3, rel=1e-6)


def test_a_quick_run_agrees_with_a_full_one_in_every_file_they_share() -> None:
    runs = [run for run in fleet(SMALL, BASE).runs if not run.detail and not run.fault]
    quick = next(run for run in runs if run.kind == "quick")
    full = next(run for run in runs if (run.kind, run.mac) == ("graded", quick.mac))
    # In the same week, so on the same macOS.
    of_quick, of_full = by_series(replace(quick, week=full.week)), by_series(full)
    speeds = of_quick.keys() & of_full.keys()
    assert {name for name, _, _ in speeds} == {"disk.write_speed", "disk.read_speed"}
    assert len(speeds) == 2 * 11
    for series in speeds:
        assert of_quick[series] == pytest.approx(of_full[series], rel=1e-6)
    # Averages are over other files.
    assert all(name.startswith("disk.quick_") for name, _, _ in of_quick.keys() - speeds)


def by_series(run: Planned) -> dict[tuple[str, Any, str], float]:
    """Median of each series as it counts: metric, file size and method."""
    derived = derive(*parse(orjson.dumps(document(run, Noise.NONE)), now=BASE))
    method: str = derived.columns["method"]
    return {
        (one.metric, one.parameters.get("file_size"), method): one.median for one in derived.results
    }


@pytest.fixture(scope="module")
def live_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose DATA_DIR holds a small demo, without a setting that says so."""
    directory = tmp_path_factory.mktemp("demo")
    with ForkedServer(seeded(directory)) as server:
        url = running(server)
        load(url, server.url, mark.claim(url, SMALL, TODAY), directory)
        yield server


def running(server: LiveServer) -> str:
    found = find_running(server.data_dir)
    assert found is not None
    return found.url()


def asked(server: LiveServer, query: str) -> Any:
    engine = create_engine(normalise(running(server)))
    try:
        with engine.begin() as connection:
            return connection.scalar(text(query))
    finally:
        engine.dispose()


STORED = "SELECT count(*) FROM runs WHERE source <> 'published'"
TOKENS = "SELECT count(*) FROM tokens"


def test_it_is_loaded_whole_and_what_was_a_mistake_is_withdrawn(live_demo: LiveServer) -> None:
    told = json.loads((live_demo.data_dir / "truth.json").read_text())
    assert asked(live_demo, STORED) == told["runs"] + told["studio"]["runs"]
    withdrawn = "SELECT array_agg(run_id::text) FROM runs WHERE withdrawn_at IS NOT NULL"
    assert set(asked(live_demo, withdrawn) or []) == set(told["withdrawn"])
    hidden = "SELECT count(*) FROM runs JOIN fleets USING (fleet_id) WHERE fleets.visibility"
    private = asked(live_demo, f"{hidden} <> 'public' AND runs.visibility <> 'public'")
    assert private == told["studio"]["runs"], "only the fleet that is private on purpose"
    assert asked(live_demo, "SELECT count(*) FROM runs WHERE 'simulated' = ANY(flags)") == 0
    # Its token is revoked.
    assert asked(live_demo, f"{TOKENS} WHERE revoked_at IS NULL") == 0


async def test_its_private_fleet_has_something_of_each_kind_for_an_admin(
    live_demo: LiveServer,
) -> None:
    """Found by the server's own rounds: nothing of it is stored by the demo."""
    told = json.loads((live_demo.data_dir / "truth.json").read_text())["studio"]
    url = running(live_demo)
    admin = await people.sign_in(url, people.make_person(url, server_admin=True))
    async with httpx.AsyncClient(base_url=live_demo.url, headers=admin) as client:

        async def get(path: str) -> Any:
            return (await client.get(path)).json()

        async with asyncio.timeout(60):
            while True:
                page = await get("/api/v1/fleets/Studio/dashboard")
                if page["as_of"] and page["outliers"] and page["alerts"]["open"] == 2:
                    break
                await asyncio.sleep(1)
        alerts = await get("/api/v1/alerts?fleet=Studio")
    found = {one["kind"]: one for one in alerts["items"]}
    assert found.keys() == {"regression", "silent"}
    assert found["regression"]["title"].endswith("slower after macOS 26.4")
    slowed = set(found["regression"]["detail"]["machine_ids"])
    assert slowed <= set(told["slowed_by_update"])
    assert len(slowed) >= 0.8 * len(told["slowed_by_update"])
    assert found["silent"]["detail"]["machine_ids"] == [told["silent"]]
    assert page["health"]["old_agent"] == len(told["outdated"])
    assert [one["code"] for one in page["health"]["refusals"]] == ["clock_ahead"]
    assert {one["machine_id"] for one in page["outliers"]} == {told["slow"]}
    assert {cause for one in page["outliers"] for cause in one["causes"]} == {"low_power_mode"}
    assert [one["value"] for one in page["labels"][0]["values"]] == told["offices"]


def test_an_interrupted_load_goes_on_and_a_whole_one_sends_nothing(live_demo: LiveServer) -> None:
    url = running(live_demo)
    marked = mark.claim(url, SMALL, TODAY)
    whole, tokens_before = asked(live_demo, STORED), asked(live_demo, TOKENS)
    load(url, live_demo.url, marked, live_demo.data_dir)
    assert asked(live_demo, TOKENS) == tokens_before, "nothing to send needs no token"
    some = "SELECT run_id FROM runs WHERE source <> 'published' ORDER BY run_id LIMIT 40"
    removed = f"WITH gone AS (DELETE FROM runs WHERE run_id IN ({some}) RETURNING run_id)"  # noqa: S608
    removed += "DELETE FROM run_ids WHERE run_id IN (SELECT run_id FROM gone) RETURNING 1"
    assert asked(live_demo, removed)
    assert asked(live_demo, STORED) == whole - 40
    load(url, live_demo.url, marked, live_demo.data_dir)
    assert asked(live_demo, STORED) == whole


async def test_a_database_with_runs_never_becomes_a_demo(server: Server, database_url: str) -> None:
    await server.stored(disk_run())
    with pytest.raises(ServeError, match="of its own"):
        mark.claim(database_url, SMALL, BASE)
    assert not mark.is_demo(database_url)


def test_a_database_with_a_token_never_becomes_a_demo(database_url: str) -> None:
    engine = create_engine(normalise(database_url))
    with engine.begin() as connection:
        tokens.issue(connection)
    engine.dispose()
    with pytest.raises(ServeError, match="of its own"):
        mark.claim(database_url, SMALL, BASE)


def test_a_demo_stays_the_one_it_was_made_for(database_url: str) -> None:
    made = mark.claim(database_url, SMALL, BASE)
    later = datetime(2026, 12, 7, tzinfo=UTC)
    assert mark.claim(database_url, SMALL, later) == made
    assert mark.claim(database_url, None, later) == made
    with pytest.raises(ServeError, match="MACS=24"):
        mark.claim(database_url, Scale(machines=300), later)


async def test_everything_that_leaves_a_demo_says_so(database_url: str, tmp_path: Path) -> None:
    """Pages, previews, embeds, JSON, CSV, Parquet and pictures are marked; documents are not."""
    mark.claim(database_url, SMALL, BASE)
    (tmp_path / "index.html").write_text(INDEX)
    async with serving(database_url, tmp_path, demo=True) as server:
        run = disk_run(labels={"note": 'commas, "quoted"'})
        await server.stored(run)
        get = server.client.get
        asked = "metric=disk.write_average&by=storage"
        saved = await server.client.post("/api/v1/comparisons", json={"question": asked})
        slug = saved.json()["slug"]
        marked = {
            "/": "<title>Demo · Macmeter</title>",
            f"/storage?{asked}": 'property="og:title" content="Demo with invented figures: ',
            f"/c/{slug}": "<title>Demo · ",
            f"/runs/{run['id']}": "<title>Demo · ",
            f"/embed/c/{slug}": "<title>Demo · ",
            f"/api/v1/answer?{asked}": '{"demo":true,',
            f"/api/v1/compare?metric=disk.write_average&{SIDES}": '{"demo":true,',
            f"/api/v1/comparisons/{slug}": '{"demo":true,',
            "/api/v1/catalog": '{"demo":true,',
            "/api/v1/corpus": '{"demo":true,',
            f"/api/v1/runs/{run['id']}": '{"demo":true,',
            f"/api/v1/chart.svg?{asked}": ">Macmeter demo<",
            f"/api/v1/comparisons/{slug}/chart.svg": ">Macmeter demo<",
        }
        for path, words in marked.items():
            # Without compression, the length is that of the content.
            answered = await get(path, headers={"Accept-Encoding": "identity"})
            assert words in answered.text, path
            assert answered.headers["Macmeter-Demo"] == "true", path
            assert int(answered.headers["Content-Length"]) == len(answered.content), path
        for path in (f"/api/v1/answer.csv?{asked}&by=label:note", "/api/v1/corpus.csv"):
            sheet = await get(path, headers={"Accept-Encoding": "gzip"})
            lines = list(csv.DictReader(io.StringIO(sheet.text, newline="")))
            assert {line["demo"] for line in lines} == {"true"}, path
            assert None not in {key for line in lines for key in line}, path
            assert 'filename="macmeter-demo-' in sheet.headers["Content-Disposition"], path
        parquet = await get("/api/v1/corpus.parquet")
        assert b"macmeter.demo" in parquet.content
        assert (await get(f"/api/v1/runs/{run['id']}/document")).content == encoded(run)
        head = await server.client.head(f"/api/v1/answer?{asked}")
        assert (head.headers["Macmeter-Demo"], head.content) == ("true", b"")


async def test_nothing_that_leaves_another_server_says_so(server: Server) -> None:
    await server.stored(disk_run())
    for path in ("answer?metric=disk.write_average", "chart.svg?metric=disk.write_average"):
        answered = await server.client.get(f"/api/v1/{path}")
        assert "demo" not in answered.text.lower()
        assert "Macmeter-Demo" not in answered.headers


@pytest.mark.thorough
def test_a_server_that_finds_a_demo_marks_it_without_being_told(live_demo: LiveServer) -> None:
    live_demo.stop()
    live_demo.start()
    with urllib.request.urlopen(f"{live_demo.url}/api/v1/catalog") as answered:
        assert answered.headers["Macmeter-Demo"] == "true"
