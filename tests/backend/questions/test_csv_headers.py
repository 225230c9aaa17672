"""The first line of each CSV file: programs read columns by their place.

A new column goes to the end. `test_recorded_reads.py` compares each file with those of releases.
"""

from __future__ import annotations

import csv
import io

from support import people
from support.comparisons import save
from support.contract import openapi
from support.documents import disk_run
from support.server import Server

FIGURES = "median,p10,p25,p75,p90,min,max,mean,ci_low,ci_high"
RATIO = "ratio,ratio_ci_low,ratio_ci_high,ratio_pairing,ratio_pairs"
ANSWER = (
    "kind,metric,unit,chip,storage,published,method,method_version,machines,runs,samples,mixes,"
    f"{FIGURES},spread_p10,spread_p90,{RATIO},flags,printed,qualifier,citation"
)
SIDES = (
    "metric,parameters,unit,published,method,method_version,side,label,baseline,missing,machines,"
    f"runs,samples,mixes,{FIGURES},{RATIO},verdict,smallest_visible,unlike,shared_runs,no_ratio,"
    "flags,printed"
)
CORPUS = (
    "run_id,machine_id,started_at,received_at,chip,chip_family,chip_variant,model,storage,"
    "link_speed,device,enclosure,via,simultaneous,image_format,image_state,encryption,"
    "file_system,virtual,vcpus,os_version,os_major,power_mode,power_source,source,trust,tool,"
    "article,suite,method,month,method_version,labels,citation_author,citation_title,"
    "citation_publisher,citation_published,citation_row,run_flags,metric,unit,file_size,"
    "threads,qos,core_context,tier,kernel,active_cores,elapsed,test,loops,samples,mean,min,"
    "p10,p25,p50,p75,p90,max,doubtful,flags,printed,qualifier"
)
AUDIT = "id,at,action,by,fleet,details,names"
ASKED = "metric=disk.write_average&by=chip&by=storage"
COMPARED = "metric=disk.write_average&side=1:&side=2:storage:internal"


async def test_each_file_begins_as_it_is_written_here(server: Server) -> None:
    await server.stored(disk_run())
    admin = people.make_person(server.database_url, server_admin=True)
    signed_in = await people.sign_in(server.database_url, admin)
    answer, sides = await save(server, question=ASKED), await save(server, question=COMPARED)
    expected = {
        f"/api/v1/answer.csv?{ASKED}": ANSWER,
        f"/api/v1/compare.csv?{COMPARED}": SIDES,
        f"/api/v1/comparisons/{answer['slug']}/answer.csv": ANSWER,
        f"/api/v1/comparisons/{sides['slug']}/answer.csv": SIDES,
        "/api/v1/corpus.csv": CORPUS,
        "/api/v1/audit.csv": AUDIT,
    }
    for path, header in expected.items():
        response = await server.client.get(path, headers=signed_in)
        assert response.status_code == 200, response.text
        assert next(csv.reader(io.StringIO(response.text))) == header.split(","), path


def test_no_csv_file_is_missing_here() -> None:
    operations = openapi()["paths"]
    files = {
        path.removeprefix("/api/v1/")
        for path, methods in operations.items()
        for operation in methods.values()
        if "text/csv" in operation["responses"].get("200", {}).get("content", {})
    }
    answer_files = {"answer.csv", "compare.csv", "comparisons/{slug}/answer.csv"}
    assert files == {*answer_files, "corpus.csv", "audit.csv"}
