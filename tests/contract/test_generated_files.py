"""Committed files are what the code generates."""

from __future__ import annotations

import json

import exports
from jsonschema import Draft202012Validator
from macmeter.platform.settings import CHECKOUT
from support.contract import openapi

# A machine has everything its agent says about it; a problem may have more fields.
OPEN = {"Problem", "RunMachine", "RunTier"}


def test_nothing_that_is_committed_is_stale() -> None:
    assert exports.stale() == [], "run make generate"


def test_responses_have_no_fields_that_the_contract_does_not_name() -> None:
    schemas = openapi()["components"]["schemas"]
    # The others are enumerations.
    objects = {name: schema for name, schema in schemas.items() if schema["type"] == "object"}
    closed = {name for name in objects if objects[name].get("additionalProperties") is False}
    assert objects.keys() - closed == OPEN


def test_every_operation_promises_problems_for_what_it_refuses() -> None:
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    ((media_type, content),) = response["content"].items()
                    if media_type.startswith("image/"):
                        # Images of a closed comparison: an <img> can't show a problem.
                        assert (path.split("/")[3], status) == ("comparisons", "410")
                        continue
                    problem = {"$ref": "#/components/schemas/Problem"}
                    assert content["schema"] == problem, (method, path, status)


def test_the_run_documents_schema_is_a_schema() -> None:
    schema = json.loads((CHECKOUT / "docs" / "run.v1.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
