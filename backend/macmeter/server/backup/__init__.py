"""Backups of the whole database: make, restore and verify them."""
