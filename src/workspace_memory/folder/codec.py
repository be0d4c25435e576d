"""Values to JSON and back, exactly, as the type hints say: what travels between processes of a folder.

Not pydantic: in a union it takes the first dataclass whose fields fit, so that `AlreadyStored(id)` may come
back as `Stored(id)`, it reads `bytes` out of `str | bytes` as `str`, and it costs 0.1 s at the start of every
forwarding process. Here a member of a union travels with its place in the union, nothing is coerced, and what
arrives has the very classes that were sent. Both sides run the same version of the program (`gateway.py`).

Understood: None, bool, int, float, str, bytes, datetime, date, timedelta, UUID, Path, Decimal, enums,
Literal, NewType, dataclasses and NamedTuples (generic and recursive ones too), tuple, list, set, frozenset,
dict, the abstract collections (they arrive as tuple, frozenset or dict), unions, and `object` for plain JSON.
"""

import binascii
import collections.abc
import dataclasses
import enum
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, cast  # Any: what a hint says is known at run time only
from uuid import UUID


class NotSendable(TypeError):
    """A type hint that this module does not know, or a value that is not what its hint says."""


@dataclasses.dataclass(slots=True)
class Codec:
    """One hint's way to JSON and back. Both functions raise NotSendable for a value of another type.

    `name` is the same in every process, however the hint was written; `classes` are the exact classes of
    values.
    """

    name: str
    encode: Callable[[object], object]
    decode: Callable[[object], object]
    classes: frozenset[type] = frozenset()


_known: dict[object, Codec] = {}


def codec_for(hint: object) -> Codec:
    """The codec of a type hint, made once. Raises: NotSendable when a part of the hint is not known."""
    codec = _known.get(hint)
    if codec is None:
        # Two threads may make the same codec at once, which costs time and nothing else. A half-made codec
        # of a class that contains itself stays in this maker, where no other thread sees it.
        codec = _known[hint] = _Maker({}).make(hint, {})
    return codec


def _name_of(cls: type[Any]) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _plain(cls: type, *, accepts: tuple[type, ...], value_of: Callable[[Any], object] | None = None) -> Codec:
    """A type that JSON has itself. `value_of` makes a plain value of a subclass, such as a StrEnum member."""

    def encode(value: object) -> object:
        if type(value) in accepts:
            return value
        if value_of is not None and isinstance(value, cls) and not isinstance(value, bool):
            return value_of(value)
        raise _unfit(cls, value)

    def decode(encoded: object) -> object:
        if type(encoded) in accepts:
            return encoded
        raise _unfit(cls, encoded)

    return Codec(cls.__name__, encode, decode, frozenset({cls}))


def _through(cls: type, to_json: Callable[[Any], object], of_json: Callable[[Any], object]) -> Codec:
    """A type that travels as something JSON has."""

    def encode(value: object) -> object:
        if not isinstance(value, cls):
            raise _unfit(cls, value)
        return to_json(value)

    def decode(encoded: object) -> object:
        try:
            return of_json(encoded)
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            raise _unfit(cls, encoded) from error

    return Codec(_name_of(cls), encode, decode, frozenset({cls}))


def _anything(value: object) -> object:
    return value  # json.dumps refuses what is not plain JSON


def _plain_int(value: int) -> int:
    return int(value)


def _plain_str(value: str) -> str:
    return str.__str__(value)


def _base64_of(value: bytes) -> str:
    return binascii.b2a_base64(value, newline=False).decode("ascii")


def _parts_of(value: timedelta) -> list[int]:
    return [value.days, value.seconds, value.microseconds]


def _timedelta_of(parts: list[int]) -> timedelta:
    days, seconds, microseconds = parts
    return timedelta(days, seconds, microseconds)


_NONE = _plain(type(None), accepts=(type(None),))
_JSON = Codec("object", _anything, _anything)
_SIMPLE: dict[object, Codec] = {
    None: _NONE,
    type(None): _NONE,
    object: _JSON,
    Any: _JSON,
    bool: _plain(bool, accepts=(bool,)),
    int: _plain(int, accepts=(int,), value_of=_plain_int),
    float: _plain(float, accepts=(float, int)),
    str: _plain(str, accepts=(str,), value_of=_plain_str),
    bytes: _through(bytes, _base64_of, binascii.a2b_base64),
    datetime: _through(datetime, datetime.isoformat, datetime.fromisoformat),
    date: _through(date, date.isoformat, date.fromisoformat),
    timedelta: _through(timedelta, _parts_of, _timedelta_of),
    UUID: _through(UUID, str, UUID),
    Path: _through(Path, str, Path),
    Decimal: _through(Decimal, str, Decimal),
}

_COLLECTIONS: dict[object, type[Any]] = {
    list: list,
    set: set,
    frozenset: frozenset,
    collections.abc.Sequence: tuple,
    collections.abc.Collection: tuple,
    collections.abc.Iterable: tuple,
    collections.abc.Set: frozenset,
}
_MAPPINGS: list[object] = [dict, collections.abc.Mapping, collections.abc.MutableMapping]


@dataclasses.dataclass(frozen=True, slots=True)
class _Maker:
    """Makes the codec of one hint. `unfinished` breaks the circle of a class that contains itself."""

    unfinished: dict[object, Codec]

    def make(self, hint: object, bound: Mapping[object, object]) -> Codec:
        """`bound`: what the type variables of an enclosing generic class stand for."""
        if isinstance(hint, typing.TypeVar):
            if hint not in bound:
                raise NotSendable(f"the type variable {hint} stands for nothing here")
            return self.make(bound[hint], {})
        if isinstance(hint, typing.NewType):
            return self.make(hint.__supertype__, bound)
        if hasattr(hint, "__value__"):  # `type X = …`
            return self.make(cast("Any", hint).__value__, bound)
        simple = _SIMPLE.get(hint)
        if simple is not None:
            return simple
        origin: object = typing.get_origin(hint) or hint
        arguments = tuple(
            bound.get(part, part) if isinstance(part, typing.TypeVar) else part
            for part in cast("tuple[object, ...]", typing.get_args(hint))
        )
        if origin is typing.Union or origin is types.UnionType:
            return _union([self.make(part, bound) for part in arguments])
        if origin is typing.Literal:
            return _literal(arguments)
        if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
            return _collection(tuple, self.make(arguments[0], bound))
        if origin is tuple:
            return _fixed_tuple([self.make(part, bound) for part in arguments])
        if origin in _COLLECTIONS and arguments:
            return _collection(_COLLECTIONS[origin], self.make(arguments[0], bound))
        if origin in _MAPPINGS and arguments:
            return _mapping(self.make(arguments[0], bound), self.make(arguments[1], bound))
        if isinstance(origin, type):
            return self._class(cast("type[Any]", origin), arguments)
        raise NotSendable(f"no way to send a {hint}")

    def _class(self, cls: type[Any], arguments: tuple[object, ...]) -> Codec:
        if issubclass(cls, enum.Flag):
            return _through(cls, lambda member: member.value, cls)
        if issubclass(cls, enum.Enum):
            return _through(cls, lambda member: member.name, lambda name: cls[name])
        names = _record_fields(cls)
        if names is None:
            raise NotSendable(f"no way to send a {_name_of(cls)}")
        key = (cls, arguments)
        if key in self.unfinished:
            return self.unfinished[key]
        fields: dict[str, Codec] = {}
        codec = self.unfinished[key] = _record(cls, arguments, fields)
        hints = typing.get_type_hints(cls)
        variables: tuple[object, ...] = getattr(cls, "__parameters__", ())
        bound = dict(zip(variables, arguments, strict=False))
        for name in names:
            try:
                fields[name] = self.make(hints[name], bound)
            except NotSendable as error:
                raise NotSendable(f"{cls.__name__}.{name}: {error}") from error
        return codec


def _record_fields(cls: type[Any]) -> list[str] | None:
    """The names that make up a dataclass or a NamedTuple; None for any other class."""
    if dataclasses.is_dataclass(cls):
        return [field.name for field in dataclasses.fields(cls) if field.init]
    if issubclass(cls, tuple) and hasattr(cast("Any", cls), "_fields"):
        return list(cast("Any", cls)._fields)
    return None


def _record(cls: type[Any], arguments: tuple[object, ...], fields: dict[str, Codec]) -> Codec:
    def encode(value: object) -> object:
        # Exactly this class: a subclass would arrive as its base, silently changed.
        if type(value) is not cls:
            raise _unfit(cls, value)
        return {name: codec.encode(getattr(value, name)) for name, codec in fields.items()}

    def decode(encoded: object) -> object:
        if not isinstance(encoded, dict):
            raise _unfit(cls, encoded)
        facts = cast("dict[str, object]", encoded)
        if facts.keys() != fields.keys():
            raise NotSendable(f"not the fields of a {cls.__name__}")
        return cls(**{name: codec.decode(facts[name]) for name, codec in fields.items()})

    return Codec(f"{_name_of(cls)}{list(arguments)}", encode, decode, frozenset({cls}))


def _union(members: list[Codec]) -> Codec:
    # `A | B` and `B | A` are one hint to Python and may come in either order, in each process another.
    members.sort(key=lambda member: member.name)

    def encode(value: object) -> object:
        # The exact class first: a StrEnum member is a str too, and has to stay what it is.
        likely = [place for place, member in enumerate(members) if type(value) in member.classes]
        for place in [*likely, *(place for place in range(len(members)) if place not in likely)]:
            try:
                return [place, members[place].encode(value)]
            except NotSendable:
                continue
        raise NotSendable(f"a {type(value).__name__} is no member of this union")

    def decode(encoded: object) -> object:
        match _list_for(list, encoded):
            case [int(place), value] if 0 <= place < len(members):
                return members[place].decode(value)
            case _:
                raise NotSendable("not a place in a union and a value")

    classes = frozenset[type]().union(*(member.classes for member in members))
    return Codec(" | ".join(member.name for member in members), encode, decode, classes)


def _literal(values: tuple[object, ...]) -> Codec:
    def encode(value: object) -> object:
        for allowed in values:
            if value == allowed and type(value) is type(allowed):
                return value.name if isinstance(value, enum.Enum) else value
        raise NotSendable(f"none of {values}")

    def decode(encoded: object) -> object:
        for allowed in values:
            sent = allowed.name if isinstance(allowed, enum.Enum) else allowed
            if encoded == sent and type(encoded) is type(sent):  # True equals 1
                return allowed
        raise NotSendable(f"none of {values}")

    return Codec(f"Literal{sorted(map(repr, values))}", encode, decode)


def _collection(cls: type[Any], item: Codec) -> Codec:
    # `Sequence` and its like arrive as tuples but may be sent as lists; a `list` must be a list, and so on.
    accepted = (list, tuple, set, frozenset) if cls in {tuple, frozenset} else (cls,)
    build = cast("Callable[[Iterable[object]], object]", cls)

    def encode(value: object) -> object:
        if not isinstance(value, accepted):
            raise _unfit(cls, value)
        return [item.encode(part) for part in cast("Iterable[object]", value)]

    def decode(encoded: object) -> object:
        return build(item.decode(part) for part in _list_for(cls, encoded))

    return Codec(f"{cls.__name__}[{item.name}, ...]", encode, decode, frozenset({cls}))


def _fixed_tuple(items: list[Codec]) -> Codec:
    def encode(value: object) -> object:
        if not isinstance(value, tuple):
            raise _unfit(tuple, value)
        parts = cast("tuple[object, ...]", value)
        if len(parts) != len(items):
            raise NotSendable(f"expected {len(items)} parts, got {len(parts)}")
        return [item.encode(part) for item, part in zip(items, parts, strict=True)]

    def decode(encoded: object) -> object:
        parts = _list_for(tuple, encoded)
        if len(parts) != len(items):
            raise NotSendable(f"expected {len(items)} parts, got {len(parts)}")
        return tuple(item.decode(part) for item, part in zip(items, parts, strict=True))

    return Codec(f"tuple[{', '.join(item.name for item in items)}]", encode, decode, frozenset({tuple}))


def _mapping(key: Codec, value: Codec) -> Codec:
    def encode(mapping: object) -> object:
        if not isinstance(mapping, collections.abc.Mapping):
            raise _unfit(dict, mapping)
        pairs = cast("Mapping[object, object]", mapping).items()
        return [[key.encode(name), value.encode(part)] for name, part in pairs]

    def decode(encoded: object) -> object:
        pairs = (_list_for(dict, pair) for pair in _list_for(dict, encoded))
        return {key.decode(name): value.decode(part) for name, part in pairs}

    return Codec(f"dict[{key.name}, {value.name}]", encode, decode, frozenset({dict}))


def _list_for(cls: type[Any], encoded: object) -> list[object]:
    if not isinstance(encoded, list):
        raise _unfit(cls, encoded)
    return cast("list[object]", encoded)


def _unfit(cls: type[Any], value: object) -> NotSendable:
    # Classes only: the value itself may be somebody's memory.
    return NotSendable(f"expected a {cls.__name__}, got a {type(value).__name__}")
