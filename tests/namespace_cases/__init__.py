"""Paths for the tests of the reserved namespace: labelled ones, and spellings that a generator composes."""
