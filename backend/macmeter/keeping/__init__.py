"""Answers that are kept: for as long as nothing has changed that they may rest on."""
