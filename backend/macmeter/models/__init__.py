"""Database tables. Alembic's migrations create them; a test compares the two."""

from macmeter.models.base import *  # noqa: F403
from macmeter.models.fleets import *  # noqa: F403
from macmeter.models.people import *  # noqa: F403
from macmeter.models.runs import *  # noqa: F403
from macmeter.models.server import *  # noqa: F403
