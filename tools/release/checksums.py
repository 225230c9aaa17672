#!/usr/bin/env python3
"""Write SHA256SUMS over a release's files, and sign it.

    tools/release/checksums.py [DIR]    (dist)

RELEASE_KEY is the private key, in PEM, of backend/macmeter/server/installing/release.pem. Without
it the list isn't signed, and this says so. docs/releasing.md explains how the pair is made.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from pathlib import Path

from project import CHECKSUMS, DIST, ROOT, SIGNATURE, Refused, run, step

PUBLIC_KEY = ROOT / "backend/macmeter/server/installing/release.pem"


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DIST
    names = sorted(path.name for path in folder.glob("[!.]*") if path.is_file())
    files = [name for name in names if name not in (CHECKSUMS, SIGNATURE)]
    if not files:
        raise Refused(f"{folder} has no files")
    lines = (f"{digest(folder / name)}  {name}\n" for name in files)
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")
    (folder / SIGNATURE).unlink(missing_ok=True)
    key = os.environ.get("RELEASE_KEY")
    if key:
        sign(folder / CHECKSUMS, folder / SIGNATURE, key)
    elif PUBLIC_KEY.exists():
        raise Refused("the release has a public key (release.pem): set RELEASE_KEY")
    else:
        print("Not signed: RELEASE_KEY is not set.", file=sys.stderr)
    print(folder / CHECKSUMS)


def digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def sign(checksums: Path, signature: Path, key: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        private = Path(directory) / "key.pem"
        private.touch(mode=0o600)
        private.write_text(key, encoding="utf-8")
        run("openssl", "dgst", "-sha256", "-sign", private, "-out", signature, checksums)
    if not PUBLIC_KEY.exists():
        print("Nobody can check the signature yet: release.pem is missing.", file=sys.stderr)
        return
    # A server with another key would refuse every file of this release.
    check = ("openssl", "dgst", "-sha256", "-verify", PUBLIC_KEY, "-signature", signature)
    run(*check, checksums)


if __name__ == "__main__":
    step(main)
