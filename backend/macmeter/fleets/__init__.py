"""Fleets, and what their admins do with them: people, enrolment secrets, devices and machines."""
