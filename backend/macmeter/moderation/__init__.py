"""What readers hold against runs, and runs that are withdrawn for it."""
