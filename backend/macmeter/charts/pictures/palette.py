"""Colours of pictures: those of the dashboard (frontend/src/ui/tokens.css), light and dark.

Figures use names (`charts/colours.py`). Thunderbolt generations are tints of one blue, USB of one
green.
"""

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
    hues: Mapping[str, str] = field(repr=False)

    def colour(self, name: str) -> str:
        """Look up a colour by name: "storage-usb4", "tier-super", "family-m4", "ink-2"."""
        kind, _, _ = name.partition("-")
        return self.hues.get(name) or self.hues.get(f"{kind}-other", self.ink_2)


# Light and dark.
_INKS = {
    "paper": ("#f6f5f1", "#121311"),
    "ink": ("#1c1c1a", "#ebe8e0"),
    "ink_2": ("#4c4a44", "#b9b5aa"),
    "ink_3": ("#6a675e", "#969185"),
    "rule": ("#dddad0", "#2d2e2a"),
    "doubt": ("#9a1f2e", "#f08a93"),
}
_HUES = {
    "storage-internal": ("#1c1c1a", "#ebe8e0"),
    "storage-internal-hard-disk": ("#5c5048", "#cfbfb3"),
    "storage-fusion-drive": ("#8a4a3a", "#e0a190"),
    "storage-thunderbolt5": ("#00558c", "#5aa9e6"),
    "storage-thunderbolt4": ("#1f7ab8", "#7fbfee"),
    "storage-thunderbolt3": ("#3a8fc4", "#a5d3f3"),
    "storage-usb4": ("#007a59", "#2fbf94"),
    "storage-usb3": ("#4b9579", "#86d9bd"),
    "storage-disk-image": ("#a06c00", "#e3a93a"),
    "storage-virtual-disk": ("#a3487f", "#dd8fbd"),
    "storage-ebs": ("#77721b", "#d3cb5e"),
    "storage-network": ("#6d5a9c", "#b3a1e0"),
    "storage-sd-card": ("#7d5a3c", "#c9a07c"),
    "storage-other": ("#75726a", "#a39f94"),
    "tier-super": ("#6b3fa0", "#b99be8"),
    "tier-performance": ("#a4480f", "#f0a35e"),
    "tier-efficiency": ("#2a6f97", "#74b9e0"),
    "tier-performance-efficiency": ("#5d6b1e", "#bccb74"),
    "tier-other": ("#75726a", "#a39f94"),
    "family-m1": ("#4a55a2", "#a3adf2"),
    "family-m2": ("#96305f", "#e78fb6"),
    "family-m3": ("#1f7672", "#63c7c1"),
    "family-m4": ("#a4480f", "#f0a35e"),
    "family-m5": ("#5d6b1e", "#bccb74"),
}


def _theme(index: int) -> Theme:
    inks, hues = ({name: pair[index] for name, pair in table.items()} for table in (_INKS, _HUES))
    return Theme(**inks, hues=hues)


THEMES: dict[ThemeName, Theme] = {"light": _theme(0), "dark": _theme(1)}
