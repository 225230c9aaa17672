"""Where figures and runs come from: nothing else reads results or runs, which a test checks.

Questions know what is asked; here it is known whether columns or PostgreSQL's tables have it, and
what whoever asks may see. Everything read is of one moment and within one scope: see `moment`.
"""
