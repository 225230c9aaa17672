"""What leaves a Mac: every field of a run document, with a fleet's own examples."""

from __future__ import annotations

import json
from pathlib import Path

from macmeter.documents.meanings import fields
from support import people
from support.server import Server

FULL = Path(__file__).parents[2] / "documents" / "full.json"


async def test_a_fleet_sees_its_newest_runs_field_by_field(server: Server) -> None:
    fleet = people.make_fleet(server.database_url, "studio")
    viewer = people.make_person(server.database_url, "Vera", roles={fleet: "viewer"})
    document = json.loads(FULL.read_text(encoding="utf-8"))
    document["machine"]["neural_cores"] = 16
    stored = await server.put(document, people.uploader_of(server.database_url, fleet))
    assert stored.status_code == 201, stored.text
    response = await server.client.get(
        "/api/v1/fleets/studio/sent", headers=await people.sign_in(server.database_url, viewer)
    )
    assert response.status_code == 200, response.text
    assert response.json()["runs"] == [
        {"run_id": document["id"], "suite": "disk", "source": "measured"}
    ]
    listed = response.json()["fields"]
    by_path = {field["path"]: field for field in listed}
    assert len(by_path) == len(listed)
    # All of the schema, apart from objects that are listed member by member.
    assert {path for path, _ in fields()} - set(by_path) == {
        "labels",
        "method.parameters",
        "series[].parameters",
    }
    assert by_path["machine.chip"]["example"] == "Apple M4 Pro"
    assert by_path["machine.core_tiers[].clusters"]["example"] == "5, 5"
    assert by_path["labels.iops"]["example"] == "12000"
    assert by_path["labels.iops"]["meaning"] == dict(fields())["labels"]
    assert by_path["citation.title"]["example"] is None
    # A newer agent's field is shown, though this server doesn't know it.
    unknown = by_path["machine.neural_cores"]
    assert (unknown["meaning"], unknown["example"]) == (None, "16")
    assert unknown["run_id"] == document["id"]
