"""Chips in the API."""

from __future__ import annotations

from macmeter.catalog import chips
from support.server import Server


async def test_every_known_chip_with_its_sources(server: Server) -> None:
    response = (await server.client.get("/api/v1/chips")).json()
    assert [chip["chip"] for chip in response["chips"]] == [chip.chip for chip in chips.CHIPS]
    cited = {article["article"] for article in response["sources"]}
    assert cited == {*(fact.article for fact in chips.FACTS)}.union(
        *(chip.sources for chip in chips.CHIPS)
    )


async def test_cycles_are_added_up_only_where_every_frequency_is_known(server: Server) -> None:
    response = (await server.client.get("/api/v1/chips")).json()
    full, binned = (chip for chip in response["chips"] if chip["chip"] == "Apple M4 Pro")
    assert full["cycles"] == 10 * 4_512_000_000 + 4 * 2_592_000_000
    assert binned["cycles"] is None
    pro = next(chip for chip in response["chips"] if chip["chip"] == "Apple M3 Pro")
    assert (pro["tiers"][1]["max_frequency"], pro["cycles"]) == (2_748_000_000, None)
