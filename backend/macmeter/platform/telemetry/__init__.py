"""What whoever runs the server wants to know: what was counted, what was slow, and the log."""
