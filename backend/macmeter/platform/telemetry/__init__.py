"""Observability for operators: metrics, slow requests, traces and the log."""
