"""Importing and exporting runs as files; an import restores exactly what was exported."""
