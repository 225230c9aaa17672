"""Backups of the whole database: made, brought back, and proven to be what they say."""
