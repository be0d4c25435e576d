"""Benchmarks are scripts that import their neighbours by bare names; the tests make both ways of naming work."""

import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[3]

sys.path[:0] = [str(_ROOT), str(_ROOT / "benchmarks")]
