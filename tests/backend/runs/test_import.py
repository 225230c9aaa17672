"""`macmeter-server import`: every valid line of the files is stored once, whatever ends it."""

from __future__ import annotations

import gzip
import hashlib
import json
import signal
import subprocess
import time
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from backports import zstd
from macmeter.accounts import tokens
from macmeter.models import Document, Machine, Result, Run, RunId
from macmeter.platform import database
from macmeter.platform.processes import template
from macmeter.runs.transfer.lines import LONGEST_LINE
from macmeter.server.cli import main
from sqlalchemy import Engine, create_engine, func, select
from support.commands import COMMAND, begun, command, ndjson, run_command
from support.documents import disk_run, encoded
from support.live_server import LiveServer
from support.poison import READABLE, UNREADABLE
from support.server import Server
from support.thorough import some


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = create_engine(database.normalise(database_url))
    yield engine
    engine.dispose()


def count(engine: Engine, model: type) -> int:
    with engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(model)) or 0


def fleet(engine: Engine) -> uuid.UUID:
    with engine.begin() as connection:
        return tokens.local_fleet(connection)


async def test_every_kind_of_file_is_read(server: Server, tmp_path: Path) -> None:
    machine = str(uuid.uuid4())
    runs = [encoded(disk_run(machine=machine, write=speed * 1e9)) for speed in range(1, 6)]
    (tmp_path / "plain").write_bytes(b"\xef\xbb\xbf" + runs[0] + b"\r\n\n  \n")
    (tmp_path / "gzip").write_bytes(gzip.compress(runs[1] + b"\n") + gzip.compress(runs[2]))
    (tmp_path / "zstd").write_bytes(zstd.compress(runs[3]))
    process = subprocess.run(
        [COMMAND, "import", "--public", "plain", "gzip", "zstd", "-"],
        input=gzip.compress(runs[4]),
        cwd=tmp_path,
        env={"DATABASE_URL": server.database_url},
        capture_output=True,
        check=True,
    )
    assert b"import: 5 runs stored" in process.stderr
    (group,) = await server.groups("metric=disk.write_average")
    assert (group["runs"], group["median"]) == (5, 3e9)


def test_the_same_file_again_changes_nothing(
    database_url: str, engine: Engine, tmp_path: Path
) -> None:
    file = ndjson(tmp_path / "runs.ndjson", [disk_run() for _ in range(5)])
    assert command(database_url, "import", "--public", str(file)).returncode == 0
    with engine.connect() as connection:
        before = connection.execute(select(Run.__table__).order_by(Run.run_id)).all()
    again = command(database_url, "import", "--public", str(file), str(file))
    assert again.returncode == 0
    assert "0 runs stored, 10 already stored" in again.stderr
    with engine.connect() as connection:
        assert connection.execute(select(Run.__table__).order_by(Run.run_id)).all() == before


def test_a_refused_line_is_named_and_takes_no_other_with_it(
    database_url: str, engine: Engine, tmp_path: Path
) -> None:
    good = [disk_run(), disk_run()]
    twin = {**good[0], "labels": {"bay": "2"}}
    unknown = disk_run(series=[{"metric": "disk.flavour", "values": [1]}])
    lines: list[dict[str, object] | bytes] = [
        good[0],
        b'{"schema":',
        {**disk_run(), "surplus": 1, "state": "half"},
        unknown,
        twin,
        disk_run(source="imported"),
        b"[" + b"9" * (LONGEST_LINE + 1) + b"]",
        disk_run(simulated=True),
        b"\xff",
        good[1],
    ]
    file = ndjson(tmp_path / "runs.ndjson", lines)
    process = command(database_url, "import", "--public", str(file))
    assert process.returncode == 1
    errors = process.stderr.splitlines()
    refused = [line.removeprefix(f"{file}:") for line in errors if line.startswith(str(file))]
    assert [(line.split(":")[0], line.split(" ")[1]) for line in refused] == [
        ("2", "Expecting"),
        ("3", "/state:"),
        ("3", "/surplus:"),
        ("4", "/series/0/metric:"),
        ("5", "Another"),
        ("6", "/tool:"),
        ("7", "A"),
        ("8", "/simulated:"),
        ("9", "not"),
    ]
    assert "2 runs stored, 8 lines refused" in errors[-1]
    assert count(engine, Run) == 2


def test_a_fleet_keeps_its_runs_to_itself_and_machines_stay_whose_they_are(
    database_url: str, engine: Engine, tmp_path: Path
) -> None:
    fleet_runs, public = [disk_run(), disk_run()], disk_run()
    fleet_id = fleet(engine)
    fleet_file = ndjson(tmp_path / "ours", fleet_runs)
    assert command(database_url, "import", "--fleet", "local", str(fleet_file)).returncode == 0
    with engine.connect() as connection:
        for model in (Run, Machine):
            assert set(connection.scalars(select(model.fleet_id))) == {fleet_id}
        assert set(connection.scalars(select(Run.visibility))) == {"private"}
    stray = {**disk_run(), "machine": fleet_runs[0]["machine"]}
    run = command(database_url, "import", "--public", str(ndjson(tmp_path / "p", [public, stray])))
    assert run.returncode == 1
    assert "p:2: /machine/id: It belongs to the fleet local" in run.stderr
    assert "1 run stored, 1 line refused" in run.stderr


def many(path: Path, count: int) -> Path:
    machines = [str(uuid.uuid4()) for _ in range(20)]
    return ndjson(path, (disk_run(machine=machines[i % 20], write=1e9 + i) for i in range(count)))


# A batch is 250 lines: as long as its input continues, an import stores whole batches.
@pytest.mark.thorough
@pytest.mark.parametrize("total", some([600, 1_500]))
def test_after_an_interruption_and_a_kill_it_goes_on_and_stores_each_run_once(
    database_url: str, engine: Engine, tmp_path: Path, total: int
) -> None:
    file = many(tmp_path / "runs.ndjson", total)
    lines = file.read_text().splitlines(keepends=True)

    def cut_short(lines: list[str], how: signal.Signals) -> tuple[int, str]:
        """End it once it has stored something, while it waits for the rest of its input."""
        before = count(engine, Run)
        with begun(database_url, "import", "--public", "-", stdin=subprocess.PIPE) as importing:
            assert importing.stdin is not None
            importing.stdin.write("".join(lines))
            importing.stdin.flush()
            while count(engine, Run) == before and importing.poll() is None:
                time.sleep(0.02)
            if template.CAN_FORK:
                assert executed(importing.pid) == []
            importing.send_signal(how)
            assert importing.stderr is not None
            errors = importing.stderr.read()
            return importing.wait(300), errors

    half = total // 2
    status, errors = cut_short(lines[:half], signal.SIGINT)
    assert status == 130, errors
    assert "the same command goes on from here" in errors
    assert 0 < count(engine, Run) <= half
    assert cut_short(lines[: total - half // 6], signal.SIGKILL)[0] == -signal.SIGKILL
    process = command(database_url, "import", "--public", str(file))
    assert process.returncode == 0, process.stderr
    for model in (RunId, Run, Document):
        assert count(engine, model) == total
    assert count(engine, Result) == 2 * total


def executed(pid: int) -> list[list[str]]:
    """Command lines of its processes that were executed, and so import everything they need."""
    children = psutil.Process(pid).children(recursive=True)
    return [line for line in (child.cmdline() for child in children) if "-m" in line]


@pytest.mark.thorough
@pytest.mark.parametrize("total", some([300, 900]))
def test_two_at_once_share_the_work(
    database_url: str, engine: Engine, tmp_path: Path, total: int
) -> None:
    file = many(tmp_path / "runs.ndjson", total)
    processes = [begun(database_url, "import", "--public", str(file)) for _ in range(2)]
    errors = [importing.communicate(timeout=300)[1] for importing in processes]
    assert [importing.returncode for importing in processes] == [0, 0], errors
    assert (count(engine, Run), count(engine, Result)) == (total, 2 * total)


@pytest.mark.thorough
def test_a_server_that_runs_answers_with_the_runs(live_server: LiveServer, tmp_path: Path) -> None:
    runs = [disk_run(labels={"test": "import"}, chip="Apple M3") for _ in range(3)]
    file = ndjson(tmp_path / "runs.ndjson", runs)
    process = run_command(live_server.environment, "import", "--public", str(file))
    assert process.returncode == 0, process.stderr
    url = f"{live_server.url}/api/v1/answer?metric=disk.write_average&by=label:test"
    with urllib.request.urlopen(url) as response:
        groups = json.load(response)["results"][0]["groups"]
    (imported,) = [group for group in groups if group["key"] == {"label:test": "import"}]
    assert imported["runs"] == 3


GOOD = encoded(disk_run())
BAD_INPUT = {
    "no FILE": ([], None, "the following arguments are required: FILE"),
    "missing": (["--public", "FILE"], None, "FILE: there is no such file."),
    "a directory": (["--public", "."], None, ". is a directory: name the files in it."),
    "not a document": (["--public", "FILE"], b"hello\n", "FILE is not NDJSON: line 1 holds no"),
    "an array": (["--public", "FILE"], b"[{}]\n", "FILE is a JSON array, not NDJSON."),
    "over lines": (["--public", "FILE"], b'{\n "id": 1}\n', "FILE is not NDJSON: line 1 ends"),
    "Parquet": (["--public", "FILE"], b"PAR1....", "FILE is Parquet, which holds results"),
    "the corpus": (["--public", "FILE"], b"run_id,machine_id\n", "FILE is a corpus of results"),
    "xz": (["--public", "FILE"], b"\xfd7zXZ\0..", "FILE is compressed by xz: unpack it"),
    "cut gzip": (["--public", "FILE"], gzip.compress(GOOD)[:40], "the gzip data ends before"),
    "cut zstd": (["--public", "FILE"], zstd.compress(GOOD)[:40], "the zstd data ends before"),
    "damaged gzip": (
        ["--public", "FILE"],
        gzip.compress(GOOD)[:10] + b"\xff" * 99,
        "the gzip data is damaged. Copy the file again, whole.",
    ),
    "nobody's": (["FILE"], GOOD, "FILE: A document alone does not say whose it is: give --fleet"),
    "unknown fleet": (["--fleet", "x", "FILE"], GOOD, "--fleet x: there is no such fleet."),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_told_with_what_to_do(
    case: str,
    database_url: str,
    engine: Engine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments, content, words = BAD_INPUT[case]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", database_url)
    if content is not None:
        (tmp_path / "FILE").write_bytes(content)
    with pytest.raises(SystemExit) as exit_info:
        main(["import", *arguments])
    errors = capsys.readouterr().err
    assert (exit_info.value.code, words in errors) == (2, True), errors
    assert count(engine, Run) == 0


def test_what_was_read_before_a_file_broke_off_is_stored(
    database_url: str, engine: Engine, tmp_path: Path
) -> None:
    content = ndjson(tmp_path / "all", [disk_run() for _ in range(600)]).read_bytes()
    file = tmp_path / "cut.gz"
    file.write_bytes(gzip.compress(content)[:-15_000])
    process = command(database_url, "import", "--public", str(file))
    assert process.returncode == 1
    assert "the gzip data ends before its end. Copy the file again, whole." in process.stderr
    assert 0 < count(engine, Run) < 600


def test_a_database_that_does_not_answer_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgresql://x@/x?host={tmp_path}")
    file = ndjson(tmp_path / "runs.ndjson", [disk_run()])
    with pytest.raises(SystemExit, match=r"^macmeter-server: the database does not answer.*"):
        main(["import", "--public", str(file)])


@pytest.mark.parametrize("owned", [True, False], ids=["documents", "lines of an export"])
def test_lines_of_any_kind_keep_no_other_from_being_stored(
    database_url: str, engine: Engine, tmp_path: Path, owned: bool
) -> None:
    """A line doesn't end the import, whether or not today's rules accept it."""
    lines = []
    for change in (READABLE | UNREADABLE).values():
        content = change(encoded(disk_run())).replace(b"\n", b" ")
        good = encoded(disk_run())
        lines += [content, good] if owned else [exported(content), exported(good)]
    file = tmp_path / "runs.ndjson"
    file.write_bytes(encoded(disk_run()) + b"\n" + b"\n".join(lines) + b"\n")
    process = command(database_url, "import", "--public", str(file))
    assert process.returncode == 1, process.stderr
    assert "Traceback" not in process.stderr
    assert "lines refused" in process.stderr
    stored = count(engine, Run)
    assert stored > len(READABLE | UNREADABLE)
    again = command(database_url, "import", "--public", str(file))
    assert f"0 runs stored, {stored} already stored" in again.stderr


def exported(content: bytes) -> bytes:
    """Line of an export by a server that accepted this document."""
    facts = {
        "schema": "macmeter.export/1",
        "sha256": hashlib.sha256(content).hexdigest(),
        "received_at": "2026-11-20T10:00:00Z",
        "visibility": "public",
    }
    return json.dumps(facts, separators=(",", ":")).encode()[:-1] + b',"document":' + content + b"}"
