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
GroupFilter = Annotated[str, mapped_column(server_default=text("''"))]
"""Filter of the group that a recipient of alerts is limited to, such as `label:rack:B`; empty for
the whole fleet.
"""


def _foreign_key(key: str, ondelete: str | None = None) -> Any:
    return mapped_column(ForeignKey(key, ondelete=ondelete))


# Rows that refer to these are deleted with them.
FleetIdCascade = Annotated[uuid.UUID, _foreign_key("fleets.fleet_id", "CASCADE")]
MachineIdCascade = Annotated[uuid.UUID, _foreign_key("machines.machine_id", "CASCADE")]
PersonIdCascade = Annotated[uuid.UUID, _foreign_key("people.person_id", "CASCADE")]
TokenIdCascade = Annotated[uuid.UUID, _foreign_key("tokens.token_id", "CASCADE")]
AlertIdCascade = Annotated[uuid.UUID, _foreign_key("alerts.alert_id", "CASCADE")]
# Rows that refer to these stay when they are deleted.
PersonIdSetNull = Annotated[uuid.UUID, _foreign_key("people.person_id", "SET NULL")]
SweepIdSetNull = Annotated[uuid.UUID, _foreign_key("sweeps.sweep_id", "SET NULL")]
TokenIdSetNull = Annotated[uuid.UUID, _foreign_key("tokens.token_id", "SET NULL")]
# Rows that refer to these keep them from being deleted.
FleetIdRestrict = Annotated[uuid.UUID, _foreign_key("fleets.fleet_id")]
MachineIdRestrict = Annotated[uuid.UUID, _foreign_key("machines.machine_id")]
TokenIdRestrict = Annotated[uuid.UUID, _foreign_key("tokens.token_id")]
