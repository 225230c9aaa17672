"""Rendering of figures: pure functions from a figure to SVG, and a process that makes PNG.

Start at `picture.draw`. Pictures look like the dashboard's charts (frontend/src/figures/charts):
the same palette, type and marks. They include all the context that a reader needs.
"""
