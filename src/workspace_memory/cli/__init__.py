"""The command line `workspace-memory`."""
