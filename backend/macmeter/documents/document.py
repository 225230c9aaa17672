"""The run document `macmeter.run/1`: what an agent sends, field by field.

This model is the contract: `docs/run.v1.schema.json` is generated from it. Units are SI
base units; what is not known is absent (null counts as absent), never 0. Unknown values of
a named field are kept as text; unknown top-level keys are refused, unknown keys further in
are ignored (they stay in the raw document).
"""

from __future__ import annotations

import re
import uuid
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from macmeter.documents.read import MAX_STRING
from macmeter.untyped import Json

SCHEMA = "macmeter.run/1"
# The fullest run of an agent has a few hundred; each new one is a row that stays.
MAX_SERIES = 1_000
MAX_VALUES = 50_000
MAX_TRACE_ROWS = 200_000
MAX_LABELS = 64
MAX_NUMBER = 1e15
_EXACT = 2**53  # beyond it a JSON number no longer tells two integers apart

Text = Annotated[str, StringConstraints(min_length=1, max_length=MAX_STRING)]
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_.+-]{0,63}$")]
Uuid = Annotated[
    str,
    StringConstraints(
        pattern=r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
    ),
]
Count = Annotated[int, Field(gt=0, le=1_000_000)]
Bytes = Annotated[int, Field(ge=0, le=_EXACT)]
Rate = Annotated[float, Field(gt=0, le=1e15)]
Number = Annotated[float, Field(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Parameter = str | bool | Number


def _written(value: Any) -> Any:
    """Times are texts: a bare number would be taken for seconds or milliseconds by its size."""
    if not isinstance(value, str) or not re.match(r"\d{4}-\d{2}-\d{2}", value):
        raise ValueError("a time must be a string such as 2026-11-20T10:00:00Z")
    return value


Timestamp = Annotated[
    datetime,
    BeforeValidator(_written),
    Field(
        strict=False,
        json_schema_extra={"description": "RFC 3339, with its offset from UTC"},
    ),
]


class Part(BaseModel):
    """A nested object: keys of a newer agent are ignored, known ones are strictly typed."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class Method(Part):
    name: Word
    version: Annotated[int, Field(ge=1, le=10_000)]
    parameters: Json = Field(default_factory=dict)


class Tool(Part):
    name: Text
    version: Text | None = None


class Agent(Part):
    version: Text
    commit: Text | None = None
    platform: Text | None = None


class CoreTier(Part):
    name: Text
    cores: Count
    clusters: list[Count] | None = None
    max_frequency: Rate | None = None
    min_frequency: Rate | None = None


class Machine(Part):
    id: Uuid
    model: Text | None = None
    model_name: Text | None = None
    chip: Text | None = None
    gpu_cores: Count | None = None
    memory_bytes: Bytes | None = None
    core_tiers: Annotated[list[CoreTier], Field(max_length=16)] | None = None
    unspecified: bool = False
    """The source does not say which machine it was: never counted in n."""


class VirtualMachine(Part):
    vcpus: Count | None = None
    memory_bytes: Bytes | None = None
    software: Text | None = None
    host_machine_id: Uuid | None = None


class Environment(Part):
    os_version: Text | None = None
    os_build: Text | None = None
    power_source: Text | None = None
    power_mode: Text | None = None
    thermal_state: Text | None = None
    busy: Annotated[list[Text], Field(max_length=32)] | None = None
    rosetta: bool | None = None
    virtual_machine: VirtualMachine | None = None


class ImageHost(Part):
    storage: Text | None = None
    encryption: Text | None = None
    link_speed: Rate | None = None
    device: Text | None = None
    device_id: Text | None = None


class Image(Part):
    format: Text | None = None
    state: Text | None = None
    capacity_bytes: Bytes | None = None
    host: ImageHost | None = None


class Target(Part):
    storage: Text | None = None
    link_speed: Rate | None = None
    device: Text | None = None
    device_id: Text | None = None
    via: Text | None = None
    enclosure: Text | None = None
    simultaneous: Count | None = None
    image: Image | None = None
    encryption: Text | None = None
    file_system: Text | None = None
    capacity_bytes: Bytes | None = None
    free_bytes: Bytes | None = None


class Series(Part):
    """Samples of one metric under the same parameters, in the order they were taken.

    `positions` is each sample's place in the whole run's sequence; `printed` the
    characters of a published figure, one for each value.
    """

    metric: Text
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    values: Annotated[list[Number], Field(min_length=1, max_length=MAX_VALUES, fail_fast=True)]
    positions: (
        Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=MAX_VALUES, fail_fast=True)]
        | None
    ) = None
    printed: Annotated[list[Text], Field(max_length=MAX_VALUES, fail_fast=True)] | None = None
    qualifier: Text | None = None


# Only the first wrong cell is reported: a million of them would take a minute.
Row = Annotated[list[Number | Text | None], Field(fail_fast=True)]


class Trace(Part):
    kind: Word
    interval: Annotated[float, Field(gt=0, le=86_400)] | None = None
    columns: Annotated[list[Text], Field(min_length=1, max_length=64)]
    rows: Annotated[list[Row], Field(max_length=MAX_TRACE_ROWS, fail_fast=True)]


class Warned(Part):
    code: Word
    detail: Text | None = None


class Citation(Part):
    article: Word
    title: Text
    author: Text
    publisher: Text
    published: Annotated[date, BeforeValidator(_written), Field(strict=False)] | None = None
    row: Word


class PublishedRatio(Part):
    """A ratio as printed: `of` one case `to` another. Never turned into a speed."""

    metric: Text
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    value: Annotated[float, Field(gt=0, le=1e6)]
    of: dict[str, Parameter]
    to: dict[str, Parameter]
    qualifier: Text | None = None
    printed: Text


class PublishedRange(Part):
    metric: Text
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    low: Number
    high: Number
    qualifier: Text | None = None
    printed: Text


class RunDocument(BaseModel):
    """One execution of one suite on one machine."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, title=SCHEMA)

    schema_: Annotated[Literal["macmeter.run/1"], Field(alias="schema")]
    id: Uuid
    suite: Word
    source: Literal["measured", "imported", "published"]
    state: Literal["complete", "incomplete"]
    simulated: bool = False
    method: Method
    started_at: Timestamp | None = None
    finished_at: Timestamp | None = None
    agent: Agent | None = None
    tool: Tool | None = None
    citation: Citation | None = None
    machine: Machine
    environment: Environment = Environment()
    target: Target | None = None
    labels: dict[Text, Text] = Field(default_factory=dict)
    series: Annotated[list[Series], Field(max_length=MAX_SERIES)] = Field(default_factory=list)
    published_ratios: Annotated[list[PublishedRatio], Field(max_length=1000)] = Field(
        default_factory=list
    )
    published_ranges: Annotated[list[PublishedRange], Field(max_length=1000)] = Field(
        default_factory=list
    )
    traces: Annotated[list[Trace], Field(max_length=16)] = Field(default_factory=list)
    warnings: Annotated[list[Warned], Field(max_length=256)] = Field(default_factory=list)

    @property
    def run_id(self) -> uuid.UUID:
        return uuid.UUID(self.id)

    @property
    def machine_id(self) -> uuid.UUID:
        return uuid.UUID(self.machine.id)
