"""The files of an import: which ones a path means, and which format they have."""

from collections.abc import Sequence
from pathlib import Path

from workspace_memory.cli.failures import Refused
from workspace_memory.domain.exchange import FORMATS, Format, SourceFile, detect_format

SUFFIXES = {".md", ".markdown", ".json", ".jsonl", ".txt"}
BYTES_MAX = 512 * 1024 * 1024
_HEAD_BYTES = 8_192


def read_files(path: Path) -> list[SourceFile]:
    """The file, or every text file below the folder, by its path within it. Raises: Refused, OSError."""
    if not path.exists():
        raise Refused(f"There is no file or folder {path}.")
    if not path.is_dir():
        _check_size([path])
        return [(path.name, path.read_bytes())]
    found = [each for each in sorted(path.rglob("*")) if _is_text_file(each, path)]
    if not found:
        raise Refused(
            f"In {path} is nothing that can be imported: no file ends in {', '.join(sorted(SUFFIXES))}."
        )
    _check_size(found)
    return [(each.relative_to(path).as_posix(), each.read_bytes()) for each in found]


def format_of(files: Sequence[SourceFile]) -> Format:
    """The one format that all files seem to have. Raises: Refused when there is none or several."""
    of_each = {name: detect_format(name, content[:_HEAD_BYTES]) for name, content in files}
    detected = set(of_each.values()) - {None}
    if Format.BASIC_MEMORY in detected and len(files) > 1:
        # A folder of notes holds other texts as well; its reader leaves them out.
        return Format.BASIC_MEMORY
    unknown = [name for name, content in files if of_each[name] is None and content.strip()]
    if len(detected) == 1 and not unknown:
        [only] = detected
        assert only is not None  # noqa: S101  taken out above
        return only
    if unknown:
        what = f"{unknown[0]} tells no format by its name or content"
    elif detected:
        what = f"It could be {' or '.join(sorted(map(str, detected)))}"
    else:
        what = "It has no format that is known"
    known = "".join(f"\n  {each.value:<17} {FORMATS[each]}" for each in FORMATS)
    raise Refused(f"{what}. Name the format with --format:{known}")


def _is_text_file(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return not hidden and not path.is_symlink() and path.is_file() and path.suffix.lower() in SUFFIXES


def _check_size(paths: Sequence[Path]) -> None:
    if sum(path.stat().st_size for path in paths) > BYTES_MAX:
        raise Refused(f"That is more than {BYTES_MAX // 1024**2:,} MiB; import it in parts.")
