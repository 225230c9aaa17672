"""Reading of results and runs: no other package reads them, which a test checks.

Callers say what they need; this package knows whether the data set or PostgreSQL's tables have it,
and what the reader may see. Everything is read in one transaction and within one scope: see
`moment`.
"""
