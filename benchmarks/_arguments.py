"""Values of the benchmarks' options, checked before anything is started.

Pure. Everything a benchmark does is bounded in time and count, and these are the bounds that a reader may set.
"""

import argparse

ITEMS_MAX = 20_000  # what one workspace holds
ITEMS_MIN = 500  # below that, the timed saves would be most of the items
CLIENTS_MAX = 32
CALLS_MAX = 5_000


def report_parser(name: str, description: str | None) -> argparse.ArgumentParser:
    """The parser of a benchmark that explains itself by its docstring and reports for programs, too."""
    parser = argparse.ArgumentParser(
        prog=f"{name}.py", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    return parser


def add_database(parser: argparse.ArgumentParser) -> None:
    """The option of a benchmark that measures on either database."""
    parser.add_argument(
        "--database-url", default="", metavar="URL", help="an empty PostgreSQL database instead of SQLite"
    )


def sizes(text: str) -> tuple[int, ...]:
    """Ascending numbers of items, such as 1000,5000,20000. Raises: ArgumentTypeError."""
    return _numbers(text, "size", ITEMS_MIN, ITEMS_MAX)


def one_size(text: str) -> int:
    """One number of items. Raises: ArgumentTypeError."""
    return _number(text, "size", ITEMS_MIN, ITEMS_MAX)


def clients(text: str) -> tuple[int, ...]:
    """Ascending numbers of clients at once, such as 1,8. Raises: ArgumentTypeError."""
    return _numbers(text, "number of clients", 1, CLIENTS_MAX)


def calls(text: str) -> int:
    """How many calls are timed. Raises: ArgumentTypeError."""
    return _number(text, "number of calls", 1, CALLS_MAX)


def _number(text: str, what: str, least: int, most: int) -> int:
    match _numbers(text, what, least, most):
        case (number,):
            return number
        case _:
            raise argparse.ArgumentTypeError(f"{text!r} is more than one number")


def _numbers(text: str, what: str, least: int, most: int) -> tuple[int, ...]:
    try:
        numbers = sorted({int(part) for part in text.split(",")})
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers with commas between") from None
    for number in numbers:
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"a {what} lies between {least:,} and {most:,}, not {number:,}")
    return tuple(numbers)
