"""Types that tables share, and constraint names that migrations can rely on."""

import uuid
from datetime import datetime
from typing import Annotated, Any, ClassVar

from sqlalchemy import (
    TIMESTAMP,
    BigInteger,
    Boolean,
    Double,
    ForeignKey,
    Identity,
    Integer,
    LargeBinary,
    MetaData,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import DeclarativeBase, mapped_column

from macmeter import Json

_TYPES: dict[Any, Any] = {
    str: Text(),
    float: Double(),
    bytes: LargeBinary(),
    uuid.UUID: Uuid(),
    datetime: TIMESTAMP(timezone=True),
    Json: JSONB(none_as_null=True),
    list[str]: ARRAY(Text()),
    list[int]: ARRAY(Integer()),
    list[bool]: ARRAY(Boolean()),
    list[float]: ARRAY(Double()),
    list[uuid.UUID]: ARRAY(Uuid()),
}


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar = _TYPES


# Columns that many tables have.
NumberKey = Annotated[int, mapped_column(BigInteger, Identity(always=True), primary_key=True)]
UuidKey = Annotated[uuid.UUID, mapped_column(primary_key=True)]
DefaultNow = Annotated[datetime, mapped_column(server_default=text("now()"))]
DefaultFalse = Annotated[bool, mapped_column(server_default=text("false"))]


def _of(key: str, ondelete: str | None = None) -> Any:
    return mapped_column(ForeignKey(key, ondelete=ondelete))


# Rows that refer to these are deleted with them.
OfFleet = Annotated[uuid.UUID, _of("fleets.fleet_id", "CASCADE")]
OfGroup = Annotated[str, mapped_column(server_default=text("''"))]
"""Filter of the group that a recipient of alerts is limited to, such as `label:rack:B`; empty for
the whole fleet.
"""
OfMachine = Annotated[uuid.UUID, _of("machines.machine_id", "CASCADE")]
OfPerson = Annotated[uuid.UUID, _of("people.person_id", "CASCADE")]
OfToken = Annotated[uuid.UUID, _of("tokens.token_id", "CASCADE")]
OfAlert = Annotated[uuid.UUID, _of("alerts.alert_id", "CASCADE")]
# Rows that refer to these stay when they are deleted.
ByPerson = Annotated[uuid.UUID, _of("people.person_id", "SET NULL")]
BySweep = Annotated[uuid.UUID, _of("sweeps.sweep_id", "SET NULL")]
ByToken = Annotated[uuid.UUID, _of("tokens.token_id", "SET NULL")]
# Rows that refer to these keep them from being deleted.
ToFleet = Annotated[uuid.UUID, _of("fleets.fleet_id")]
ToMachine = Annotated[uuid.UUID, _of("machines.machine_id")]
ToToken = Annotated[uuid.UUID, _of("tokens.token_id")]
