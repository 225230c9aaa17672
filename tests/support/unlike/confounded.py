"""Small fleets in which what is compared is confounded with something else, or is not.

Encrypted volumes have 0.90 times the speed of plain ones wherever encryption is planted. All are
external drives of one link, for which `none` is a possible value.
"""

from __future__ import annotations

from dataclasses import replace

from support.unlike.design import COMPRESSION, DISK, Design, Effect, Lot, Noise, Values

ENCRYPTED: Values = {"encryption": "apfs_encrypted"}
PLAIN: Values = {"encryption": "none"}
LOSS = Effect(0.90, ENCRYPTED)
# Effect of a chip's ports on the same drive: the confounder that reverses the sign.
NEWER = Effect(1.8, {"chip": "Apple M4 Max"})
_DRIVE: Values = {"storage": "usb4", "device": "Example USB4 SSD"}
_OLD: Values = {"chip": "Apple M1", **_DRIVE}
_NEW: Values = {"chip": "Apple M4 Max", **_DRIVE}


def wholly(macs: int = 6) -> Design:
    """Encrypted only on M4 Max, plain only on M1: the cost of encryption can't be determined."""
    lots = (Lot("old", macs, {**_OLD, **PLAIN}), Lot("new", macs, {**_NEW, **ENCRYPTED}))
    return Design("wholly", lots, (LOSS, NEWER))


def uneven(many: int = 25, few: int = 5) -> Design:
    """Both chips on both sides in different proportions: the crude ratio has the wrong sign."""
    lots = (
        Lot("new", many, {**_NEW, **ENCRYPTED}),
        Lot("old", few, {**_OLD, **ENCRYPTED}),
        Lot("new", few, {**_NEW, **PLAIN}, first=many),
        Lot("old", many, {**_OLD, **PLAIN}, first=few),
    )
    return Design("uneven", lots, (LOSS, NEWER))


def one_shared(encrypted: int = 31, plain: int = 30) -> Design:
    """Only one plain Mac in the shared stratum: all other plain ones have the other chip."""
    lots = (
        Lot("new", encrypted, {**_NEW, **ENCRYPTED}),
        Lot("new", 1, {**_NEW, **PLAIN}, first=encrypted),
        Lot("old", plain - 1, {**_OLD, **PLAIN}),
    )
    return Design("one shared", lots, (LOSS, NEWER))


def macos_within(macs: int = 8) -> Design:
    """Chips are shared, but within each all encrypted volumes were measured under a later macOS."""
    later = {"os_version": "26.5"}
    lots = tuple(
        Lot(name, macs, {**states, **side}, first=first)
        for name, states in (("old", _OLD), ("new", _NEW))
        for first, side in ((0, {**PLAIN, "os_version": "26.4"}), (macs, {**ENCRYPTED, **later}))
    )
    return Design("macOS within", lots, (LOSS, NEWER, Effect(1.3, later)))


def device(macs: int = 12, factor: float = 1.35) -> Design:
    """Links differ by `factor`, and each link has a drive of another model."""
    slow = {"chip": "Apple M4 Pro", "storage": "usb4", "device": "Slow SSD", **PLAIN}
    fast = {**slow, "storage": "thunderbolt5", "device": "Fast SSD"}
    effects = (Effect(factor, {"storage": "thunderbolt5"}), Effect(0.8, {"device": "Slow SSD"}))
    return Design("device", (Lot("slow", macs, slow), Lot("fast", macs, fast)), effects)


def nothing(macs: int = 12, factor: float = 0.90) -> Design:
    """The same models, chips and macOS on both sides, in the same proportions."""
    lots = tuple(
        Lot(name, macs, {**states, **side}, first=first)
        for name, states in (("old", _OLD), ("new", _NEW))
        for first, side in ((0, PLAIN), (macs, ENCRYPTED))
    )
    return Design("nothing", lots, (Effect(factor, ENCRYPTED), NEWER))


def clusters(models: int = 5, macs: int = 3, between: float = 0.05, within: float = 0.01) -> Design:
    """Plain volumes on some models, encrypted on others: the only effect is that of each model."""
    lots = tuple(
        Lot(f"{side['encryption']} {n}", macs, {**_NEW, **side, "model": f"Mac{20 + index},{n}"})
        for index, side in enumerate((PLAIN, ENCRYPTED))
        for n in range(models)
    )
    return Design("clusters", lots, noise=Noise(model=between, mac=within))


def seasons(macs: int = 12, drift: float = 1.05) -> Design:
    """Plain volumes in June, encrypted ones in November, when everything is faster."""
    lots = (
        Lot("june", macs, {**_NEW, **PLAIN}, days=(1, 25)),
        Lot("november", macs, {**_NEW, **ENCRYPTED}, days=(154, 170)),
    )
    return Design("seasons", lots, (Effect(drift, {"month": "2026-11"}),))


def two_drives(macs: int = 10, factor: float = 0.90) -> Design:
    """Very different Macs with the same two drives each: they pair by Mac."""
    fast = {"chip": "Apple M4 Pro", "storage": "usb4", "device": "Fast SSD", **PLAIN}
    slow = {**fast, "device": "Slow SSD"}
    effects = (Effect(factor, {"device": "Slow SSD"}),)
    lots = (Lot("mac", macs, fast), Lot("mac", macs, slow))
    return Design("two drives", lots, effects, Noise(mac=0.25))


def one_pair(macs: int = 40, factor: float = 1.10) -> Design:
    """Many Macs per side, and one with both, on which encryption has the wrong effect `factor`."""
    odd = {**_NEW, "label:seat": "odd"}
    lots = (
        Lot("plain", macs, {**_NEW, **PLAIN}),
        Lot("encrypted", macs, {**_NEW, **ENCRYPTED}),
        Lot("odd", 1, {**odd, **PLAIN}),
        Lot("odd", 1, {**odd, **ENCRYPTED}),
    )
    wrong = Effect(factor / LOSS.factor, {**ENCRYPTED, "label:seat": "odd"})
    return Design("one pair", lots, (LOSS, wrong))


def slowed(macs: int = 6, factor: float = 0.70, runs: int = 8, after: int = 2) -> Design:
    """One of some Macs writes at `factor` of its speed since an update, `after` runs ago."""
    states = {"chip": "Apple M4 Pro", "os_version": "26.1"}
    length = 160.0
    updated = length * (1 - after / runs)
    later = {"os_version": ((updated, "26.2"),)}
    usual = Lot("usual", macs - 1, states, runs=runs, days=(0, length), later=later)
    slow_lot = replace(usual, name="slow", macs=1, has={**states, "label:seat": "slow"})
    hit = Effect(factor, {"os_version": "26.2", "label:seat": "slow"}, ("disk.write",))
    return Design("slowed", (usual, slow_lot), (hit,))


def updated(macs: int = 8, factor: float = 0.85) -> Design:
    """Compression under 26.4 is at `factor` of before; chips got 26.4 in different numbers."""
    before, after = {"os_version": "26.3"}, {"os_version": "26.4"}
    suites = (COMPRESSION, DISK)
    lots = (
        Lot("m3", macs, {"chip": "Apple M3", **before}, suites),
        Lot("m3", 2 * macs, {"chip": "Apple M3", **after}, suites, first=macs),
        Lot("m3 max", 2 * macs, {"chip": "Apple M3 Max", **before}, suites),
        Lot("m3 max", macs, {"chip": "Apple M3 Max", **after}, suites, first=2 * macs),
    )
    return Design("updated", lots, (Effect(factor, after, ("compression.",)),))


DESIGNS = {
    design.name: design
    for design in (
        *(wholly(), uneven(), one_shared(), macos_within(), device(), nothing(), clusters()),
        *(seasons(), two_drives(), one_pair(), slowed(), updated()),
    )
}
