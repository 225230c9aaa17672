"""The colours of a picture: those of the dashboard (frontend/src/ui/tokens.css), light and dark.

Figures give names (`figures/colours.py`). Thunderbolt generations are tints of one blue, USB of one
green.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

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
    tiers: Mapping[str, str] = field(repr=False)
    families: Mapping[str, str] = field(repr=False)

    def colour(self, name: str) -> str:
        """Look up a colour by name: "storage-usb4", "tier-super", "family-m4", "ink-2"."""
        kind, _, of = name.partition("-")
        hues = {"storage": self.storage, "tier": self.tiers, "family": self.families}.get(kind)
        return self.ink_2 if hues is None else hues.get(of, hues.get("other", self.ink_2))


_STORAGE = {
    "internal": ("#1c1c1a", "#ebe8e0"),
    "internal-hard-disk": ("#5c5048", "#cfbfb3"),
    "fusion-drive": ("#8a4a3a", "#e0a190"),
    "thunderbolt5": ("#00558c", "#5aa9e6"),
    "thunderbolt4": ("#1f7ab8", "#7fbfee"),
    "thunderbolt3": ("#3a8fc4", "#a5d3f3"),
    "usb4": ("#007a59", "#2fbf94"),
    "usb3": ("#4b9579", "#86d9bd"),
    "disk-image": ("#a06c00", "#e3a93a"),
    "virtual-disk": ("#a3487f", "#dd8fbd"),
    "ebs": ("#77721b", "#d3cb5e"),
    "network": ("#6d5a9c", "#b3a1e0"),
    "sd-card": ("#7d5a3c", "#c9a07c"),
    "other": ("#75726a", "#a39f94"),
}

_TIERS = {
    "super": ("#6b3fa0", "#b99be8"),
    "performance": ("#a4480f", "#f0a35e"),
    "efficiency": ("#2a6f97", "#74b9e0"),
    "performance-efficiency": ("#5d6b1e", "#bccb74"),
    "other": ("#75726a", "#a39f94"),
}

_FAMILIES = {
    "m1": ("#4a55a2", "#a3adf2"),
    "m2": ("#96305f", "#e78fb6"),
    "m3": ("#1f7672", "#63c7c1"),
    "m4": ("#a4480f", "#f0a35e"),
    "m5": ("#5d6b1e", "#bccb74"),
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
        tiers={tier: light for tier, (light, _) in _TIERS.items()},
        families={family: light for family, (light, _) in _FAMILIES.items()},
    ),
    "dark": Theme(
        paper="#121311",
        ink="#ebe8e0",
        ink_2="#b9b5aa",
        ink_3="#969185",
        rule="#2d2e2a",
        doubt="#f08a93",
        storage={kind: dark for kind, (_, dark) in _STORAGE.items()},
        tiers={tier: dark for tier, (_, dark) in _TIERS.items()},
        families={family: dark for family, (_, dark) in _FAMILIES.items()},
    ),
}
