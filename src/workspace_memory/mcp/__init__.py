"""MCP: the endpoint `/mcp/{server_id}`, its tools by access level, and the same over stdio."""
