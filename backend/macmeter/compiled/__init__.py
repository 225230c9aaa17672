"""Loops that are compiled: where a question would pass a million rows several times in numpy."""
