"""Figures from published articles, as run documents with their citations.

`documents` makes them, `load` keeps a database up to date with them. How each
figure is used: see docs/published.md, which `python -m macmeter.ingest.published.table` writes.
"""

from macmeter.ingest.published.build import documents
from macmeter.ingest.published.loading import Loaded, load, load_into

__all__ = ["Loaded", "documents", "load", "load_into"]
