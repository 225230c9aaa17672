"""What happened to a fleet: changes after updates, Macs that differ from others, and alerts."""
