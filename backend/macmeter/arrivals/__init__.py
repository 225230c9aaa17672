"""The word that runs were stored: whoever stores them gives it, whoever waits for them hears it."""
