"""Values to JSON and back, exactly, as the type hints say: what travels between processes of a folder.

Not pydantic: in a union it takes the first dataclass whose fields fit, so that `AlreadyStored(id)` may come back
as `Stored(id)`, it reads `bytes` out of `str | bytes` as `str`, and it costs 0.1 s at the start of every forwarding
process. Here a member of a union travels with its place in the union, nothing is coerced, and what arrives has the
very classes that were sent. Both sides run the same version of the program (`gateway.py` sees to it).

Understood: None, bool, int, float, str, bytes, datetime, date, timedelta, UUID, Path, Decimal, enums, Literal,
NewType, Annotated, dataclasses and NamedTuples (generic and recursive ones too), tuple, list, set, frozenset, dict,
the abstract collections (they arrive as tuple or dict), unions, and `object` for plain JSON. `calls.py` uses this.
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
from uuid import UUID


class NotSendable(TypeError):
    """A type hint that this module does not know, or a value that is not what its hint says."""


@dataclasses.dataclass(slots=True)
class Codec:
    """`encode` and `decode` raise NotSendable for a value of another type; `classes` are its exact classes."""

    encode: Callable[[object], object]
    decode: Callable[[object], object]
    classes: frozenset[type] = frozenset()


_known: dict[object, Codec] = {}


def codec_for(hint: object) -> Codec:
    """The codec of a type hint, made once. Raises: NotSendable when a part of the hint is not known."""
    try:
        return _known[hint]
    except KeyError:
        pass
    # Two threads may both get here and make the same codec twice, which costs time and nothing else. Finished
    # codecs alone enter `_known`: a half-made one of a recursive class must not be seen by another thread.
    unfinished: dict[object, Codec] = {}
    codec = _Maker(unfinished).make(hint, {})
    _known.update(unfinished)
    _known[hint] = codec
    return codec


def _scalar(
    cls: type, to_json: Callable[[typing.Any], object], of_json: Callable[[typing.Any], object]
) -> Codec:
    def encode(value: object) -> object:
        if not isinstance(value, cls):
            raise _unfit(cls, value)
        return to_json(value)

    def decode(encoded: object) -> object:
        try:
            return of_json(encoded)
        except (TypeError, ValueError, ArithmeticError, KeyError, AttributeError) as error:
            raise _unfit(cls, encoded) from error

    return Codec(encode, decode, frozenset({cls}))


def _plain(*classes: type, also: tuple[type, ...] = ()) -> Codec:
    """A type that JSON has itself. `also`: subclasses by value, such as a StrEnum member given for a `str`."""

    def same(value: object) -> object:
        if type(value) in classes:
            return value
        if also and isinstance(value, also) and not isinstance(value, bool):
            return also[0](value) if also[0] is int else str.__str__(typing.cast("str", value))
        raise _unfit(classes[0], value)

    return Codec(same, same, frozenset(classes))


def _timedelta_to_json(value: timedelta) -> list[int]:
    return [value.days, value.seconds, value.microseconds]


def _timedelta_of_json(value: list[int]) -> timedelta:
    return timedelta(days=value[0], seconds=value[1], microseconds=value[2])


def _bytes_to_json(value: bytes) -> str:
    return binascii.b2a_base64(value, newline=False).decode("ascii")


def _identity(value: object) -> object:
    return value


_SIMPLE: dict[object, Codec] = {
    None: _plain(types.NoneType),
    types.NoneType: _plain(types.NoneType),
    bool: _plain(bool),
    int: _plain(int, also=(int,)),
    float: _plain(float, int),
    str: _plain(str, also=(str,)),
    object: Codec(_identity, _identity),  # json.dumps refuses what is not plain JSON
    typing.Any: Codec(_identity, _identity),
    bytes: _scalar(bytes, _bytes_to_json, binascii.a2b_base64),
    datetime: _scalar(datetime, datetime.isoformat, datetime.fromisoformat),
    date: _scalar(date, date.isoformat, date.fromisoformat),
    timedelta: _scalar(timedelta, _timedelta_to_json, _timedelta_of_json),
    UUID: _scalar(UUID, str, UUID),
    Path: _scalar(Path, str, Path),
    Decimal: _scalar(Decimal, str, Decimal),
}

_COLLECTIONS: dict[object, type] = {
    list: list,
    set: set,
    frozenset: frozenset,
    collections.abc.Sequence: tuple,
    collections.abc.Collection: tuple,
    collections.abc.Iterable: tuple,
    collections.abc.Set: frozenset,
}
_MAPPINGS = {dict, collections.abc.Mapping, collections.abc.MutableMapping}


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
        if typing.get_origin(hint) is typing.Annotated:
            return self.make(typing.get_args(hint)[0], bound)
        if hasattr(hint, "__value__"):  # `type X = …`
            return self.make(typing.cast("typing.Any", hint).__value__, bound)
        simple = _SIMPLE.get(hint)
        if simple is not None:
            return simple
        origin: object = typing.get_origin(hint) or hint
        arguments = tuple(bound.get(part, part) for part in typing.get_args(hint))
        if origin is typing.Union or origin is types.UnionType:
            return self._union([self.make(part, bound) for part in arguments])
        if origin is typing.Literal:
            return _literal(arguments)
        if origin is tuple:
            return self._tuple(arguments, bound)
        if origin in _COLLECTIONS and arguments:
            return _collection(_COLLECTIONS[origin], self.make(arguments[0], bound))
        if origin in _MAPPINGS and arguments:
            return _mapping(self.make(arguments[0], bound), self.make(arguments[1], bound))
        if isinstance(origin, type):
            return self._class(origin, arguments, hint)
        raise NotSendable(f"no way to send a {hint}")

    def _class(self, cls: type, arguments: tuple[object, ...], hint: object) -> Codec:
        if issubclass(cls, enum.Flag):
            return _scalar(cls, lambda member: member.value, cls)
        if issubclass(cls, enum.Enum):
            return _scalar(cls, lambda member: member.name, lambda name: cls[name])
        names = _record_fields(cls)
        if names is None:
            raise NotSendable(f"no way to send a {hint}")
        key = (cls, arguments)
        if key in self.unfinished:
            return self.unfinished[key]
        variables: tuple[object, ...] = getattr(cls, "__parameters__", ())
        fields: dict[str, Codec] = {}
        self.unfinished[key] = codec = _record(cls, fields)
        hints = typing.get_type_hints(cls)
        bound = dict(zip(variables, arguments, strict=False))
        for name in names:
            try:
                fields[name] = self.make(hints[name], bound)
            except NotSendable as error:
                raise NotSendable(f"{cls.__name__}.{name}: {error}") from error
        return codec

    def _tuple(self, arguments: tuple[object, ...], bound: Mapping[object, object]) -> Codec:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return _collection(tuple, self.make(arguments[0], bound))
        return _fixed_tuple([self.make(part, bound) for part in arguments])

    @staticmethod
    def _union(members: list[Codec]) -> Codec:
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
            match encoded:
                case [int(place), value] if 0 <= place < len(members):
                    return members[place].decode(value)
                case _:
                    raise _unfit(list, encoded)

        return Codec(encode, decode, frozenset[type]().union(*(member.classes for member in members)))


def _record_fields(cls: type) -> list[str] | None:
    """The names that make up a dataclass or a NamedTuple; None for any other class."""
    if dataclasses.is_dataclass(cls):
        return [field.name for field in dataclasses.fields(cls) if field.init]
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return list(typing.cast("tuple[str, ...]", cls._fields))  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue] - a NamedTuple has it
    return None


def _record(cls: type, fields: dict[str, Codec]) -> Codec:
    def encode(value: object) -> object:
        # Exactly this class: a subclass would arrive as its base, silently changed.
        if type(value) is not cls:
            raise _unfit(cls, value)
        return {name: codec.encode(getattr(value, name)) for name, codec in fields.items()}

    def decode(encoded: object) -> object:
        if not isinstance(encoded, dict):
            raise _unfit(cls, encoded)
        facts = typing.cast("dict[str, object]", encoded)
        if facts.keys() != fields.keys():
            raise NotSendable(f"not the fields of a {cls.__name__}")
        return cls(**{name: codec.decode(facts[name]) for name, codec in fields.items()})

    return Codec(encode, decode, frozenset({cls}))


def _literal(values: tuple[object, ...]) -> Codec:
    def encode(value: object) -> object:
        for place, allowed in enumerate(values):
            if value == allowed and type(value) is type(allowed):
                return place
        raise NotSendable(f"none of {values}")

    def decode(encoded: object) -> object:
        match encoded:
            case int(place) if 0 <= place < len(values):
                return values[place]
            case _:
                raise _unfit(int, encoded)

    return Codec(encode, decode)


def _collection(cls: type, item: Codec) -> Codec:
    # `Sequence` and its like arrive as tuples but may be sent as lists; a `list` must be a list, and so on.
    accepted = (list, tuple, set, frozenset) if cls in {tuple, frozenset} else cls

    def encode(value: object) -> object:
        if not isinstance(value, accepted):
            raise _unfit(cls, value)
        return [item.encode(part) for part in typing.cast("Iterable[object]", value)]

    def decode(encoded: object) -> object:
        if not isinstance(encoded, list):
            raise _unfit(cls, encoded)
        return cls([item.decode(part) for part in typing.cast("list[object]", encoded)])

    return Codec(encode, decode, frozenset({cls}))


def _fixed_tuple(items: list[Codec]) -> Codec:
    def encode(value: object) -> object:
        if not isinstance(value, tuple) or len(typing.cast("tuple[object, ...]", value)) != len(items):
            raise _unfit(tuple, value)
        parts = typing.cast("tuple[object, ...]", value)
        return [item.encode(part) for item, part in zip(items, parts, strict=True)]

    def decode(encoded: object) -> object:
        if not isinstance(encoded, list) or len(typing.cast("list[object]", encoded)) != len(items):
            raise _unfit(tuple, encoded)
        parts = typing.cast("list[object]", encoded)
        return tuple(item.decode(part) for item, part in zip(items, parts, strict=True))

    return Codec(encode, decode, frozenset({tuple}))


def _mapping(key: Codec, value: Codec) -> Codec:
    def encode(mapping: object) -> object:
        if not isinstance(mapping, collections.abc.Mapping):
            raise _unfit(dict, mapping)
        pairs = typing.cast("Mapping[object, object]", mapping).items()
        return [[key.encode(name), value.encode(part)] for name, part in pairs]

    def decode(encoded: object) -> object:
        if not isinstance(encoded, list):
            raise _unfit(dict, encoded)
        pairs = typing.cast("list[list[object]]", encoded)
        return {key.decode(name): value.decode(part) for name, part in pairs}

    return Codec(encode, decode, frozenset({dict}))


def _unfit(cls: type, value: object) -> NotSendable:
    # Classes only: the value itself may be somebody's memory.
    return NotSendable(f"expected a {cls.__name__}, got a {type(value).__name__}")
