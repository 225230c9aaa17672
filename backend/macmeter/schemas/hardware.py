"""A chip, a model or a Mac: its facts, and its figures among others."""

from dataclasses import dataclass, field
from typing import Literal

from macmeter.catalog.terms import Value
from macmeter.schemas.machines import Line, Ranks, Step

Kind = Literal["chips", "models", "machines"]


@dataclass(frozen=True, slots=True)
class Hardware:
    """A chip, model or Mac. `slug` is its address below /chips or /models; `where` filters its
    runs.

    `identifiers` are Apple's for a model: Mac16,11.
    """

    slug: str
    name: str
    where: list[str]
    runs: int
    machines: int
    identifiers: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Other:
    """Figure of another one of its kind. A Mac among Macs has no name here."""

    value: float
    name: str | None = None
    slug: str | None = None


@dataclass(frozen=True, slots=True)
class Headline:
    """A figure, and the same figure of others of its kind, by the same method.

    `rank` counts from 1, the best first, up to `of`; ties share the better rank. `canonical` asks
    for all of them. A Mac's own `value` is the level of its `line` now, `usual` that of
    all its runs, and `line` how its main line moved. `widened`: no other has the same encryption,
    so they are compared whichever they have.
    """

    metric: str
    unit: str
    better: str
    parameters: dict[str, Value]
    canonical: str
    method: str
    method_version: int
    published: bool
    value: float
    low: float | None
    high: float | None
    machines: int
    runs: int
    rank: int
    of: int
    others: list[Other]
    os_version: str | None = None
    usual: float | None = None
    all_runs: int | None = None
    line: Line | None = None
    widened: bool = False


@dataclass(frozen=True, slots=True)
class Peers:
    """Median change of other Macs across a step, as a ratio, with a 95% interval of six or more."""

    machines: int
    effect: float
    low: float | None
    high: float | None


VerdictKind = Literal["changed", "unsure", "steady", "placed", "quick", "none"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a Mac's own results say about it.

    `shown` is the place of the headline it is about. "changed": a test found its step. "unsure":
    its step is large, and has too few days to be tested. "steady": tests found no step of
    `smallest` or more; `tested` counts their lines, without that of a step. "placed": it has too
    few days for a test. "quick": only quick runs, as in `ranks`. "none": nothing is compared.
    `chip` and `virtual` name its peers. `old_agent` is the version of the agent behind the newest
    run if there is a newer one.
    """

    kind: VerdictKind
    chip: str | None
    virtual: bool
    shown: int | None = None
    step: Step | None = None
    peers: Peers | None = None
    tested: int = 0
    smallest: float = 0.0
    ranks: Ranks | None = None
    old_agent: str | None = None


@dataclass(frozen=True, slots=True)
class HardwareDetail:
    """A chip, model or Mac with its figures.

    `related` are the models of a chip, a model with other chips, or a Mac's model. Only a Mac has a
    `verdict`.
    """

    kind: Kind
    thing: Hardware
    headlines: list[Headline]
    related: list[Hardware]
    suites: dict[str, int]
    verdict: Verdict | None = None
