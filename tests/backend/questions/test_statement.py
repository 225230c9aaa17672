"""`/api/v1/answer.sql`: anybody's DuckDB makes the answer's digits of downloaded files."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from macmeter.models import Fleet
from macmeter.platform.processes.process import run_in_subprocess_async
from macmeter.platform.settings import CHECKOUT
from macmeter.results.dataset import versions
from sqlalchemy import update
from support.data_set import one_duckdb, written
from support.databases import transaction
from support.documents import by_file_size, disk_run
from support.random_runs import QUESTIONS, Random
from support.server import HOST, InThisProcess, Server, serving
from support.statements import Get, by_answer, by_statement, downloaded, files_of, rows_of
from support.thorough import some

ASKED, OTHER = "metric=disk.write_average", "metric=disk.write_speed&by=file_size"
GUIDE = CHECKOUT / "docs/dataset.md"


@pytest.fixture
async def keeping(database_url: str, tmp_path: Path) -> AsyncIterator[Server]:
    """A server with a directory for its data set."""
    pool = InThisProcess()  # so that tests can change what it keeps
    async with serving(database_url, questions=pool, dataset_dir=tmp_path / "dataset") as server:
        yield server


async def sql_of(server: Server, question: str = ASKED) -> str:
    response = await server.client.get(f"/api/v1/answer.sql?{question}")
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/sql; charset=utf-8"
    return response.text


async def assert_same(server: Server, question: str, directory: Path) -> int:
    """Compare all groups; return their number."""
    sql = await sql_of(server, question)
    answer = (await server.client.get(f"/api/v1/answer?{question}")).json()
    rows = rows_of(downloaded(sql, await contents(server, sql), directory))
    assert by_statement(answer, rows) == by_answer(answer), question
    assert "-- 0 runs were newer than these files" in sql
    return len(rows)


@pytest.mark.parametrize("seed", some(range(4)))
async def test_the_statement_makes_the_answers_digits(
    keeping: Server, tmp_path: Path, seed: int
) -> None:
    happening, groups = Random(keeping, seed), 0
    for step in range(3):
        for _ in range(20):
            await happening.step()
        if step == 1:
            await written(keeping.database_url, tmp_path / "dataset")
        for question in QUESTIONS[step::3]:
            if "by=fleet" not in question:
                groups += await assert_same(keeping, question, tmp_path)
    assert groups > 30


HOSTILE = ("it's; DROP TABLE x; --", 'a "key"', "a/b~c", "0", "$.x", "]")


async def test_names_and_values_are_quoted(keeping: Server, tmp_path: Path) -> None:
    await keeping.stored(*(disk_run(labels={text: text}) for text in HOSTILE))
    for text in HOSTILE:
        label = [("by", f"label:{text}"), ("where", f"label:{text}:{text}")]
        question = urlencode([("metric", "disk.write_average"), *label])
        assert await assert_same(keeping, question, tmp_path) == 1


async def test_the_guides_example_prints_medians_and_intervals(
    keeping: Server, tmp_path: Path
) -> None:
    models = ("Mac16,8", "Mac16,8", "Mac15,3")
    for number in range(12):
        run = disk_run(write=5e9 + number**2 * 1e7)
        run["machine"] |= {"model": models[number % 3]} if number else {}
        await keeping.stored(run)
    sql, get = await sql_of(keeping), await contents(keeping, await sql_of(keeping))
    for path in files_of(sql):
        file = tmp_path / "kept" / Path(path).name
        file.parent.mkdir()
        file.write_bytes(get(path))
        sql = sql.replace(f"http://{HOST}{path}", file.as_uri())
    (tmp_path / "answer.sql").write_text(sql)
    (example,) = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
    arguments = [(tmp_path / "answer.sql").as_uri(), str(GUIDE.with_name("intervals.py"))]
    command = [sys.executable, "-c", example, *arguments]
    process = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    side, *numbers = process.stdout.split()
    (group,) = (await keeping.client.get(f"/api/v1/answer?{ASKED}")).json()["results"][0]["groups"]
    figures = [group[name] for name in ("machines", "median", "ci_low", "ci_high")]
    assert (side, float(numbers[1])) == ("figure", group["median"])
    assert [*map(float, numbers)] == pytest.approx(figures, rel=1e-6)


# --- versions


async def test_a_version_stays_until_something_changes_and_has_what_is_asked_for(
    keeping: Server, tmp_path: Path
) -> None:
    await keeping.stored(disk_run(), disk_run())
    first, again = await sql_of(keeping), await sql_of(keeping)
    read = await sql_of(keeping, "metric=disk.read_average")
    await keeping.stored(disk_run())
    later = await sql_of(keeping)
    assert name_of(first) == name_of(again) == name_of(read) != name_of(later)
    described = (await keeping.client.get(f"/api/v1/dataset/{name_of(first)}")).json()
    assert sorted(described["files"]) == ["disk.read_average", "disk.write_average"]
    for file in described["files"].values():
        content = (await keeping.client.get(file["url"])).content
        assert (len(content), sha256(content).hexdigest()) == (file["bytes"], file["sha256"])
    version_files = [path for path in (tmp_path / "dataset/versions").rglob("*") if path.is_file()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in version_files} == {0o600}
    # The earlier version still says what it said.
    rows = rows_of(downloaded(first, await contents(keeping, first), tmp_path))
    assert [row["machines"] for row in rows] == [2]


async def test_parts_of_a_file_can_be_asked_for(keeping: Server) -> None:
    await keeping.stored(disk_run())
    (path,) = files_of(await sql_of(keeping))
    head = await keeping.client.head(path)
    part = await keeping.client.get(path, headers={"Range": "bytes=0-3"})
    assert (part.status_code, part.content) == (206, b"PAR1")
    assert (head.status_code, head.headers["accept-ranges"]) == (200, "bytes")


async def test_what_a_full_room_lacks_is_said(
    keeping: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, public = disk_run(), keeping.token()
    await keeping.stored(run)
    first = await sql_of(keeping)
    monkeypatch.setattr(versions, "MOST_BYTES", 1)
    late = disk_run()
    assert (await keeping.put(late, public)).status_code == 201
    # Nothing is said of runs that aren't public.
    private = disk_run()
    assert (await keeping.put(private, keeping.token("fleet"))).status_code == 201
    second = await sql_of(keeping)
    assert name_of(second) == name_of(first)
    assert "-- 1 run was newer than these files" in second
    assert f"/api/v1/runs/{late['id']}" in second
    assert private["id"] not in second


def test_a_version_stays_the_newest_for_longer_the_less_room_there_is() -> None:
    pauses = [versions.pause(share * versions.MOST_BYTES // 8) for share in range(10)]
    assert pauses[0] == timedelta()
    assert sorted(set(pauses)) == pauses[:9]
    assert pauses[8] == pauses[9] == versions.KEPT


LEAVING = ("withdrawn", "deleted", "private")


@pytest.mark.every(3)
@pytest.mark.parametrize("way", LEAVING)
async def test_the_bytes_of_a_run_that_leaves_are_gone_from_every_version(
    keeping: Server, tmp_path: Path, way: str
) -> None:
    root, token = tmp_path / "dataset", keeping.token("fleet")
    with transaction(keeping.database_url) as connection:
        connection.execute(update(Fleet).values(visibility="public"))
    run, other = disk_run(), disk_run(series=by_file_size({1_000_000: [1e9]}))
    assert (await keeping.put(run, token)).status_code == 201
    await keeping.stored(other)
    versions_before = [await sql_of(keeping)]
    await keeping.stored(disk_run())
    versions_before.append(await sql_of(keeping))
    untouched = await sql_of(keeping, OTHER)
    await written(keeping.database_url, root)
    assert await statuses(keeping, *versions_before, untouched) == [200, 200, 200]

    if way == "private":
        with transaction(keeping.database_url) as connection:
            connection.execute(update(Fleet).values(visibility="private"))
    else:
        await LEAVES[way](keeping, run["id"], token)
    # No address serves its bytes meanwhile, nor is a version given out that is about to lose them.
    assert await statuses(keeping, *versions_before, untouched) == [410, 410, 200]
    assert name_of(await sql_of(keeping)) not in map(name_of, versions_before)
    await written(keeping.database_url, root)
    assert await statuses(keeping, *versions_before, untouched) == [410, 410, 200]
    assert not [path for path in (root / "versions").rglob("*.parquet") if holds(path, run["id"])]
    refused = await keeping.client.get(files_of(versions_before[0])[0])
    assert refused.json()["code"] == "version_not_whole"
    described = await keeping.client.get(f"/api/v1/dataset/{name_of(versions_before[0])}")
    assert "disk.write_average" in described.json()["gone"]


async def test_what_a_killed_maker_left_is_removed(keeping: Server, tmp_path: Path) -> None:
    root = tmp_path / "dataset"
    await keeping.stored(disk_run())
    sql = await sql_of(keeping)
    incomplete = versions.path_of(root, name_of(sql), "disk.read_average")
    alone = versions.path_of(root, "20261128T120000Z-0000", "disk.read_average")
    alone.parent.mkdir()
    for path in (incomplete, alone):
        path.write_bytes(b"PAR1")
    await written(keeping.database_url, root)
    assert (incomplete.exists(), alone.parent.exists()) == (True, True), "perhaps being made"
    for path in (incomplete, alone, alone.parent):
        os.utime(path, (0, 0))
    await written(keeping.database_url, root)
    assert (incomplete.exists(), alone.parent.exists()) == (False, False)
    assert await statuses(keeping, sql) == [200]


async def test_servers_that_make_a_version_at_once_make_whole_files(
    keeping: Server, tmp_path: Path
) -> None:
    statements = list[str]()
    for pair in ((ASKED, ASKED), (ASKED, OTHER), (OTHER, OTHER)):
        await keeping.stored(disk_run(), disk_run(series=by_file_size({1_000_000: [1e9]})))
        statements += await asyncio.gather(*(sql_of(keeping, question) for question in pair))
    assert await statuses(keeping, *statements) == [200] * len(statements)
    for path in (tmp_path / "dataset/versions").glob("*/*.parquet"):
        version = versions.find(tmp_path / "dataset", path.parent.name)
        assert version is not None
        assert version.files[path.stem].sha256 == sha256(path.read_bytes()).hexdigest()


async def test_a_file_made_while_a_run_leaves_is_found_by_the_next_look(
    keeping: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look ended, with the run gone, before the file with the run appeared."""
    root, secret = tmp_path / "dataset", keeping.token()
    run = disk_run()
    assert (await keeping.put(run, secret)).status_code == 201
    await keeping.stored(disk_run())
    original = run_in_subprocess_async

    async def late(*arguments: Any) -> object:
        result = await original(*arguments)
        await withdraw(keeping, run["id"], secret)
        await written(keeping.database_url, root)
        return result

    monkeypatch.setattr(versions, "run_in_subprocess_async", late)
    sql = await sql_of(keeping)
    monkeypatch.undo()
    assert await statuses(keeping, sql) == [410]
    await keeping.stored(disk_run())
    await written(keeping.database_url, root)
    assert not [path for path in (root / "versions").rglob("*.parquet") if holds(path, run["id"])]


async def test_a_full_disk_is_no_reason_to_refuse_a_comparison(
    keeping: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    await keeping.stored(disk_run())
    monkeypatch.setattr(versions, "run_in_subprocess_async", fail)
    refused = await keeping.client.get(f"/api/v1/answer.sql?{ASKED}")
    assert (refused.status_code, refused.json()["code"]) == (503, "dataset_building")
    saved = await keeping.client.post("/api/v1/comparisons", json={"question": ASKED})
    assert saved.status_code == 201
    address = f"/api/v1/comparisons/{saved.json()['slug']}/answer.sql"
    assert (await keeping.client.get(address)).status_code == 404


async def withdraw(server: Server, run_id: str, secret: str) -> None:
    response = await server.client.put(
        f"/api/v1/runs/{run_id}/withdrawal",
        json={"reason": "Measured while it was a test."},
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert response.is_success, response.text


async def delete(server: Server, run_id: str, secret: str) -> None:
    authorised = {"Authorization": f"Bearer {secret}"}
    assert (await server.client.delete(f"/api/v1/runs/{run_id}", headers=authorised)).is_success


LEAVES = {"withdrawn": withdraw, "deleted": delete}


async def test_versions_go_after_their_time_unless_a_comparison_names_them(
    keeping: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "dataset"
    await keeping.stored(disk_run())
    sql = await sql_of(keeping)
    saved = await keeping.client.post("/api/v1/comparisons", json={"question": ASKED})
    assert saved.status_code == 201
    await keeping.stored(disk_run())
    unnamed = await sql_of(keeping)
    await written(keeping.database_url, root)
    assert await statuses(keeping, sql, unnamed) == [200, 200]
    monkeypatch.setattr(versions, "KEPT", -timedelta(seconds=1))
    await written(keeping.database_url, root)
    assert await statuses(keeping, sql, unnamed) == [200, 404]
    owner = {"Authorization": f"Bearer {saved.json()['owner_secret']}"}
    address = f"/api/v1/comparisons/{saved.json()['slug']}"
    assert (await keeping.client.get(f"{address}/answer.sql")).text.count(name_of(sql)) == 2
    assert (await keeping.client.delete(address, headers=owner)).is_success
    await written(keeping.database_url, root)
    assert await statuses(keeping, sql) == [404]


# --- what isn't public


@pytest.mark.parametrize("kind", ["device", "fleet"])
async def test_what_is_not_public_has_no_statement(keeping: Server, kind: str) -> None:
    await keeping.stored(disk_run())
    secret = keeping.token(kind)
    assert (await keeping.put(disk_run(), secret)).status_code == 201
    authorised = {"Authorization": f"Bearer {secret}"}
    refused = await keeping.client.get(f"/api/v1/answer.sql?{ASKED}", headers=authorised)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_public")
    for more in ("by=fleet", "where=fleet:local", "where=fleet!:none", "relative_to=fleet:none"):
        refused = await keeping.client.get(f"/api/v1/answer.sql?{ASKED}&{more}")
        assert (refused.status_code, refused.json()["code"]) == (403, "not_public")


async def test_a_server_without_a_directory_keeps_no_versions(server: Server) -> None:
    refused = await server.client.get(f"/api/v1/answer.sql?{ASKED}")
    assert (refused.status_code, refused.json()["code"]) == (503, "no_versions")
    for path in ("20261128T120000Z-0000", "x", "20261128T120000Z-0000/disk.read_average.parquet"):
        assert (await server.client.get(f"/api/v1/dataset/{path}")).status_code == 404


# --- helpers


def name_of(sql: str) -> str:
    (name,) = {path.split("/")[4] for path in files_of(sql)}
    return name


async def contents(server: Server, sql: str) -> Get:
    responses = {path: (await server.client.get(path)).content for path in files_of(sql)}
    return responses.__getitem__


async def statuses(server: Server, *statements: str) -> list[int]:
    paths = [path for sql in statements for path in files_of(sql)]
    return [(await server.client.get(path)).status_code for path in paths]


def holds(path: Path, run_id: str) -> bool:
    query = "SELECT count(*) FROM read_parquet(?) WHERE run_id = ?"
    ((count,),) = one_duckdb().execute(query, [str(path), run_id]).fetchall()
    return bool(count)
