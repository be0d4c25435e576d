"""Keys, hashes and random texts. Ciphertext is `bytes` to the store; rows are unknown here."""
