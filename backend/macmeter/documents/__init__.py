"""Run documents: read, checked, and what follows from them.

Pure: neither a clock nor a database. Everything that stores, reads or verifies runs builds on this.
"""
