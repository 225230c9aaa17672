"""The processes that a server is made of: how they begin, and that they end with their starter.

All but the first are forked from a template that has imported everything once, so that what none
of them changes is in memory once. Without a template, as in the server's other commands and where
forking is unsound (macOS), they are executed afresh and import what they need.
"""
