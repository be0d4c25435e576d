"""Does a test notice when one lock, or one clause of the commit fence, is taken away? Run by hand:

    python -m tests.simulation.mutations [--list] [PART OF A NAME ...]

Each mutant is a copy of the source with one thing less. Its tests run against the copy; red is good. The table at the
end is the one in docs/explanation/mutations.md. Takes about 20 minutes for all of them.
"""

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from workspace_memory.domain.fence import CLAUSES

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path("src") / "workspace_memory"
MATRIX = "tests/simulation/test_isolation_matrix.py"
STEPS = "tests/simulation/test_steps.py"
FENCE = "tests/contract/test_fence.py"
TRUTH = (f"{FENCE}::test_sql_and_domain_agree_on_every_combination_of_clauses[sqlite]",)

Edit = Callable[[str], str]


@dataclass(frozen=True)
class Mutant:
    """One thing less in one file, and the tests that should notice: pytest arguments."""

    name: str
    file: str
    edit: Edit
    tests: tuple[str, ...]


def main(arguments: list[str]) -> int:
    """Run the mutants; 1 when one of them survives."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="only name them")
    parser.add_argument("parts", nargs="*", help="run those alone whose name contains one of these")
    options = parser.parse_args(arguments)
    chosen = [
        each for each in mutants() if not options.parts or any(part in each.name for part in options.parts)
    ]
    if options.list:
        print(*(each.name for each in chosen), sep="\n")  # noqa: T201  a command's output
        return 0
    survived = 0
    for each in chosen:
        red = run(each)
        survived += not red
        verdict = f"{len(red)} red: {shortened(red[0])}" if red else "SURVIVED"
        print(f"| {each.name} | {verdict} |", flush=True)  # noqa: T201  a command's output
    print(f"{len(chosen)} mutants, {survived} survived")  # noqa: T201  a command's output
    return 1 if survived else 0


def mutants() -> Iterator[Mutant]:
    """Every lock that stands before a fact of the fence, every clause in both halves, and the row's own walls."""
    for place, cases in LOCKS.items():
        file, _, function = place.partition(":")
        tests = matrix(*cases, database="postgresql")
        yield Mutant(f"no lock in {function}", file, without_lock(function), tests)
    for clause in CLAUSES:
        yield Mutant(f"no {clause} in SQL", "storage/fence.py", without_sql_clause(clause), TRUTH)
        yield Mutant(f"no {clause} in the domain", "domain/fence.py", without_clause(clause), TRUTH)
    for clauses, tests in BY_BEHAVIOUR.items():
        edit = without_sql_clause(*clauses.split(" and "))
        yield Mutant(f"no {clauses} in SQL, by behaviour", "storage/fence.py", edit, tests)
    for name, (file, edit, tests) in WALLS.items():
        yield Mutant(name, file, edit, tests)


def matrix(*cases: str, database: str = "sqlite") -> tuple[str, ...]:
    """Every step of these cases on one of the databases."""
    return tuple(f"{MATRIX}::test_at_every_step[{database}-{case}]" for case in cases)


def without_lock(function: str) -> Edit:
    """Take the calls of `lock_workspace` out of a function."""

    def edit(source: str) -> str:
        lines = source.splitlines(keepends=True)
        found = [
            node
            for each in ast.walk(ast.parse(source))
            if isinstance(each, ast.FunctionDef) and each.name == function
            for node in ast.walk(each)
            if isinstance(node, ast.Expr) and ast.unparse(node).startswith("tx.lock_workspace(")
        ]
        for node in found:
            line = lines[node.lineno - 1]
            lines[node.lineno - 1] = line[: len(line) - len(line.lstrip())] + "pass\n"
        return changed(source, "".join(lines))

    return edit


def without_sql_clause(*clauses: str) -> Edit:
    """Let clauses of the predicate always be true; their names stay."""
    always = ", ".join(f'"{clause}": literal(1) == literal(1)' for clause in clauses)
    return replacing("HOLDS = case(", f"CLAUSES = {{**CLAUSES, {always}}}\n\nHOLDS = case(")


def without_clause(clause: str) -> Edit:
    """The same for the domain's half."""
    always = f'CLAUSES = {{**CLAUSES, "{clause}": lambda _facts: True}}'
    return replacing("\nPROPOSAL_CLAUSES =", f"\n{always}\nPROPOSAL_CLAUSES =")


def replacing(*texts: str) -> Edit:
    """One text for another, then the next one for its other."""

    def edit(source: str) -> str:
        for old, new in zip(texts[::2], texts[1::2], strict=True):
            source = changed(source, source.replace(old, new, 1))
        return source

    return edit


def changed(before: str, after: str) -> str:
    """The mutated source. Raises: SystemExit when the mutation no longer fits the source."""
    if before == after:
        raise SystemExit("a mutation changes nothing: the source has moved on")
    return after


# The lock is the workspace's row on PostgreSQL; on SQLite it is BEGIN IMMEDIATE, which no line of a use case takes.
LOCKS: dict[str, tuple[str, ...]] = {
    "services/captures.py:_commit": ("clear x capture", "off x capture"),
    "services/captures.py:_propose": ("proposal x clear",),
    "services/documents.py:save_document": ("role lowered x save",),
    "services/documents.py:clear_document": ("role lowered x clear",),
    "services/documents.py:delete_document": ("mode x delete",),
    "services/policies.py:change_policy": ("off x capture",),
    "services/ai_consents.py:change_ai_consent": ("consent off x capture",),
    "services/ai_consents.py:set_skills_trust": ("skills x consent",),
    "services/admissions.py:admit_turn": ("admission x mode",),
    "services/turns.py:begin_turn": ("Assistant x mode", "Assistant x consent"),
    "services/recall.py:_attempt": ("revoke x recall",),
    "services/proposals.py:apply_proposal": ("apply x dismiss",),
    "services/proposals.py:dismiss_proposal": ("apply x dismiss",),
    "services/proposals.py:share_proposal": ("share x clear",),
    "services/key_sessions.py:open_key_session": ("key session x deactivate",),
    "services/key_sessions.py:revoke_key_session": ("revoke x capture",),
    "services/leaving.py:lock_if_there": ("sign out x capture", "account deactivated x save"),
    "services/members.py:change_member": ("role lowered x capture",),
    "services/members.py:remove_member": ("member removed x save",),
    "services/workspace_keys.py:rotate_workspace_key": ("rotation x capture",),
    "services/conversations.py:create_conversation": ("conversation x deactivate",),
    "services/workspaces.py:delete_workspace": ("key session x deleted workspace",),
}

# What a clause does that no other clause, and no check before the transaction, does as well. For the others
# docs/explanation/mutations.md says what stands before them; the truth table knows them all.
BY_BEHAVIOUR: dict[str, tuple[str, ...]] = {
    "clear_generation": matrix("clear x recall again, capture"),
    "policy_revision": matrix("off, auto x capture"),
    "consent_revision": matrix("consent off, on x capture"),
    "newest_turn": matrix("newer turn x capture"),
    "key_session_not_revoked": matrix("revoke x capture"),
    "member_may_write": matrix("role lowered x capture"),
    "same_key_session": (FENCE, "-k", "another_open_key_session"),
    "admission_begun": (STEPS, "-k", "steps_back"),
    "admission_not_expired and slot_not_expired": (STEPS, "-k", "crosses_the_expiry"),
    "key_session_not_expired": (STEPS, "-k", "crosses_the_end_of_the_key_session"),
}

# The rest of what keeps a false predicate out: the file, the texts and what takes their place, the tests.
WALLS: dict[str, tuple[str, Edit, tuple[str, ...]]] = {
    "INSERT without OR ROLLBACK": (
        "storage/fence.py",
        replacing('    .prefix_with("OR ROLLBACK", dialect="sqlite")\n', ""),
        (FENCE, "-k", "even_if_somebody_commits"),
    ),
    "no look at ignore_check_constraints": (
        "storage/fence.py",
        replacing("            self._require_checks()", "            pass"),
        (FENCE, "-k", "ignores_checks"),
    ),
    "no CHECK (ok = 1)": (
        "storage/migrations/versions/0003_memory_document.py",
        replacing('sa.CheckConstraint("ok = 1", name=op.f("ck_memory_commit_fence_ok")),', ""),
        (FENCE, "-k", "anything_but_one"),
    ),
    "the time is read before the lock": (
        "services/captures.py",
        replacing(
            "                now=deps.clock.now(),\n            )\n            if not",
            "                now=too_early,\n            )\n            if not",
            "    # Revalidate last:",
            "    too_early = deps.clock.now()\n    # Revalidate last:",
        ),
        (STEPS, "-k", "crosses_the_expiry"),
    ),
    "the key is not checked again": (
        "services/captures.py",
        replacing('    borrow_key(deps.key_store, turn.session, token or b"")\n', ""),
        (STEPS, "-k", "eviction"),
    ),
    "an append compares no version": (
        "storage/documents.py",
        replacing("            documents.c.version == expected,\n", ""),
        matrix("stale save x save"),
    ),
}


def run(mutant: Mutant) -> list[str]:
    """The tests that turned red, the first few of them."""
    with tempfile.TemporaryDirectory(prefix="wm-mutant-") as folder:
        copy = Path(folder) / "workspace_memory"
        shutil.copytree(ROOT / PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "web"))
        target = copy / mutant.file
        target.write_text(mutant.edit(target.read_text()))
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--maxfail=2",
            *mutant.tests,
        ]
        environment = {**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1}:
        raise SystemExit(
            f"{mutant.name}: pytest ended with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        )
    return re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)


def shortened(test: str) -> str:
    """A test without its folder."""
    return test.rpartition("/")[2].removeprefix("test_").replace(".py::", ": ", 1)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
