"""Errors of the commands that move data, in words for their user."""


class InputError(Exception):
    """What was given can't be used: nothing was done. The message says why and what to do."""


class Interrupted(Exception):
    """Work ended before its end. The message says why, what is left of it and what to do."""
