"""Runs as files: bringing many in at once, and writing them out so that they come back equal."""
