"""Pictures as their readers see them: parsed as XML or PNG, never compared as images."""

from __future__ import annotations

import re
from urllib.parse import quote
from uuid import uuid4
from xml.etree import ElementTree as ET

import httpx
import pytest
from macmeter import catalog
from macmeter.charts.build import figure_of
from macmeter.charts.pictures.palette import THEMES
from macmeter.charts.pictures.picture import PREVIEW, Caption, draw
from support.documents import Document, by_file_size, disk_run
from support.pictures import size_of
from support.server import Server

ELEMENTS = {"svg", "style", "title", "g", "rect", "path", "text", "tspan"}
HOSTILE = [
    "<script>alert(1)</script>",
    "\"/><image href='http://example.com/x'/>",
    "]]> <!-- & &amp; &#60; <![CDATA[ x ]]>",
    "abc\u202egnp.exe \u2066x\u2069 \u200f\u061c",
    "url(javascript:alert(1)) ' onload='x",
    "שלום \u0645\u0631\u062d\u0628\u0627 中文 👩‍👩‍👧‍👦",
    "\ufffe\uffff\x7f\x85\u2028",
    "x" * 256,
]
STEERING = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067")


class Read:
    """Content of an SVG: its elements, and its texts in order."""

    def __init__(self, response: httpx.Response) -> None:
        assert response.status_code == 200, response.text
        assert response.headers["content-type"] == "image/svg+xml"
        self.root = ET.fromstring(response.content)  # noqa: S314 - our own
        self.texts: list[str] = []
        for element in self.root.iter():
            tag = element.tag.removeprefix("{http://www.w3.org/2000/svg}")
            assert tag in ELEMENTS, tag
            assert not [name for name in element.attrib if name.startswith("on") or "href" in name]
            if tag == "text":
                self.texts.append("".join(element.itertext()))

    @property
    def text(self) -> str:
        return "\n".join(self.texts).replace("\u00a0", " ").replace("\u2009", " ")


async def drawn(server: Server, query: str, **headers: str) -> Read:
    response = await server.client.get(f"/api/v1/chart.svg?{query}", headers=headers)
    return Read(response)


def compressed(speed: float, **target: str) -> Document:
    series = [{"metric": "compression.speed", "parameters": {"threads": 8}, "values": [speed]}]
    return disk_run(suite="compression", series=series, target=target or None)


RATE_AND_STORAGE = (
    "metric=compression.speed&metric=disk.write_average&by=storage&by=encryption&where=threads:8"
)


async def test_a_rate_and_a_speed_are_points_as_on_the_page(server: Server) -> None:
    usb4 = {"storage": "usb4", "encryption": "none"}
    await server.stored(disk_run(write=2.5e9, target=usb4), compressed(2.25e9, **usb4))
    await server.stored(disk_run(write=7e9), compressed(3e9))
    read = await drawn(server, RATE_AND_STORAGE)
    assert {"as fast as the storage", "USB4 · Not encrypted"} <= set(read.text.split("\n"))
    assert {"Compression speed, GB/s", "Write speed, GB/s"} <= set(read.text.split("\n"))
    assert "2 results without a counterpart, not plotted." in read.text
    # Nothing is drawn as a case of one metric.
    assert "Internal SSD" not in read.text
    narrow = await drawn(server, f"{RATE_AND_STORAGE}&width=400")
    assert "USB4 · Not encrypted" in narrow.text


async def test_without_a_point_a_picture_says_so(server: Server) -> None:
    await server.stored(disk_run(write=7e9), compressed(3e9))
    assert "No drive has both results yet." in (await drawn(server, RATE_AND_STORAGE)).text


async def test_a_picture_tells_what_its_answer_tells(server: Server) -> None:
    runs = [
        disk_run(write=5.2e9, read=6.57e9),
        disk_run(write=5.4e9, read=6.6e9, warnings=[{"code": "on_battery"}]),
        disk_run(write=2.2e9, read=2.4e9, storage="usb4", encryption="none"),
        disk_run(write=None, read=9e9, warnings=[{"code": "reads_may_be_cached"}]),
    ]
    await server.stored(*runs)
    query = "metric=disk.write_average&metric=disk.read_average&by=storage&by=encryption"
    read = await drawn(server, f"{query}&where=chip_family:M4")
    for text in (
        "Read and write speed by storage and encryption",
        "Chip family: M4 · 3 runs · as of ",
        "Internal SSD",
        "FileVault",
        "USB4",
        "5.30 2 Macs a",
        "2.20 1 Mac",
        "GB/s",
        "Flags a: 1 run ran on battery",
        "Left out: 1 run that may have read from the cache.",
        "Confidence intervals need 6 or more Macs. With fewer, p10 and p90 are close to the lowest"
        " and the highest.",
        "Macmeter",
    ):
        assert text.replace(" ", "") in read.text.replace(" ", ""), text


async def test_an_interval_within_one_machine_says_so(server: Server) -> None:
    machine = str(uuid4())
    await server.stored(*(disk_run(machine=machine, write=5e9 + step * 1e7) for step in range(25)))
    read = await drawn(server, "metric=disk.write_average&by=storage")
    assert "95% interval of the median, within this Mac" in read.text
    runs = [disk_run(write=2e9 + step * 1e7, storage="usb4") for step in range(6)]
    await server.stored(*runs)
    read = await drawn(server, "metric=disk.write_average&by=storage")
    assert "95% interval of the median; of one Mac, within it" in read.text
    read = await drawn(server, "metric=disk.write_average&by=storage&where=storage:usb4")
    assert "95% interval of the median" in read.texts


async def test_doubted_figures_are_crossed_and_said_to_be(server: Server) -> None:
    await server.stored(disk_run(warnings=[{"code": "incomplete"}], state="incomplete"))
    read = await drawn(server, "metric=disk.write_average&flagged=include")
    assert "crossed: only doubted runs" in read.texts
    assert "Doubted runs are counted in these figures." in read.text
    assert THEMES["light"].doubt in ET.tostring(read.root, encoding="unicode")


async def test_nothing_found_is_said_in_the_picture(server: Server) -> None:
    for query in (
        "metric=disk.write_average",
        "metric=disk.write_speed&by=file_size",
        "metric=disk.write_average&relative_to=encryption:none&by=encryption",
        "metric=compression.duration&by=threads&fit=power",
    ):
        assert "No runs answer this question." in (await drawn(server, query)).texts
    png = await server.client.get("/api/v1/chart.png?metric=disk.write_average")
    assert size_of(png.content) == PREVIEW


async def test_ratios_without_a_reference_are_said_to_be_missing(server: Server) -> None:
    await server.stored(disk_run(storage="usb4", encryption="apfs_encrypted"))
    question = "metric=disk.write_average&by=encryption&relative_to=encryption:none"
    read = await drawn(server, question)
    assert "Nothing here has a reference to be compared with." in read.texts


@pytest.mark.every(4)
@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_text_is_text_in_every_place(server: Server, text: str) -> None:
    target = {"storage": text, "encryption": text, "device": text}
    await server.stored(
        disk_run(labels={text[:60]: text}, target=target, chip=text),
        disk_run(series=by_file_size({2_000_000: [1e9], 4_000_000: [2e9]}), target=target),
    )
    filters = f"where=storage:{quote(text)}&where=device:{quote(text)}"
    for query in (
        f"metric=disk.write_average&by=storage&by=encryption&{filters}",
        f"metric=disk.write_average&by=chip&by={quote('label:' + text[:60])}",
        f"metric=disk.write_speed&by=file_size&by=storage&{filters}",
    ):
        response = await server.client.get(f"/api/v1/chart.svg?{query}")
        if response.status_code == 422:  # a label's key may not have a colon
            assert ":" in text
            continue
        read = Read(response)
        texts = "".join(read.texts)
        assert not STEERING & set(texts)
        assert texts.count("\u2068") == texts.count("\u2069")
        png = await server.client.get(f"/api/v1/chart.png?{query}")
        assert size_of(png.content) == PREVIEW


async def test_the_same_data_gives_the_same_bytes(server: Server) -> None:
    await server.stored(disk_run(), disk_run(storage="usb4"))
    for path in ("chart.svg", "chart.png"):
        address = f"/api/v1/{path}?metric=disk.write_average&by=storage"
        first = await server.client.get(address)
        again = await server.client.get(address)
        assert (first.content, first.headers["etag"]) == (again.content, again.headers["etag"])
        tag = first.headers["etag"]
        strong = tag.removeprefix("W/")
        for tags in (strong, f"W/{strong}", f'"other", {tag}', "*"):
            response = await server.client.get(address, headers={"If-None-Match": tags})
            assert (response.status_code, response.content) == (304, b"")
        await server.stored(disk_run(storage="usb4"))
        changed = await server.client.get(address, headers={"If-None-Match": tag})
        assert changed.status_code == 200


async def test_a_picture_has_the_size_that_was_asked(server: Server) -> None:
    await server.stored(disk_run())
    address = "/api/v1/chart.png?metric=disk.write_average&by=storage"
    assert size_of((await server.client.get(address)).content) == PREVIEW
    for width in (400, 800, 1600):
        png = await server.client.get(f"{address}&width={width}&theme=dark")
        assert size_of(png.content)[0] == width
    for wrong in ("width=399", "width=1601", "width=x", "theme=blue", "themes=dark"):
        refused = await server.client.get(f"{address}&{wrong}")
        assert (refused.status_code, refused.headers["content-type"]) == (
            422,
            "application/problem+json",
        )
        assert refused.json()["pointer"] == "?" + wrong.split("=")[0]


async def test_pictures_run_nothing_and_fetch_nothing(server: Server) -> None:
    response = await server.client.get("/api/v1/chart.svg?metric=disk.write_average")
    assert response.headers["content-security-policy"].startswith("default-src 'none'")
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.text.count("http") == 1  # the namespace
    assert "set-cookie" not in response.headers


async def test_a_private_run_is_on_its_fleets_pictures_alone(server: Server) -> None:
    secret = server.token("fleet")
    await server.put(disk_run(), secret)
    assert "No runs answer" in (await drawn(server, "metric=disk.write_average")).text
    ours = {"Authorization": f"Bearer {secret}"}
    response = await server.client.get("/api/v1/chart.svg?metric=disk.write_average", headers=ours)
    assert "1 Mac" in Read(response).text
    assert response.headers["cache-control"] == "private, no-store"


async def test_a_gap_in_a_line_is_a_gap(server: Server) -> None:
    sizes = [2, 4, 6, 8]
    full = {n * 10**6: [n * 1e9] for n in sizes}
    gap = {n * 10**6: [n * 2e8] for n in sizes if n != 6}
    await server.stored(
        disk_run(series=by_file_size(full)),
        disk_run(series=by_file_size(gap), storage="usb4", encryption="none"),
    )
    read = await drawn(server, "metric=disk.write_speed&by=file_size&by=storage")
    usb4 = THEMES["light"].hues["storage-usb4"]
    lines = [
        element.get("d") or ""
        for element in read.root.iter("{http://www.w3.org/2000/svg}path")
        if element.get("stroke") == usb4 and element.get("stroke-width") == "1.75"
    ]
    assert [line.count("L") for line in lines] == [1]  # 2 to 4 MB; 8 MB is alone


async def test_a_frozen_picture_stays_and_a_closed_one_is_gone(server: Server) -> None:
    await server.stored(disk_run(write=5e9))
    saved = (
        await server.client.post(
            "/api/v1/comparisons", json={"question": "metric=disk.write_average", "title": "Mine"}
        )
    ).json()
    address = f"/api/v1/comparisons/{saved['slug']}/chart"
    before = await server.client.get(f"{address}.svg")
    await server.stored(disk_run(write=1e9))
    after = await server.client.get(f"{address}.svg")
    assert before.content == after.content
    text = Read(after).text
    assert f"/c/{saved['slug']}" in text
    assert "Mine" in text
    assert "frozen on" in text
    assert size_of((await server.client.get(f"{address}.png")).content) == PREVIEW
    owner = {"Authorization": f"Bearer {saved['owner_secret']}"}
    for state in ("paused", "revoked"):
        await server.client.patch(
            f"/api/v1/comparisons/{saved['slug']}", json={"state": state}, headers=owner
        )
        for ending in ("svg", "png"):
            gone = await server.client.get(
                f"{address}.{ending}", headers={"If-None-Match": before.headers["etag"]}
            )
            assert gone.status_code == 410
            assert (
                gone.headers["content-type"] == {"svg": "image/svg+xml", "png": "image/png"}[ending]
            )
            assert saved["slug"].encode() not in gone.content


def questions() -> list[str]:
    """Every metric, by storage and by each of its parameters, as figures and as ratios."""
    queries = []
    for metric in catalog.METRICS.values():
        by = "".join(f"&by={name}" for name in metric.required[:3])
        queries.append(f"metric={metric.name}{by}")
        if len(metric.required) < 3:
            queries.append(f"metric={metric.name}{by}&by=storage&flagged=include")
            queries.append(f"metric={metric.name}{by}&by=virtual&relative_to=virtual:false")
    return queries


@pytest.mark.every(4)
@pytest.mark.parametrize("question", questions())
async def test_every_metric_is_drawn(published_server: Server, question: str) -> None:
    for options in ("", "&width=400&theme=dark"):
        read = await drawn(published_server, question + options)
        assert read.texts[-1] == "Macmeter"


async def test_an_articles_own_fit_stands_on_the_picture(published_server: Server) -> None:
    read = await drawn(
        published_server,
        "metric=compression.duration&by=threads&by=virtual"
        "&where=article:a004-more-threads&where=threads:1..5&fit=power",
    )
    assert "Host: power fit y = 49.8863 x^−0.91169 in s and threads, r²" in read.text
    assert "5 points from 1 to 5" in read.text


async def test_a_curve_ends_where_its_points_do(published_server: Server) -> None:
    question = (
        "metric=compression.duration&by=threads&by=virtual&fit=power"
        "&where=article:a004-more-threads&where=threads:1..5"
    )
    picture = await drawn(published_server, question)
    assert "fitted curve" in picture.texts
    pieces = [
        [float(number) for number in re.findall(r"[\d.]+", path.attrib["d"])[::2]]
        for path in picture.root.iter()
        if path.attrib.get("stroke-width") == "1.25" and path.attrib["d"].count("L") > 5
    ]
    # The guest's figures begin with two threads, and end with five like the host's.
    guest, host = sorted((min(xs), max(xs)) for xs in pieces)[::-1]
    assert guest[0] - host[0] > 40
    assert guest[1] == pytest.approx(host[1])


async def test_what_has_no_room_is_counted(published_server: Server) -> None:
    """A preview ends with whole cases and says how many are left; nothing exceeds its edge."""
    query = "metric=disk.write_average&metric=disk.read_average&by=storage&by=encryption&by=article"
    saved = await published_server.client.post("/api/v1/comparisons", json={"question": query})
    comparison = saved.json()
    picture = draw(figure_of(comparison["answer"]), Caption("today", "here"), "light")
    assert (picture.width, picture.height) == PREVIEW
    (counts,) = re.findall(r"(\d+) of (\d+) cases drawn", picture.svg)
    assert 0 < int(counts[0]) < int(counts[1])
    tall = draw(figure_of(comparison["answer"]), Caption("today", "here"), "light", 800)
    assert tall.height > 630
    assert "cases drawn" not in tall.svg
