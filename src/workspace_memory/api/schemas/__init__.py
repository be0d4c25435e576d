"""Shapes of requests and answers, one file per noun. What a text may hold is decided by the domain."""
