"""Results as columns: arrays of one series each, from which answers are worked out.

PostgreSQL is the truth; everything here is derived from it and can be thrown away. Numbers stand
for names (a machine, a setup, a set of flags): see `names`. Runs and their results lie in
segments, which never change: see `segment`. A view is the state at one moment: see `view`.
"""
