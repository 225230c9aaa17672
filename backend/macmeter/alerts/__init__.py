"""What happened to a fleet: its Macs before and after updates, those unlike others, and alerts."""
