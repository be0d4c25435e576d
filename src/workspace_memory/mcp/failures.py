"""A call of a tool that there is not, which is the protocol's error and no answer of a tool."""


class UnknownTool(Exception):
    """No tool of this name exists at this server."""
