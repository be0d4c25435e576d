"""Pure rules of the product: values, decisions and errors. No I/O, no clock, no randomness."""
