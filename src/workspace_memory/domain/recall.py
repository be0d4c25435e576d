"""Recall: what a model call is given of the memory document."""

RECALL_BYTES_MAX = 8_192
"""A longer text, in UTF-8, is kept as it is and given to no model."""
