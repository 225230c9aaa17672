"""Fleets over time: changes after updates, Macs that differ from others, and alerts."""
