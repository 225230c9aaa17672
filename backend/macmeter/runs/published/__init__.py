"""Figures from published articles, as run documents with their citations.

`make generate` makes the files here from tools/published; docs/published.md says how each figure is
used. `load` brings a database up to date with them.
"""

from macmeter.runs.published.loading import Loaded, documents, load, load_into, sources

__all__ = ["Loaded", "documents", "load", "load_into", "sources"]
