"""The web application is part of what is installed, and its own checks pass with it."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "hatch_build.py"


# Some hundred tests on all processors, beside those of the other workers.
@pytest.mark.timeout(400)
def test_the_tests_of_the_web_application_pass() -> None:
    ended = subprocess.run([sys.executable, BUILD, "test"], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_a_package_carries_the_built_application(target: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(tmp_path)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    (made,) = tmp_path.iterdir()
    with zipfile.ZipFile(made) if target == "wheel" else tarfile.open(made) as package:
        names = package.namelist() if isinstance(package, zipfile.ZipFile) else package.getnames()
    assert any(name.endswith("workspace_memory/web/index.html") for name in names)
    assert any(name.endswith(".js") and "/web/assets/" in name for name in names)
    assert not any("node_modules" in name for name in names)


def test_a_machine_without_node_builds_with_the_wheel(tmp_path: Path) -> None:
    """Only npm's version is asked here: the build itself is the same."""
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import hatch_build as b, subprocess as s; c, e = b.npm(); s.run([*c, '--version'], env=e)",
        ],
        cwd=ROOT,
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    # Vite 8 is not installed by npm 10.
    assert int(told.stdout.partition(".")[0]) >= 11
