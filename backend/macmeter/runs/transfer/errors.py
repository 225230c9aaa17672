"""Errors of the commands that move data, with messages for their user."""


class InputError(Exception):
    """The input can't be used, and nothing was done. The message says why and what to do."""


class Interrupted(Exception):
    """Work was not finished. The message says why, what remains of it and what to do."""
