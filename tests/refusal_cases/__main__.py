"""`python -m tests.refusal_cases SEED`: all cases as JSON lines, for `benchmarks/refusals.py FILE`."""

import json
import sys

from tests.refusal_cases.attacks import attack_cases, harmless_cases
from tests.refusal_cases.clean_texts import clean_cases
from tests.refusal_cases.secrets_made import secret_cases
from tests.refusal_cases.unseen_attacks import unseen_attacks
from tests.refusal_cases.unseen_clean import unseen_clean_cases
from tests.refusal_cases.unseen_near_misses import unseen_near_misses
from tests.refusal_cases.unseen_secrets import maker_tokens, told_secrets


def main(seed: int) -> None:
    """Print the cases of a seed."""
    groups = {
        "secret": [*secret_cases(seed), *told_secrets(seed), *maker_tokens(seed)],
        "injection": [*attack_cases(), *unseen_attacks()],
        "clean": [
            *clean_cases(seed),
            *unseen_clean_cases(seed),
            *harmless_cases(),
            *(("near_miss", text) for text in unseen_near_misses()),
        ],
    }
    for label, cases in groups.items():
        for kind, text in cases:
            print(json.dumps({"text": text, "label": label, "kind": kind}, ensure_ascii=False))  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
