#!/usr/bin/env python3
"""Pack the agent for the system it was built on: macmeter-VERSION-PLATFORM.tar.gz.

    tools/release/archive.py [--out DIR] [--binary FILE] [--platform NAME]

--out       where the archive goes (dist)
--binary    the program, instead of building it with tools/agent-build
--platform  what to call it: macos-arm64, linux-x86_64, linux-arm64 (this system)

On a Mac, SIGN_APPLICATION names the identity that signs the program; without it the program is
signed ad hoc, which is enough where curl or Homebrew downloads it. The archive holds bin and share
as they are installed below /usr/local, with the licence. Two archives of one program are the same
bytes. Prints the archive's path.
"""

from __future__ import annotations

import argparse
import gzip
import os
import platform
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from project import DIST, ROOT, Refused, run, step, version

PLATFORMS = {
    ("Darwin", "arm64"): "macos-arm64",
    ("Linux", "x86_64"): "linux-x86_64",
    ("Linux", "aarch64"): "linux-arm64",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DIST)
    parser.add_argument("--binary", type=Path)
    parser.add_argument("--platform", choices=PLATFORMS.values(), default=this_platform())
    options = parser.parse_args()
    if options.platform is None:
        raise Refused(f"there is no agent for {platform.system()} on {platform.machine()}")
    command, binary = built() if options.binary is None else (options.binary, options.binary)
    stated_version = run(command, "--version").split(" ")[0].strip()
    if stated_version != version():
        raise Refused(f"{binary} is version {stated_version}, and the sources are {version()}")
    with tempfile.TemporaryDirectory() as directory:
        tree = Path(directory)
        installing = ROOT / "agent/Packaging/install.sh"
        run(installing, "--binary", command, "--root", tree, "--prefix", "/")
        program = tree / "bin/macmeter"
        shutil.copy(binary, program)
        program.chmod(0o755)
        sign(program)
        licence = tree / "share/doc/macmeter/LICENSE"
        licence.parent.mkdir(parents=True)
        shutil.copy(ROOT / "LICENSE", licence)
        options.out.mkdir(parents=True, exist_ok=True)
        archive = options.out / f"macmeter-{version()}-{options.platform}.tar.gz"
        pack(tree, archive)
    print(archive.resolve())


def this_platform() -> str | None:
    return PLATFORMS.get((platform.system(), platform.machine()))


def built() -> tuple[Path, Path]:
    """The command that runs the agent here, and the program, which a launcher may wrap."""
    command = run(ROOT / "tools/agent-build").splitlines()[-1]
    stamp = (ROOT / "agent/.build/agent-build.stamp").read_text(encoding="utf-8")
    return Path(command), Path(stamp.splitlines()[-1])


def sign(program: Path) -> None:
    identity = os.environ.get("SIGN_APPLICATION")
    if identity:
        run("codesign", "--sign", identity, "--options", "runtime", "--timestamp", program)
    elif platform.system() == "Darwin":
        print("Signed ad hoc only: SIGN_APPLICATION is not set.", file=sys.stderr)


def pack(tree: Path, archive: Path) -> None:
    """Write the files in a fixed order, without the build machine's owners and times."""
    with (
        archive.open("wb") as file,
        gzip.GzipFile("", "wb", 9, file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in sorted(path for path in tree.rglob("*") if path.is_file()):
            name = f"macmeter-{version()}/{path.relative_to(tree)}"
            entry = tarfile.TarInfo(name)
            entry.size = path.stat().st_size
            entry.mode = 0o755 if os.access(path, os.X_OK) else 0o644
            with path.open("rb") as content:
                tar.addfile(entry, content)


if __name__ == "__main__":
    step(main)
