"""A chip, a model or a Mac: its facts, and its figures among others."""

from dataclasses import dataclass, field
from typing import Literal

from macmeter.catalog.terms import Value
from macmeter.schemas.machines import Step

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

    `rank` counts from 1, the best first; ties share the better rank. `canonical` asks for all of
    them. A Mac's own `value` is that of its latest runs on its macOS, `usual` that of all its runs,
    and `steps` are how its main line moved.
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
    others: list[Other]
    os_version: str | None = None
    usual: float | None = None
    all_runs: int | None = None
    steps: list[Step] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class HardwareDetail:
    """A chip, model or Mac with its figures.

    `related` are the models of a chip, a model with other chips, or a Mac's model.
    """

    kind: Kind
    thing: Hardware
    headlines: list[Headline]
    related: list[Hardware]
    suites: dict[str, int]
