"""Chips as data: what published articles state of them."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from fastapi.responses import Response

from macmeter.api import schemas
from macmeter.api.responses import json_response
from macmeter.chips import CHIPS, FACTS, Chip
from macmeter.ingest.published.figures import articles

router = APIRouter(prefix="/api/v1/chips", tags=["answers"])


@router.get("", response_model=schemas.Chips)
async def get_chips() -> Response:
    """Known configurations of Apple's chips, and frequencies stated of whole families."""
    cited = {*(fact.article for fact in FACTS)}.union(*(chip.sources for chip in CHIPS))
    return json_response(
        {
            "chips": [
                {**asdict(chip), "cores": chip.cores, "cycles": total_cycles(chip)}
                for chip in CHIPS
            ],
            "facts": [asdict(fact) for fact in FACTS],
            "sources": [
                {
                    "article": article.slug,
                    "title": article.title,
                    "author": article.author or article.publisher,
                    "publisher": article.publisher,
                    "published": article.published,
                }
                for article in articles()
                if article.slug in cited
            ],
        }
    )


def total_cycles(chip: Chip) -> int | None:
    """Highest frequencies of all cores added up, in hertz; None where one is not known."""
    total = 0
    for tier in chip.tiers:
        if tier.max_frequency is None:
            return None
        total += tier.cores * tier.max_frequency
    return total
