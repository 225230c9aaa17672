"""Comparisons: an answer frozen under a link, for whoever is given it."""
