"""Moderation: readers' reports of runs, and runs that are withdrawn."""
