"""Presentation of answers: titles, cases, lines, printed digits, notes, before any drawing.

Pure functions from an answer. Pictures (`pictures/`) and pages draw the result and decide nothing
about its content.
"""
