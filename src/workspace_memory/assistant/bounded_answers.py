"""How much one answer of a provider may be: a stream without an end must not fill the memory of this process."""

from collections.abc import AsyncIterator
from typing import Final

import httpx2
from pydantic_ai.exceptions import UnexpectedModelBehavior

ANSWER_BYTES_MAX: Final = 32 * 1024 * 1024
"""Bytes on the wire: above what the longest answers take, whose every word comes as an event of some hundred bytes."""


async def bound_answer(response: httpx2.Response) -> None:
    """An event hook for responses, which have not been read yet."""
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The same bytes. Raises: UnexpectedModelBehavior where they are too many."""
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > ANSWER_BYTES_MAX:
                raise UnexpectedModelBehavior("the answer has no end")
            yield chunk

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stream.aclose()
