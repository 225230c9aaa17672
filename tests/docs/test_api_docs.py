"""docs/api.md is right: its examples run against a server, its promises are kept."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from support.contract import openapi
from support.live_server import LiveServer

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


def examples(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def run(command: list[str], server: LiveServer, cwd: Path, **more: str) -> str:
    environment = os.environ | {"MACMETER": server.url} | more
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_address_is_listed() -> None:
    paths = {path.removeprefix("/api/v1") for path in openapi()["paths"]}
    listed = TEXT.partition("## All addresses")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(/[^`]*)`", listed)) - {"/api/v1"}
    assert named == paths


@pytest.mark.thorough
def test_every_curl_example_runs(live_server: LiveServer, tmp_path: Path) -> None:
    """Examples run with -f, so that a refusal fails; except for the example that shows one."""
    told = ""
    for example in examples("sh"):
        failing = 'metric=disk.write_speed"' in example
        strict = example if failing else example.replace("curl -s ", "curl -fsS ")
        script = f"set -eu -o pipefail\n{strict}"
        told += run(
            ["bash", "-c", script], live_server, tmp_path, MACMETER_TOKEN=live_server.token()
        )
    for shown in (
        '"disk.write_average"',
        '"created":true',
        "@misc{macmeter-",
        '"type":"rich"',
        '"state":"paused"',
        '"kind":"sides"',
        '"version":"macmeter.corpus/2"',
        '"code":"parameter_required"',
    ):
        assert shown in told, shown
    for picture in ("chart.png", "sides.png", "preview.png"):
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "chart.svg").read_text(encoding="utf-8").startswith("<svg")
    assert (tmp_path / "corpus.parquet").read_bytes()[:4] == b"PAR1"
    assert (tmp_path / "corpus.csv").read_text(encoding="utf-8").startswith("run_id,machine_id,")


def test_every_python_example_runs(live_server: LiveServer, tmp_path: Path) -> None:
    for example in examples("python"):
        told = run([sys.executable, "-I", "-c", example], live_server, tmp_path)
        assert re.search(r"usb4.* 3\.70 GB/s", told)


def test_every_swift_example_runs(live_server: LiveServer, tmp_path: Path) -> None:
    if shutil.which("swift") is None:
        swift = [str(ROOT / "tools" / "swift"), "root"]
        root = subprocess.run(swift, capture_output=True, text=True, check=True)
        if not (Path(root.stdout.strip()) / ".recipe").exists():
            pytest.skip(
                "Swift examples not run: no swift on PATH, and tools/swift has fetched none"
            )
    for example in examples("swift"):
        # The only file name that may await at its top level.
        (tmp_path / "main.swift").write_text(example, encoding="utf-8")
        build = ["sh", "-c", "swiftc main.swift -o example && ./example"]
        command = [str(ROOT / "tools" / "swift"), "run-in", *build]
        told = run(command, live_server, tmp_path)
        assert re.search(r"GB/s from \d+ runs", told)


def test_every_r_example_runs(live_server: LiveServer, tmp_path: Path) -> None:
    if shutil.which("Rscript") is None:
        pytest.skip(
            "R example not run: no Rscript on PATH (Debian: apt-get install r-cran-jsonlite)"
        )
    for example in examples("r"):
        told = run(["Rscript", "--vanilla", "-e", example], live_server, tmp_path)
        assert re.search(r"internal +7\.660 +\d+$", told, re.MULTILINE), told


def test_the_error_that_is_shown_is_the_servers(live_server: LiveServer) -> None:
    (shown,) = examples("json")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{live_server.url}/api/v1/answer?metric=disk.write_speed")
    told = json.loads(refused.value.read())
    assert json.loads(shown) == {name: told[name] for name in json.loads(shown)}


def test_every_address_that_is_named_exists() -> None:
    served = [re.sub(r"\{[^}]+\}", "[^/?]+", path) for path in openapi()["paths"]]
    for named in set(re.findall(r"\$MACMETER(/api/v1/[^\s?\"&]+)", TEXT)):
        assert any(re.fullmatch(path, named) for path in served), named
