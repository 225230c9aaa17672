"""Load an invented fleet into a running server: `make unlike FLEET=school`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from support.unlike.confounded import DESIGNS
from support.unlike.fleets import FLEETS
from support.unlike.loading import load

_EVERY = FLEETS | DESIGNS

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fleet", choices=_EVERY)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    load(
        _EVERY[options.fleet].with_seed(options.seed),
        Path(os.environ.get("DATA_DIR", "data-unlike")),
        f"http://127.0.0.1:{os.environ.get('PORT', '8002')}",
    )
