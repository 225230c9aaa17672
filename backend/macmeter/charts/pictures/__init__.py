"""Figures drawn as pictures: pure functions from a figure to SVG, and a process that makes PNG.

`picture.draw` is the way in. It looks as the dashboard's charts do (frontend/src/figures/charts):
the same palette, type and marks, with everything on the picture that a reader of it alone needs.
"""
