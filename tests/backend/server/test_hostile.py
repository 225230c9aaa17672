"""Strings that attack programs showing them: stored unchanged, and only ever text."""

from __future__ import annotations

import csv
import io
import json
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from support.documents import disk_run, encoded
from support.server import Server

GOLDEN = Path(__file__).resolve().parents[2] / "documents" / "hostile.json"
WRITE = "metric=disk.write_average"

# Texts that a spreadsheet would calculate, and their cells in the file.
FORMULAS = {
    "=1+1": "'=1+1",
    "+1+1": "'+1+1",
    "-2+3": "'-2+3",
    "@SUM(1+1)": "'@SUM(1+1)",
    "=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0",
    '=HYPERLINK("http://example.invalid","a, b")': '\'=HYPERLINK("http://example.invalid","a, b")',
    " =1+1": "' =1+1",
    "\u00a0=1+1": "'\u00a0=1+1",
    "\u202e=1+1": "'\u202e=1+1",
    "\ufeff=1+1": "'\ufeff=1+1",
    "＝1+1": "'＝1+1",
    "＠SUM(1)": "'＠SUM(1)",
    "a;=1+1;b": "a;'=1+1;b",
    "a; =1+1": "a;' =1+1",
}
HARMLESS = ["a=1", "1-2", 'say "a, b"', "'quoted'", "12000", "a;b", "naïve, 👍", "%s", "#REF!"]
# Different texts to us, however alike to a database, a spreadsheet or an eye.
ALIKE = [
    "7",
    "007",
    "7.0",
    "7e0",
    " 7",
    "7 ",
    "７",
    "é",
    "e\u0301",
    "É",
    "none",
    "none\u200b",
    "null",
]


async def detail(server: Server, run_id: str) -> dict[str, Any]:
    response = await server.client.get(f"/api/v1/runs/{run_id}")
    assert response.status_code == 200, response.text
    page: dict[str, Any] = response.json()
    return page


async def csv_rows(server: Server, query: str) -> list[dict[str, str]]:
    """Lines of the answer's CSV, parsed by RFC 4180, by column."""
    response = await server.client.get(f"/api/v1/answer.csv?{query}")
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["content-disposition"].startswith("attachment;")
    assert response.text.count("\n") == response.text.count("\r\n")
    return list(csv.DictReader(io.StringIO(response.text, newline=""), strict=True))


async def test_the_hostile_document_is_shown_word_for_word(server: Server) -> None:
    document = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert (await server.put(document)).status_code == 201
    page = await detail(server, document["id"])
    for part in ("machine", "environment", "target", "agent", "labels", "warnings"):
        assert page[part] == document[part], part
    assert page["method_parameters"] == document["method"]["parameters"]
    assert page["device"] == document["target"]["device"]
    raw = await server.client.get(f"/api/v1/runs/{document['id']}/document")
    assert json.loads(raw.content) == document
    assert raw.headers["content-type"] == "application/json"
    assert raw.headers["x-content-type-options"] == "nosniff"
    (listed,) = (await server.client.get("/api/v1/runs")).json()["items"]
    assert listed["machine"]["chip"] == document["machine"]["chip"]
    facets = (await server.client.get("/api/v1/facets")).json()["dimensions"]
    values = {facet["name"]: facet["values"][0]["value"] for facet in facets}
    target = document["target"]
    for name in ("storage", "device", "via", "encryption", "file_system"):
        assert values[name] == target[name], name
    assert values["image_format"] == target["image"]["format"]


async def test_every_label_can_be_grouped_by_and_found_again(server: Server) -> None:
    labels = json.loads(GOLDEN.read_text(encoding="utf-8"))["labels"]
    labels |= {"a.b/c?d#e": "100%", "x y+z": "1+1 & 2;3", "12000": "..", "!ключ": "!:"}
    await server.stored(disk_run(labels=labels), disk_run())
    for key, value in labels.items():
        by = f"label:{key}"
        groups = await server.groups(f"{WRITE}&by={quote(by)}")
        assert [group["key"] for group in groups] == [{by: value}, {by: None}]
        term = quote(f"{by}:{value}")
        answer = await server.answer(f"{WRITE}&where={term}")
        assert answer["results"][0]["groups"][0]["runs"] == 1, by
        assert answer["question"]["where"] == [{"dimension": by, "op": "is", "value": value}]
        again = await server.answer(answer["question"]["canonical"])
        assert again["question"] == answer["question"]
        rest = (await server.client.get(f"/api/v1/runs?where={quote(f'{by}!:{value}')}")).json()
        assert rest["total"] == 1, by
        facets = (await server.client.get(f"/api/v1/facets?where={term}")).json()
        (facet,) = [facet for facet in facets["dimensions"] if facet["name"] == by]
        assert {entry["value"] for entry in facet["values"]} == {value, None}


async def test_texts_that_look_alike_stay_apart(server: Server) -> None:
    await server.stored(*(disk_run(labels={"bay": text}, storage=text) for text in ALIKE))
    for by in ("label:bay", "storage"):
        groups = await server.groups(f"{WRITE}&by={by}")
        assert {group["key"][by] for group in groups} == set(ALIKE)
        for text in ALIKE:
            (group,) = await server.groups(f"{WRITE}&by={by}&where={by}:{quote(text)}")
            assert group["key"][by] == text


async def test_a_filter_is_compared_and_never_interpreted(server: Server) -> None:
    await server.stored(disk_run(storage="usb4"))
    for text in (
        "usb%",
        "usb_",
        "USB4",
        "usb4 ",
        "' OR ''='",
        "usb4'--",
        "*",
        ".*",
        "usb4\\",
        "$1",
    ):
        assert await server.groups(f"{WRITE}&where=storage:{quote(text)}") == [], text
        (group,) = await server.groups(f"{WRITE}&where=storage!:{quote(text)}")
        assert group["runs"] == 1, text
    for key in ("a' = 'b", "$.a", "{a}", "%(x)s", "a->>'b'", "a\\", '"a"'):
        groups = await server.groups(f"{WRITE}&by=label:{quote(key)}&where=label:{quote(key)}:")
        assert groups[0]["key"] == {f"label:{key}": None}


async def test_no_cell_of_a_csv_is_a_formula(server: Server) -> None:
    texts = [*FORMULAS, *HARMLESS]
    await server.stored(*(disk_run(storage=text, labels={"=1+1": text}) for text in texts))
    rows = await csv_rows(server, f"{WRITE}&by=storage&by={quote('label:=1+1')}")
    expected = {FORMULAS.get(text, text) for text in texts}
    assert {row["storage"] for row in rows} == expected
    assert {row["label:=1+1"] for row in rows} == expected
    assert all(float(row["median"]) == 5e9 for row in rows)


@pytest.mark.parametrize(
    ("key", "heading"),
    [
        ("x;=cmd|' /C calc'!A0", "label:x;'=cmd|' /C calc'!A0"),
        ("x; @SUM(1)", "label:x;' @SUM(1)"),
        ("x;\u202e+1", "label:x;'\u202e+1"),
        ("=1+1", "label:=1+1"),
    ],
)
async def test_no_heading_of_a_csv_is_a_formula(server: Server, key: str, heading: str) -> None:
    await server.stored(disk_run(labels={key: "1"}))
    (row,) = await csv_rows(server, f"{WRITE}&by={quote(f'label:{key}')}")
    assert row[heading] == "1"


async def test_a_comparisons_csv_is_as_careful(server: Server) -> None:
    await server.stored(disk_run(storage="=1+1"))
    saved = await server.client.post(
        "/api/v1/comparisons", json={"question": f"{WRITE}&by=storage", "title": "=1+1"}
    )
    slug = saved.json()["slug"]
    text = (await server.client.get(f"/api/v1/comparisons/{slug}/answer.csv")).text
    assert ",'=1+1," in text
    assert ",=1+1" not in text


async def test_what_is_null_was_not_stated(server: Server) -> None:
    series = {
        "metric": "compression.speed",
        "parameters": {"threads": 2, "qos": None},
        "values": [3e9, 1e9],
        "positions": [4, 0],
    }
    run = disk_run(series=[series], labels={"a": None, "b": "x"}, warnings=[])
    run["machine"] |= {"unspecified": None, "core_tiers": None}
    run["target"]["image"] = None
    run["agent"] = None
    await server.stored(run)
    page = await detail(server, run["id"])
    assert page["labels"] == {"b": "x"}
    assert page["machine"] == {"id": run["machine"]["id"], "chip": "Apple M4 Pro"}
    assert page["target"] == {"storage": "internal", "encryption": "filevault"}
    assert page["agent"] is None
    (result,) = page["results"]
    assert (result["values"], result["positions"]) == ([3e9, 1e9], [4, 0])
    assert result["parameters"] == {"threads": 2}


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**400])
async def test_a_number_that_no_reader_could_keep_is_refused(server: Server, number: int) -> None:
    run = disk_run(method={"name": "graded-files", "version": 1, "parameters": {"seed": number}})
    response = await server.put(run)
    assert (response.status_code, response.json()["pointer"]) == (422, "/method/parameters/seed")


async def test_lines_of_a_batch_are_the_same_bytes_however_they_end(server: Server) -> None:
    document, token = disk_run(), server.token()
    assert (await server.put(document, token)).status_code == 201
    response = await server.client.post(
        "/api/v1/runs/batch",
        content=encoded(document) + b"\r\n\r\n" + encoded(document),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"},
    )
    assert [json.loads(line)["status"] for line in response.text.splitlines()] == [200, 200]


async def test_ids_are_the_same_however_they_are_written(server: Server) -> None:
    run = disk_run(machine=str(uuid.uuid4()).upper())
    shouted = {**run, "id": run["id"].upper()}
    assert (await server.put(shouted, run_id=run["id"])).status_code == 201
    page = await detail(server, run["id"].upper())
    assert page["id"] == run["id"]
    (group,) = await server.groups(f"{WRITE}&where=machine:{run['machine']['id']}")
    assert group["runs"] == 1


@pytest.mark.parametrize("end", ["1e308", "1e-308"])
async def test_a_filter_of_any_size_can_be_drawn(server: Server, end: str) -> None:
    question = f"metric=disk.write_average&where=link_speed:{end}.."
    assert (await server.client.get(f"/api/v1/chart.svg?{question}")).status_code == 200
