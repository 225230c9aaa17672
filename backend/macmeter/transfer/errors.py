"""How a command that moves data ends otherwise than well, in words for whoever gave it."""


class InputError(Exception):
    """What was given can't be used: nothing was done. The message says why and what to do."""


class Interrupted(Exception):
    """Work ended before its end. The message says why, what is left of it and what to do."""
