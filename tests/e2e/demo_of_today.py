"""Copy a loaded demo into DATA_DIR, where `make demo` finds nothing to do."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.seeds import seeded_demo

if __name__ == "__main__":
    seeded_demo(Path(sys.argv[1]), int(sys.argv[2]))
