"""What a shape of a response is marked with: nothing but the members that it names."""

from __future__ import annotations

from pydantic import ConfigDict, with_config

exact = with_config(ConfigDict(extra="forbid"))
"""OpenAPI says so, and the contract test holds responses to it."""
