"""The server's processes: how they start, and how they end with their starter.

All but the first are forked from a template that has imported everything once, so that unchanged
memory is shared. Without a template, as in the server's other commands and where forking is unsound
(macOS), they are executed and do their own imports.
"""
