"""REST: parse, authenticate, call one service function, present. One file per noun."""
