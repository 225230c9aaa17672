"""Run documents: reading, checking and deriving results.

Pure: no clock, no database. Everything that stores, reads or verifies runs builds on this.
"""
