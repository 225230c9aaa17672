"""What can go wrong with the embedded server, in words for whoever started it."""


class EmbeddedError(Exception):
    """The embedded server can't be used; the message says why and what to do."""


class InUseError(EmbeddedError):
    """Another living process owns this data directory's server."""
