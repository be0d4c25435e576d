"""Tools for models: what they are called, what they take, and the answers they give, on every surface alike."""
