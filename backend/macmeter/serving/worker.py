"""A worker process: the application, tied to the supervisor's life."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from macmeter.serving.watch import end_with_supervisor
from macmeter.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI


def load_application(settings: Settings) -> FastAPI:
    """The ASGI application, called by Granian in a freshly started worker."""
    os.setpgid(0, 0)  # Ctrl-C is for the supervisor, who stops the workers in order
    end_with_supervisor()
    from macmeter.main import create_app  # only workers pay for importing it

    return create_app(settings)
