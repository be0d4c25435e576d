"""A small typed client of the REST interface, for programs and for the command line."""
