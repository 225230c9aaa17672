"""The digest with which tests of refusals notice changes to anybody's data."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from macmeter.models import Fleet, Token
from sqlalchemy import delete, insert, update
from support import people
from support.strangers import state


def test_every_write_is_noticed_but_for_when_a_token_was_used(database_url: str) -> None:
    fleet_id, now = uuid.uuid4(), datetime.now(UTC)
    people.uploader_of(database_url, people.make_fleet(database_url, "acme"))
    states = [state(database_url)]
    with people.writing(database_url) as connection:
        connection.execute(update(Token).values(last_used_at=now))
    assert state(database_url) == states[0]
    another = Fleet.fleet_id == fleet_id
    for write in (
        update(Token).values(revoked_at=now),
        insert(Fleet).values(fleet_id=fleet_id, name="another", visibility="private"),
        update(Fleet).where(another).values(name="renamed"),
        delete(Fleet).where(another),
        update(Fleet).where(Fleet.name == "acme").values(visibility="public"),
    ):
        with people.writing(database_url) as connection:
            connection.execute(write)
        # A deletion restores what was there before the insertion.
        assert state(database_url) != states[-1]
        states.append(state(database_url))
    assert states[4] == states[1]
