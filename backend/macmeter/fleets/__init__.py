"""Fleets, and what their admins manage: people, enrolment secrets, devices and machines."""
