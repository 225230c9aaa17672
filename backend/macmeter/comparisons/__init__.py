"""Saved comparisons: an answer frozen under a share link."""
