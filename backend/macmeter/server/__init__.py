"""`macmeter-server serve`: the database, the workers that answer, and their common end.

One process supervises: it owns the embedded PostgreSQL and starts the workers. However it ends,
kill -9 included, PostgreSQL and the workers end with it: each of them holds a pipe to it.
"""
