"""Whether the manifest is sound in itself, and whether it and the tests name the same sentences.

Pure: the entries and the markers are handed in; `markers.py` reads the latter from the test files.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from tests.requirement_lists.vocabulary import Capability, Deferred, NotOurs, Requirement, Tested

_SEED_ID = re.compile(r"(document|items)(:[a-z0-9]+(-[a-z0-9]+)*){2}")
_FIELD_ID = re.compile(rf"field:case-\d\d(:({'|'.join(Capability)}))?")
_NUMBER = re.compile(r"([1-9][0-9]*)([a-z]?)")


def untested(requirements: Iterable[Requirement], named: Mapping[str, Sequence[str]]) -> list[str]:
    """The ids that are said to be tested and that no test names."""
    return [each.id for each in requirements if isinstance(each.state, Tested) and each.id not in named]


def unknown(requirements: Iterable[Requirement], named: Mapping[str, Sequence[str]]) -> list[str]:
    """The ids that a test names and that no entry has, each with the places of those tests."""
    known = {each.id for each in requirements}
    return [
        f"{identifier} in {', '.join(places)}"
        for identifier, places in named.items()
        if identifier not in known
    ]


def named_too_early(requirements: Iterable[Requirement], named: Mapping[str, Sequence[str]]) -> list[str]:
    """The ids that are deferred or not ours although a test names them: their state should be Tested."""
    return [
        f"{each.id} in {', '.join(named[each.id])}"
        for each in requirements
        if not isinstance(each.state, Tested) and each.id in named
    ]


def manifest_faults(
    requirements: Sequence[Requirement], built: AbstractSet[Capability] = frozenset()
) -> list[str]:
    """What is wrong with the entries themselves, one sentence for each fault; empty when all is well."""
    return [
        *(f"{each}: two entries have this id" for each in _repeated(r.id for r in requirements)),
        *(f"{each}: two entries have this source" for each in _repeated(str(r.source) for r in requirements)),
        *chain.from_iterable(_entry_faults(entry, built) for entry in requirements),
        *_numbering_faults(requirements),
    ]


def _repeated(values: Iterable[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def _entry_faults(entry: Requirement, built: AbstractSet[Capability]) -> Iterator[str]:
    if not (_SEED_ID.fullmatch(entry.id) or _FIELD_ID.fullmatch(entry.id)):
        yield f"{entry.id}: the id is not of the form 'items:subject:what-holds' or 'field:case-01'"
    if not entry.behaviour.strip() or "\n" in entry.behaviour:
        yield f"{entry.id}: the behaviour is not one line of text"
    if not _NUMBER.fullmatch(entry.source.number):
        yield f"{entry.id}: the sentence number {entry.source.number!r} is not of the form '3' or '3a'"
    match entry.state:
        case NotOurs(reason) if not reason.strip():
            yield f"{entry.id}: not ours, but no reason is given"
        case Deferred(capability) if capability in built:
            yield f"{entry.id}: deferred to {capability}, which is built"
        case _:
            pass


def _numbering_faults(requirements: Sequence[Requirement]) -> Iterator[str]:
    """A gap in the numbers of a section is a sentence that was forgotten; so is a letter left out."""
    sections: dict[tuple[str, str], dict[int, list[str]]] = {}
    for source in (entry.source for entry in requirements):
        if match := _NUMBER.fullmatch(source.number):
            letters = sections.setdefault((source.text, source.section), {}).setdefault(int(match[1]), [])
            letters.append(match[2])
    for (text, heading), sentences in sections.items():
        if sorted(sentences) != list(range(1, len(sentences) + 1)):
            yield f"{text}, {heading}: the sentences are not numbered 1, 2, 3, … without a gap"
        for number, letters in sentences.items():
            if letters != [""] and letters != [chr(ord("a") + index) for index in range(len(letters))]:
                yield f"{text}, {heading}, {number}: the parts are not lettered a, b, c, … without a gap"
