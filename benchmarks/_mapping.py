"""Which saved item stands for which key of a case: not one to one, since a memory keeps no text twice.

Pure. A text that is too long is saved in parts, and the parts all stand for its key. A text that equals an earlier
one gets the earlier one's item, and both keys are then the same answer. `quality.py` saves and asks.
"""

from collections.abc import Iterable, Mapping, Sequence


def parts_of(text: str, characters_max: int) -> list[str]:
    """The text in pieces of at most so many characters, cut at a blank where one is near enough."""
    parts: list[str] = []
    rest = text.strip()
    while len(rest) > characters_max:
        blank = rest.rfind(" ", characters_max // 2, characters_max + 1)
        cut = blank if blank > 0 else characters_max
        parts.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [*parts, rest] if rest else parts


class Answers:
    """The items of one set of texts; each item belongs to the first key whose text it holds."""

    def __init__(self) -> None:
        self._key_of_item: dict[str, str] = {}
        self._items_of_key: dict[str, tuple[str, ...]] = {}

    def note(self, key: str, items: Sequence[str]) -> None:
        """The key's text, or its parts, are these items."""
        for item in items:
            self._key_of_item.setdefault(item, key)
        self._items_of_key[key] = tuple(items)

    def ranking(self, items: Iterable[str]) -> list[str]:
        """Found items as distinct keys, best first; an item that is nobody's keeps its own place."""
        return list(dict.fromkeys(self._key_of_item.get(item, item) for item in items))

    def gold(self, keys: Iterable[str]) -> set[str]:
        """The keys under which these texts are found: for a repeated text, the key that had it first."""
        return {self._key_of_item[item] for key in keys for item in self._items_of_key[key][:1]}


def group_by_label(labels: Iterable[str]) -> Mapping[str, list[int]]:
    """The positions of each label, the labels in ascending order."""
    groups: dict[str, list[int]] = {}
    for position, label in enumerate(labels):
        groups.setdefault(label, []).append(position)
    return dict(sorted(groups.items()))
