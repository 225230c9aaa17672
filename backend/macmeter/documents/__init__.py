"""Run documents: read, checked, and what follows from them.

Pure: neither a clock nor a database. Whoever stores, reads or verifies runs stands on this.
"""
