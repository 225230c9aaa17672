"""Answers drawn as pictures: pure functions from an Answer to SVG, and a process that makes PNG.

`picture.draw` is the way in. It looks as the dashboard's charts do (frontend/src/charts): the same
palette, type, marks and words, with everything on the picture that a reader of it alone needs.
"""
