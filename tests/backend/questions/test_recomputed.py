"""Random questions about invented fleets, recomputed from their documents: all digits equal."""

from __future__ import annotations

import math

import pytest
from macmeter.embedded import EmbeddedPostgres
from support import recomputed
from support.databases import fresh_database
from support.server import Server, serving
from support.unlike.confounded import nothing
from support.unlike.design import Design
from support.unlike.documents import documents
from support.unlike.fleets import FLEETS
from support.unlike.loading import store

QUESTIONS = 70


@pytest.mark.every(3)
@pytest.mark.parametrize("design", FLEETS.values(), ids=FLEETS)
async def test_answers_are_what_documents_say(cluster: EmbeddedPostgres, design: Design) -> None:
    results = recomputed.results(documents(design))
    with fresh_database(cluster) as name:
        async with serving(cluster.url(name)) as server:
            await store(server.client, server.database_url, design)
            wrong, groups, ratios = [], 0, 0
            for question in recomputed.questions(results, QUESTIONS, seed=37):
                answer = await server.answer(question.query)
                wrong += recomputed.differences(results, question, answer)
                answer_groups = answer["results"][0]["groups"]
                groups += len(answer_groups)
                ratios += sum("ratio" in group for group in answer_groups)
    assert wrong == []
    assert groups > 2 * QUESTIONS
    assert ratios > QUESTIONS / 10


async def test_a_digit_that_differs_is_found(server: Server) -> None:
    design = nothing(macs=3)
    await store(server.client, server.database_url, design)
    results = recomputed.results(documents(design))
    by, relative_to = ("chip", "encryption"), ("encryption", "none")
    question = recomputed.Asked("disk.write_average", by, relative_to=relative_to)
    answer = await server.answer(question.query)
    assert recomputed.differences(results, question, answer) == []
    group = next(candidate for candidate in answer["results"][0]["groups"] if "ratio" in candidate)
    group["median"] = math.nextafter(group["median"], 0)
    assert len(recomputed.differences(results, question, answer)) == 1
    del answer["results"][0]["groups"][0]
    assert any("not shown" in line for line in recomputed.differences(results, question, answer))
    fewer = recomputed.results(list(documents(design))[1:])
    assert recomputed.differences(fewer, question, await server.answer(question.query))
