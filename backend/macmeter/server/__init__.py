"""`macmeter-server serve`: the database, the workers, and their common shutdown.

One process supervises: it owns the embedded PostgreSQL and starts the workers. However it ends,
even by kill -9, PostgreSQL and the workers end too: each holds a pipe to it.
"""
