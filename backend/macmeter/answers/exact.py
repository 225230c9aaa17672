"""Marks a response type that has exactly the members it names."""

from __future__ import annotations

from pydantic import ConfigDict, with_config

exact = with_config(ConfigDict(extra="forbid"))
"""OpenAPI says so, and the contract test holds responses to it."""
