"""What Argon2id makes of the members' passphrase, told to a page instead of worked out in each one anew.

The Worker of the product runs for every other passphrase and salt, and for every one on the pages of test_keys.py,
test_account.py and test_lost_answers.py.
"""

import json
from functools import cache

from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from playwright.sync_api import BrowserContext
from tests.e2e.conftest import SALT

from workspace_memory.crypto.passphrases import FLOOR

PASSPHRASE = "a long walk along the river"

_IN_THE_PAGE = """
(({ secret, salt, memoryKib, passes, lanes, stretched }) => {
  const isSame = (bytes, list) => bytes.length === list.length && list.every((byte, at) => bytes[at] === byte);
  const isKnown = (task) =>
    isSame(task.secret, secret) && isSame(task.salt, salt) &&
    task.memoryKib === memoryKib && task.passes === passes && task.lanes === lanes;
  const Started = globalThis.Worker;
  class Remembering {
    constructor(...how) { this.how = how; }
    postMessage(task) {
      if (isKnown(task)) {
        queueMicrotask(() => this.onmessage({ data: { stretched: new Uint8Array(stretched) } }));
        return;
      }
      this.started = new Started(...this.how);
      this.started.onmessage = (event) => this.onmessage(event);
      this.started.onerror = (event) => this.onerror(event);
      this.started.postMessage(task);
    }
    terminate() { this.started?.terminate(); }
  }
  globalThis.Worker = function (url, options) {
    return String(url).includes('/argon2.worker') ? new Remembering(url, options) : new Started(url, options);
  };
})(%s);
"""


def remember_passphrase(context: BrowserContext) -> None:
    """Let the pages that are opened from here on know the work of PASSPHRASE by the floor of the product."""
    context.add_init_script(_script())


@cache
def _script() -> str:
    secret = PASSPHRASE.encode()
    argon2 = Argon2id(
        salt=SALT, length=32, iterations=FLOOR.passes, lanes=FLOOR.lanes, memory_cost=FLOOR.memory_kib
    )
    task = {
        "secret": list(secret),
        "salt": list(SALT),
        "memoryKib": FLOOR.memory_kib,
        "passes": FLOOR.passes,
        "lanes": FLOOR.lanes,
        "stretched": list(argon2.derive(secret)),
    }
    return _IN_THE_PAGE % json.dumps(task)
