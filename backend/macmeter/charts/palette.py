"""The colours of a picture: those of the dashboard (frontend/src/ui/tokens.css), light and dark.

A storage kind keeps its hue everywhere; Thunderbolt generations are tints of one blue, USB of
one green. Colour is never the only code: mark, dash and position tell the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

ThemeName = Literal["light", "dark"]


@dataclass(frozen=True)
class Theme:
    paper: str
    ink: str
    ink_2: str
    ink_3: str
    rule: str
    doubt: str
    storage: Mapping[str, str] = field(repr=False)

    def of_group(self, key: Mapping[str, Any]) -> str:
        """Its storage kind's colour where the question tells kinds apart, else ink."""
        if "storage" not in key:
            return self.ink_2
        return self.storage.get(str(key["storage"]), self.storage["other"])


_STORAGE = {
    "internal": ("#1c1c1a", "#ebe8e0"),
    "thunderbolt5": ("#00558c", "#5aa9e6"),
    "thunderbolt4": ("#1f7ab8", "#7fbfee"),
    "thunderbolt3": ("#3a8fc4", "#a5d3f3"),
    "usb4": ("#007a59", "#2fbf94"),
    "usb3": ("#4b9579", "#86d9bd"),
    "disk_image": ("#a06c00", "#e3a93a"),
    "virtual_disk": ("#a3487f", "#dd8fbd"),
    "ebs": ("#77721b", "#d3cb5e"),
    "network": ("#6d5a9c", "#b3a1e0"),
    "sd_card": ("#7d5a3c", "#c9a07c"),
    "other": ("#75726a", "#a39f94"),
}

THEMES: dict[ThemeName, Theme] = {
    "light": Theme(
        paper="#f6f5f1",
        ink="#1c1c1a",
        ink_2="#4c4a44",
        ink_3="#6a675e",
        rule="#dddad0",
        doubt="#9a1f2e",
        storage={kind: light for kind, (light, _) in _STORAGE.items()},
    ),
    "dark": Theme(
        paper="#121311",
        ink="#ebe8e0",
        ink_2="#b9b5aa",
        ink_3="#969185",
        rule="#2d2e2a",
        doubt="#f08a93",
        storage={kind: dark for kind, (_, dark) in _STORAGE.items()},
    ),
}

# Dashes tell series of one colour apart; the first is a full line.
DASHES = ("", "6 3", "2 2.5", "9 3 2 3")
