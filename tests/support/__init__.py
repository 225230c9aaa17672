"""What several test modules share: real servers and real databases, no mocks."""
