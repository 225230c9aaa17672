"""Real servers and real databases that several test modules share; no mocks."""
