"""The whole corpus: every public result and no private one, in two formats that agree."""

from __future__ import annotations

import csv
import io
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import httpx
import pytest
from sqlalchemy import text
from support import people
from support.databases import transaction
from support.documents import by_file_size, disk_run
from support.server import Server

Row = dict[str, str]


def rows_of(response: httpx.Response) -> list[Row]:
    assert response.status_code == 200
    return list(csv.DictReader(io.StringIO(response.text, newline="")))


async def table(server: Server, **headers: str) -> list[Row]:
    return rows_of(await server.client.get("/api/v1/corpus.csv", headers=headers))


async def parquet(
    server: Server, path: str = "corpus.parquet", **headers: str
) -> dict[str, list[Any]]:
    """Download Parquet and return its columns."""
    response = await server.client.get(f"/api/v1/{path}", headers=headers)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/vnd.apache.parquet"
    with tempfile.NamedTemporaryFile() as file, duckdb.connect() as connection:
        Path(file.name).write_bytes(response.content)
        # DuckDB needs another package for values with a time zone.
        read = connection.read_parquet(file.name)
        columns = [
            f"epoch_us({name})" if name.endswith("_at") else f'"{name}"' for name in read.columns
        ]
        rows = read.project(", ".join(columns)).fetchall()
        return {name: [row[index] for row in rows] for index, name in enumerate(read.columns)}


async def test_a_result_is_a_line_with_its_figures(server: Server) -> None:
    run = disk_run(
        write=[5e9, 6e9, 7e9],
        read=None,
        labels={"iops": "12000"},
        warnings=[{"code": "on_battery"}],
    )
    run["series"] += by_file_size({2_000_000: [1e9, 2e9]})
    await server.stored(run)
    average, by_size = await table(server)
    assert average["run_id"] == by_size["run_id"] == run["id"]
    assert average["machine_id"] == run["machine"]["id"]
    assert (average["metric"], average["unit"]) == ("disk.write_average", "B/s")
    assert (average["samples"], average["p50"]) == ("3", "6000000000.0")
    # Decoded from samples in steps of 0.15 %, to four digits.
    assert average["p10"] == "5197000000.0"
    assert average["file_size"] == ""
    assert by_size["file_size"] in ("2000000", "2000000.0")
    assert (average["chip_family"], average["storage"]) == ("M4", "internal")
    assert (average["run_flags"], average["doubtful"]) == ("on_battery", "false")
    assert average["labels"] == '{"iops":"12000"}'
    assert average["started_at"] == "2026-11-20T10:00:00+00:00"


async def test_no_private_run_is_in_it_whoever_asks(server: Server) -> None:
    secret = server.token("fleet")
    private = disk_run()
    assert (await server.put(private, secret)).status_code == 201
    public = disk_run()
    await server.stored(public)
    for headers in ({}, {"Authorization": f"Bearer {secret}"}):
        assert {row["run_id"] for row in await table(server, **headers)} == {public["id"]}
        columns = await parquet(server, **headers)
        assert set(columns["run_id"]) == {public["id"]}
        description = (await server.client.get("/api/v1/corpus", headers=headers)).json()
        assert (description["runs"], description["results"]) == (1, 2)


@pytest.mark.thorough
async def test_both_formats_hold_the_same_over_many_pages(server: Server) -> None:
    documents = [disk_run(write=n * 1e8 + 0.5, read=[1e9, n * 1e8]) for n in range(1, 61)]
    await server.stored(*documents)
    rows = await table(server)
    assert len(rows) == 120
    assert {row["run_id"] for row in rows} == {document["id"] for document in documents}
    columns = await parquet(server)
    described = (await server.client.get("/api/v1/corpus")).json()
    assert list(rows[0]) == list(columns) == [c["name"] for c in described["columns"]]
    kinds = {column["name"]: column["type"] for column in described["columns"]}
    for name, values in columns.items():
        for row, value in zip(rows, values, strict=True):
            if value is None or row[name] == "":
                assert (value or "") == row[name]
            elif kinds[name] == "number":
                assert float(row[name]) == value
            elif kinds[name] == "boolean":
                assert row[name] == str(value).lower()
            elif kinds[name] == "text":
                assert row[name] == value
            else:
                assert datetime.fromisoformat(row[name]).timestamp() * 1e6 == value


async def test_version_and_licence_travel_with_the_data(server: Server) -> None:
    described = (await server.client.get("/api/v1/corpus")).json()
    assert described["version"] == "macmeter.corpus/2"
    assert described["licence"]["name"] == "CC0-1.0"
    response = await server.client.get("/api/v1/corpus.csv")
    assert 'rel="license"' in response.headers["link"]
    assert '</api/v1/corpus>; rel="describedby"' in response.headers["link"]
    await server.stored(disk_run())
    content = (await server.client.get("/api/v1/corpus.parquet")).content
    # In the file's own metadata, where any reader finds it.
    assert b"macmeter.corpus/2" in content
    assert described["licence"]["text"].encode() in content


async def test_a_run_without_a_result_is_not_counted(server: Server) -> None:
    stopped = disk_run(write=None, read=None, state="incomplete")
    measured = disk_run()
    await server.stored(stopped, measured)
    assert {row["run_id"] for row in await table(server)} == {measured["id"]}
    described = (await server.client.get("/api/v1/corpus")).json()
    assert (described["runs"], described["results"]) == (1, 2)


async def test_an_empty_corpus_is_a_heading(server: Server) -> None:
    assert await table(server) == []
    assert (await parquet(server))["run_id"] == []


async def test_csv_is_packed_for_those_who_take_it(server: Server) -> None:
    await server.stored(disk_run())
    plain = await raw(server, "identity")
    assert "content-encoding" not in plain.headers
    for accepted in ("gzip", "deflate, gzip;q=0.5", "*"):
        packed = await raw(server, accepted)
        assert packed.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in packed.headers["vary"]
        assert packed.text == plain.text  # decompressed by the client
    for refused in ("", "br", "gzip;q=0", "gzip; q=0.0"):
        assert "content-encoding" not in (await raw(server, refused)).headers


async def raw(server: Server, accepted: str) -> httpx.Response:
    return await server.client.get("/api/v1/corpus.csv", headers={"Accept-Encoding": accepted})


async def test_a_cell_is_no_formula_and_no_second_line(server: Server) -> None:
    await server.stored(
        disk_run(chip='=HYPERLINK("x")', target={"device": 'a"b,c', "storage": "@x"})
    )
    row = (await table(server))[0]
    assert row["chip"] == '\'=HYPERLINK("x")'
    assert row["storage"] == "'@x"
    assert row["device"] == 'a"b,c'


async def test_a_fleet_s_own_download_has_its_runs_for_those_who_read_the_fleet(
    server: Server,
) -> None:
    """That fleet's private and public runs, nothing of others, and nothing for others."""
    url = server.database_url
    acme, other = people.make_fleet(url, "zebra"), people.make_fleet(url, "other")
    runs = {fleet: disk_run() for fleet in (acme, other)}
    secrets = {fleet: people.uploader_of(url, fleet) for fleet in runs}
    for fleet, run in runs.items():
        assert (await server.put(run, secrets[fleet])).status_code == 201
    opened, withdrawn = disk_run(), disk_run()
    for run in (opened, withdrawn):
        assert (await server.put(run, secrets[acme])).status_code == 201
    await server.stored(disk_run())
    with transaction(url) as connection:
        change = "UPDATE runs SET visibility = 'public' WHERE run_id = CAST(:id AS uuid)"
        connection.execute(text(change), {"id": opened["id"]})
        change = "UPDATE runs SET withdrawn_at = now() WHERE run_id = CAST(:id AS uuid)"
        connection.execute(text(change), {"id": withdrawn["id"]})
    path = "fleets/zebra/results.parquet"
    vera = people.make_person(url, "Vera", roles={acme: "viewer"})
    stranger = people.make_person(url, "Eve", roles={other: "admin"})
    for headers in (
        people.token_of(url, vera, "read"),
        await people.sign_in(url, vera),
        {"Authorization": f"Bearer {secrets[acme]}"},
    ):
        columns = await parquet(server, path, **headers)
        assert {*columns["run_id"]} == {runs[acme]["id"], opened["id"]}
        response = await server.client.get(f"/api/v1/{path}", headers=headers)
        assert b"Private: fleet zebra" in response.content
        assert b"CC0" not in response.content
        assert "license" not in response.headers["link"]
        assert "no-store" in response.headers["cache-control"]
        assert "zebra" not in str(response.headers)
    for headers in (
        {},
        people.token_of(url, stranger, "read"),
        {"Authorization": f"Bearer {secrets[other]}"},
        {"Authorization": f"Bearer {server.token()}"},
    ):
        assert (await server.client.get(f"/api/v1/{path}", headers=headers)).status_code == 404
