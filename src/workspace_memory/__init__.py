"""Workspace Memory: a governed, self-hosted memory for the AI clients of a team."""

__version__ = "0.1.0"
