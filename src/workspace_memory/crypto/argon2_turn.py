"""One computation of Argon2id at a time in this process, for passwords and passphrases together.

OpenSSL counts the threads of its Argon2 lanes per process, and a second computation that finds too few left fails with
MemoryError or never ends. It also bounds the memory that many of them at once could take.
"""

import threading

ARGON2_TURN = threading.Lock()
