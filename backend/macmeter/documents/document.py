"""The run document `macmeter.run/1`: what an agent sends, field by field.

These types are the contract: `docs/run.v1.schema.json` is generated from them, and whatever they
accept stays readable, even if a later server refuses the same in an upload. Units are SI base
units; unknown values are absent or null, never 0. Unknown values of an enumeration are kept as
text; unknown top-level keys are refused, unknown nested keys are ignored (they stay in the raw
document).
"""

import uuid
from datetime import UTC, date, datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from macmeter import Json
from macmeter.documents.read import MAX_STRING

SCHEMA = "macmeter.run/1"
# The fullest run of an agent has a few hundred; new parameters are a row of `series` that stays.
MAX_SERIES = 1_000
MAX_VALUES = 50_000
MAX_TRACE_ROWS = 200_000
MAX_LABELS = 64
MAX_NUMBER = 1e15
_MAX_EXACT_INTEGER = 2**53  # beyond it JSON numbers no longer distinguish all integers

Text = Annotated[str, Meta(min_length=1, max_length=MAX_STRING)]
Word = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_.+-]{0,63}$")]
UUID_PATTERN = r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
Uuid = Annotated[str, Meta(pattern=UUID_PATTERN)]
Count = Annotated[int, Meta(gt=0, le=1_000_000)]
Bytes = Annotated[int, Meta(ge=0, le=_MAX_EXACT_INTEGER)]
Position = Annotated[int, Meta(ge=0)]
Rate = Annotated[float, Meta(gt=0, le=MAX_NUMBER)]
Number = Annotated[float, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Parameter = Annotated[str, Meta(max_length=MAX_STRING)] | bool | Number
Parameters = dict[str, Parameter | None]
Timestamp = Annotated[
    str,
    Meta(
        max_length=MAX_STRING,
        description="RFC 3339, with its offset from UTC",
        extra_json_schema={"format": "date-time"},
    ),
]


def time_of(written: str | None) -> datetime | None:
    """Parse a document's time, converted to UTC if it has an offset, since PostgreSQL supports
    few offsets. None if it is absent or invalid.
    """
    try:
        time = datetime.fromisoformat(written.upper()) if written is not None else None
        return time.astimezone(UTC) if time is not None and time.tzinfo else time
    except (ValueError, OverflowError):
        return None


class NestedObject(Struct, frozen=True, omit_defaults=True):
    """A nested object: unknown keys of newer agents are ignored, known ones are strictly typed."""


class Method(NestedObject, frozen=True):
    name: Word
    version: Annotated[int, Meta(ge=1, le=10_000)]
    parameters: Json | None = None


class Tool(NestedObject, frozen=True):
    name: Text
    version: Text | None = None


class Agent(NestedObject, frozen=True):
    version: Text
    commit: Text | None = None
    platform: Text | None = None


class CoreTier(NestedObject, frozen=True):
    name: Text
    cores: Count
    clusters: list[Count] | None = None
    max_frequency: Rate | None = None
    min_frequency: Rate | None = None


class Machine(NestedObject, frozen=True):
    id: Uuid
    model: Text | None = None
    model_name: Text | None = None
    chip: Text | None = None
    gpu_cores: Count | None = None
    memory_bytes: Bytes | None = None
    core_tiers: Annotated[list[CoreTier], Meta(max_length=16)] | None = None
    unspecified: bool | None = None
    """The source doesn't say which machine it was: never counted in n."""


class VirtualMachine(NestedObject, frozen=True):
    vcpus: Count | None = None
    memory_bytes: Bytes | None = None
    software: Text | None = None
    host_machine_id: Uuid | None = None


class Environment(NestedObject, frozen=True):
    os_version: Text | None = None
    os_build: Text | None = None
    power_source: Text | None = None
    power_mode: Text | None = None
    thermal_state: Text | None = None
    busy: Annotated[list[Text], Meta(max_length=32)] | None = None
    rosetta: bool | None = None
    virtual_machine: VirtualMachine | None = None


class ImageHost(NestedObject, frozen=True):
    storage: Text | None = None
    encryption: Text | None = None
    link_speed: Rate | None = None
    device: Text | None = None
    device_id: Text | None = None


class Image(NestedObject, frozen=True):
    format: Text | None = None
    state: Text | None = None
    capacity_bytes: Bytes | None = None
    host: ImageHost | None = None


class Target(NestedObject, frozen=True):
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


class Series(NestedObject, frozen=True):
    """Samples of one metric under the same parameters, in the order they were taken.

    `positions` is each sample's place in the whole run's sequence; `printed` the
    characters of a published figure, one for each value.
    """

    metric: Text
    values: Annotated[list[Number], Meta(min_length=1, max_length=MAX_VALUES)]
    parameters: Parameters | None = None
    positions: Annotated[list[Position], Meta(max_length=MAX_VALUES)] | None = None
    printed: Annotated[list[Text], Meta(max_length=MAX_VALUES)] | None = None
    qualifier: Text | None = None


class Trace(NestedObject, frozen=True):
    kind: Word
    columns: Annotated[list[Text], Meta(min_length=1, max_length=64)]
    rows: Annotated[list[list[Number | Text | None]], Meta(max_length=MAX_TRACE_ROWS)]
    interval: Annotated[float, Meta(gt=0, le=86_400)] | None = None


class Warned(NestedObject, frozen=True):
    code: Word
    detail: Text | None = None


class Citation(NestedObject, frozen=True):
    article: Word
    title: Text
    author: Text
    publisher: Text
    row: Word  # short name of the figure in the article
    published: date | None = None


class PublishedRatio(NestedObject, frozen=True):
    """A ratio as printed: `of` one case `to` another. Never turned into a speed."""

    metric: Text
    value: Annotated[float, Meta(gt=0, le=1e6)]
    of: Parameters
    to: Parameters
    printed: Text
    parameters: Parameters | None = None
    qualifier: Text | None = None


class PublishedRange(NestedObject, frozen=True):
    metric: Text
    low: Number
    high: Number
    printed: Text
    parameters: Parameters | None = None
    qualifier: Text | None = None


class RunDocument(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One execution of one suite on one machine."""

    schema: Literal["macmeter.run/1"]
    id: Uuid
    suite: Word
    source: Literal["measured", "imported", "published"]
    state: Literal["complete", "incomplete"]
    method: Method
    machine: Machine
    simulated: bool | None = None
    started_at: Timestamp | None = None
    finished_at: Timestamp | None = None
    agent: Agent | None = None
    tool: Tool | None = None
    citation: Citation | None = None
    environment: Environment | None = None
    target: Target | None = None
    labels: dict[Text, Text | None] | None = None
    series: Annotated[list[Series], Meta(max_length=MAX_SERIES)] | None = None
    published_ratios: Annotated[list[PublishedRatio], Meta(max_length=1000)] | None = None
    published_ranges: Annotated[list[PublishedRange], Meta(max_length=1000)] | None = None
    traces: Annotated[list[Trace], Meta(max_length=16)] | None = None
    warnings: Annotated[list[Warned], Meta(max_length=256)] | None = None

    @property
    def started(self) -> datetime | None:
        return time_of(self.started_at)

    @property
    def finished(self) -> datetime | None:
        return time_of(self.finished_at)

    @property
    def run_id(self) -> uuid.UUID:
        return uuid.UUID(self.id)

    @property
    def machine_id(self) -> uuid.UUID:
        return uuid.UUID(self.machine.id)

    @property
    def warning_codes(self) -> set[str]:
        """Codes of its warnings."""
        return {warning.code for warning in self.warnings or ()}
