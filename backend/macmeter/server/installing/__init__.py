"""The agent for other Macs: its files, and scripts that install and remove it."""
