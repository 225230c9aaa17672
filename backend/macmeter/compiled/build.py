"""Compiles the loops: `python -m macmeter.compiled.build`, after which `loops` can be imported.

The library lies beside its sources and has their digest in its name, so that another version's is
never taken for this one's.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
# Figures have the same digits everywhere: no product and sum are rounded as one.
_OPTIONS = ("-O3", "-std=c11", "-shared", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off")
_WARNINGS = ("-Wall", "-Wextra", "-Werror")
_NAMES = ("cc", "gcc", "clang")


class NoCompilerError(Exception):
    """There is no C compiler."""

    def __init__(self) -> None:
        super().__init__(
            "A C compiler is needed: install gcc or clang, name one with CC, "
            "or install the Python package ziglang, which brings one"
        )


def library() -> Path:
    """Where the library of this version of the sources is, once it is compiled."""
    content = (path.read_bytes() for path in sorted(FOLDER.glob("*.[ch]")))
    digest = hashlib.sha256(b"\0".join(content)).hexdigest()
    return FOLDER / f"loops-{digest[:16]}.so"


def compiler() -> list[str]:
    """The command of a C compiler: that of CC, the system's own, or Zig's."""
    if named := os.environ.get("CC"):
        return shlex.split(named)
    for name in _NAMES:
        if shutil.which(name) is not None:
            return [name]
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc"]
    raise NoCompilerError


def build() -> Path:
    """Compiles the library if it is not there, and removes those of other versions."""
    target = library()
    if not target.exists():
        made = target.with_suffix(f".{os.getpid()}")
        sources = sorted(FOLDER.glob("*.c"))
        subprocess.run([*compiler(), *_OPTIONS, *_WARNINGS, *sources, "-o", made], check=True)
        made.replace(target)
    for other in FOLDER.glob("loops-*.so"):
        if other != target:
            other.unlink(missing_ok=True)
    return target


if __name__ == "__main__":
    try:
        build()
    except NoCompilerError as error:
        sys.exit(str(error))
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"The loops were not compiled: {error}")
