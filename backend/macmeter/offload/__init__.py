"""Heavy work in worker processes, so that it doesn't block other requests."""
