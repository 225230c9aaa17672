"""Whether machines got another version of the agent when their figures changed."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping

from macmeter.isolation import Isolated
from macmeter.reading.fleets import agents_of, runs_between
from macmeter.reading.moment import Reading

# A change is dated to about so many days; figures of this stretch say nothing of before or after.
_UNSURE = 3.0
# So far away another version has nothing to do with it.
_REACH = 28.0
# A majority of so many machines is one of all: two documents of each are read.
_MOST = 100


async def agent_since(
    reading: Reading,
    fleet_id: uuid.UUID,
    changed: Mapping[uuid.UUID, float],
    documents: Isolated,
) -> str | None:
    """The version that most of these machines got when they changed, by machine the day of that.

    It is what their runs state, in whatever order they arrived. None where most kept theirs.
    """
    asked = dict(sorted(changed.items())[:_MOST])
    if not asked:
        return None
    first, last = min(asked.values()) - _REACH, max(asked.values()) + _REACH
    runs = await runs_between(reading, fleet_id, asked, first, last)
    before: dict[uuid.UUID, uuid.UUID] = {}
    after: dict[uuid.UUID, uuid.UUID] = {}
    for machine_id, of_machine in runs.items():
        day = asked[machine_id]
        near = [(at - day, run_id) for at, run_id in of_machine if abs(at - day) <= _REACH]
        earlier = [run_id for away, run_id in near if away <= -_UNSURE]
        later = [run_id for away, run_id in near if away >= _UNSURE]
        # Of a change of these days the newest run is the only one that can say.
        later = later or [run_id for away, run_id in near if away >= 0][-1:]
        if earlier and later:
            before[machine_id], after[machine_id] = earlier[-1], later[0]
    old = await agents_of(reading, fleet_id, [*before.items()], documents)
    new = await agents_of(reading, fleet_id, [*after.items()], documents)
    got = Counter(
        version for machine_id, version in new.items() if old.get(machine_id, version) != version
    )
    if not got:
        return None
    version, machines = max(got.items(), key=lambda one: (one[1], one[0]))
    return version if 2 * machines > len(new) else None
