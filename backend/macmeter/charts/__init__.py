"""What an answer says to a reader: titles, cases, lines, printed digits, notes, before any drawing.

Pure functions from an answer. Pictures (`pictures/`) and pages draw what is said here, and nothing
about what a figure says is decided anywhere else.
"""
