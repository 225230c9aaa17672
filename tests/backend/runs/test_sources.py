"""Published sources in the API."""

from __future__ import annotations

import pytest
from published.figures import articles
from support.server import Server


async def test_every_article_with_every_figure(server: Server) -> None:
    sources = (await server.client.get("/api/v1/sources")).json()
    assert [item["article"] for item in sources["articles"]] == [item.slug for item in articles()]
    figures = [figure for article in sources["articles"] for figure in article["figures"]]
    assert sum(item["rows"] for item in sources["dispositions"]) == len(figures)
    stored = {item["name"] for item in sources["dispositions"] if item["stored"]}
    for figure in figures:
        is_kept = figure["run"] is not None or (figure["see"] and figure["reason"] is not None)
        assert is_kept or figure["disposition"] not in stored, figure["row"]
        assert figure["run"] is None or figure["disposition"] in stored, figure["row"]


@pytest.mark.thorough
async def test_each_stored_figure_leads_to_its_run(published_server: Server) -> None:
    sources = (await published_server.client.get("/api/v1/sources")).json()
    for article in sources["articles"]:
        for figure in article["figures"]:
            if figure["run"] is None:
                continue
            run = (await published_server.client.get(f"/api/v1/runs/{figure['run']}")).json()
            assert run["citation"]["row"] == figure["row"]
            assert {w["code"] for w in run["warnings"]} == set(figure["flags"])
