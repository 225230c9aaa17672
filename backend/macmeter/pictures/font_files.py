"""The fonts that pictures are set in: for their layout, and for the process that draws them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

Weight = Literal["regular", "semibold"]

FOLDER = Path(__file__).with_name("fonts")
FILES: dict[Weight, Path] = {
    "regular": FOLDER / "IBMPlexSans-Regular.ttf",
    "semibold": FOLDER / "IBMPlexSans-SemiBold.ttf",
}
