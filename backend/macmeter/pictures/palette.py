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
    tiers: Mapping[str, str] = field(repr=False)
    families: Mapping[str, str] = field(repr=False)

    def of_group(self, key: Mapping[str, Any]) -> str:
        """Its storage kind's, core tier's or chip family's, where the question tells them apart."""
        if "storage" in key:
            return self.storage.get(str(key["storage"]), self.storage["other"])
        if (tier := key.get("core_context") or key.get("tier")) is not None:
            return self.tiers.get(str(tier).split("/")[0], self.tiers["other"])
        if (chip := key.get("chip_family") or key.get("chip")) is not None:
            return self.families.get(_family(str(chip)), self.ink_2)
        return self.ink_2


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

_TIERS = {
    "Super": ("#6b3fa0", "#b99be8"),
    "Performance": ("#a4480f", "#f0a35e"),
    "Efficiency": ("#2a6f97", "#74b9e0"),
    "Performance+Efficiency": ("#5d6b1e", "#bccb74"),
    "other": ("#75726a", "#a39f94"),
}

_FAMILIES = {
    "M1": ("#4a55a2", "#a3adf2"),
    "M2": ("#96305f", "#e78fb6"),
    "M3": ("#1f7672", "#63c7c1"),
    "M4": ("#a4480f", "#f0a35e"),
    "M5": ("#5d6b1e", "#bccb74"),
}


def _family(chip: str) -> str:
    """M4 of Apple M4 Pro, and of M4 itself."""
    return next((word for word in chip.split() if word in _FAMILIES), "")


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

# Dashes tell series of one colour apart; the first is a full line.
DASHES = ("", "6 3", "2 2.5", "9 3 2 3")
