"""A call of a service function as bytes, and its answer as bytes: which functions, which values, which errors.

A function travels as its registered name, its arguments and result as JSON made from its type hints
(`codec.py`). A domain error travels as its class name and facts and is raised as the same class on the
caller's side. Any other exception stays in the owner: the caller learns that something failed, the owner's
log learns its type and place, and nobody's memory text leaves through an error. Codecs are made at the first
use of each function. How the bytes travel: `listener.py` and `forwarding.py`.
"""

import dataclasses
import inspect
import json
import logging
import traceback
import types
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from workspace_memory.domain.errors import DomainError
from workspace_memory.folder.channel import MESSAGE_BYTES_MAX
from workspace_memory.folder.codec import Codec, NotSendable, codec_for
from workspace_memory.folder.errors import FolderBusy, FolderError, MessageTooLarge, OwnerFailed

RESULT = b"R"
ERROR = b"E"

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Shape:
    """How one function is called: its parameters after the first, and the codecs of them and of its result."""

    signature: inspect.Signature
    parameters: Mapping[str, Codec]
    result: Codec


class CallRegistry:
    """The functions that may be called through a folder: name -> function whose first parameter is `deps`.

    `repeatable`: the ones that may be carried out twice without harm (reads, and writes with their own key);
    they are repeated by themselves when an owner dies under them. The mapping is the whole allow-list
    of what a forwarding process can reach.
    """

    def __init__(
        self,
        functions: Mapping[str, Callable[..., object]],
        *,
        repeatable: Collection[Callable[..., object]] = (),
    ) -> None:
        self._functions = dict(functions)
        self._names = {function: name for name, function in functions.items()}
        if len(self._names) != len(self._functions):
            raise ValueError("one function has two names")
        self._repeatable = frozenset(self.name_of(function) for function in repeatable)
        self._shapes: dict[str, _Shape] = {}

    def name_of(self, function: Callable[..., object]) -> str:
        """The name under which a function travels. Raises: LookupError when it is not registered."""
        try:
            return self._names[function]
        except KeyError:
            raise LookupError(
                f"{function.__module__}.{function.__qualname__} is not registered for calls"
            ) from None

    def is_repeatable(self, name: str) -> bool:
        """Whether the call may be carried out twice without harm."""
        return name in self._repeatable

    def check(self) -> None:
        """Make the codecs of every function; for the project's own tests. Raises: NotSendable."""
        for name in self._functions:
            self._shape(name)

    def encode_call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> bytes:
        """The call as bytes. Raises: TypeError as a direct call would, NotSendable, MessageTooLarge."""
        shape = self._shape(name)
        given = shape.signature.bind(None, *args, **kwargs).arguments
        arguments = {
            parameter: _within(f"{name}({parameter})", codec.encode, given[parameter])
            for parameter, codec in shape.parameters.items()
            if parameter in given
        }
        encoded = _to_json({"name": name, "arguments": arguments})
        if len(encoded) > MESSAGE_BYTES_MAX:
            raise MessageTooLarge("request", MESSAGE_BYTES_MAX)
        return encoded

    def answer(self, run: Callable[..., object], request: bytes) -> tuple[bytes, bytes]:
        """Carry out an encoded call in the owner; give the kind of the answer (RESULT, ERROR) and its bytes.

        `run` calls a function of this registry with the owner's `deps` before the given arguments.
        """
        name = "an unreadable call"
        try:
            call = _of_json(request)
            name = str(call["name"])
            shape = self._shape(name)
            given = typing.cast("dict[str, object]", call["arguments"])
            arguments = {
                parameter: shape.parameters[parameter].decode(value) for parameter, value in given.items()
            }
            result = run(self._functions[name], **arguments)
            encoded = _to_json({"result": _within(f"the result of {name}", shape.result.encode, result)})
        except DomainError as error:
            return ERROR, encode_error(error)
        except Exception as error:
            # Type and place only: the text of an unexpected error may quote what it stumbled over.
            _logger.error("call of %s failed: %s at %s", name, type(error).__name__, _places(error))
            return ERROR, encode_error(OwnerFailed())
        if len(encoded) > MESSAGE_BYTES_MAX:
            return ERROR, encode_error(MessageTooLarge("answer", MESSAGE_BYTES_MAX))
        return RESULT, encoded

    def decode_answer(self, name: str, kind: bytes, answer: bytes) -> object:
        """The result of a call as the caller gets it. Raises: the domain error that the owner answered with."""
        if kind == RESULT:
            return self._shape(name).result.decode(_of_json(answer)["result"])
        raise decode_error(answer)

    def _shape(self, name: str) -> _Shape:
        shape = self._shapes.get(name)
        if shape is None:
            if name not in self._functions:
                raise NotSendable("no such function is registered for calls")
            # Two threads may make it at once; both make the same.
            shape = self._shapes[name] = _shape_of(self._functions[name], name)
        return shape


def encode_error(error: DomainError) -> bytes:
    """A domain error as its class name and facts."""
    hints = typing.get_type_hints(type(error))
    facts = {
        field.name: codec_for(hints[field.name]).encode(getattr(error, field.name))
        for field in dataclasses.fields(error)
        if field.init
    }
    return _to_json({"error": type(error).__name__, "facts": facts})


def decode_error(answer: bytes) -> DomainError:
    """The same error again; OwnerFailed for a class that this process does not know."""
    encoded = _of_json(answer)
    cls = _error_classes().get(str(encoded.get("error")))
    if cls is None:
        return OwnerFailed()
    hints = typing.get_type_hints(cls)
    facts = typing.cast("dict[str, object]", encoded["facts"])
    return cls(**{name: codec_for(hints[name]).decode(value) for name, value in facts.items()})


def _error_classes() -> dict[str, type[DomainError]]:
    """Every domain error known by now, by name; modules imported later may add some, so it is not kept."""
    found: dict[str, type[DomainError]] = {}
    waiting: list[type[DomainError]] = [DomainError, FolderError, FolderBusy]
    while waiting:
        cls = waiting.pop()
        found.setdefault(cls.__name__, cls)
        waiting.extend(cls.__subclasses__())
    return found


def _shape_of(function: Callable[..., object], name: str) -> _Shape:
    signature = inspect.signature(function)
    hints = typing.get_type_hints(function)
    parameters: dict[str, Codec] = {}
    for parameter in list(signature.parameters.values())[1:]:
        if parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY}:
            raise NotSendable(f"{name}({parameter.name}): only named parameters can be sent")
        if parameter.name not in hints:
            raise NotSendable(f"{name}({parameter.name}) has no type hint")
        parameters[parameter.name] = _within(f"{name}({parameter.name})", codec_for, hints[parameter.name])
    if "return" not in hints:
        raise NotSendable(f"{name} has no hint of what it returns")
    return _Shape(signature, parameters, _within(f"the result of {name}", codec_for, hints["return"]))


_T = typing.TypeVar("_T")


def _within(place: str, step: Callable[[object], _T], value: object) -> _T:
    """Do one step of coding; a failure names the place in the call where it happened."""
    try:
        return step(value)
    except NotSendable as error:
        raise NotSendable(f"{place}: {error}") from error


def _to_json(value: object) -> bytes:
    try:
        # Lone surrogates are legal in a str and illegal in UTF-8; they travel here between two Pythons.
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    except TypeError as error:
        raise NotSendable("a hint of `object` carries plain JSON only") from error


def _of_json(encoded: bytes) -> dict[str, object]:
    value: object = json.loads(encoded.decode("utf-8", "surrogatepass"))
    if not isinstance(value, dict):
        raise NotSendable("expected an object")
    return typing.cast("dict[str, object]", value)


def _places(error: BaseException) -> str:
    """File and line of each frame, outermost first."""
    frames: list[tuple[types.FrameType, int]] = list(traceback.walk_tb(error.__traceback__))
    return " > ".join(f"{Path(frame.f_code.co_filename).name}:{line}" for frame, line in frames)
