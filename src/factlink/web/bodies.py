"""Bodies of requests up to a limit, whatever length was announced."""

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

DISCARDED = 4_194_304
"""Bytes past the limit that are read and thrown away: browsers show no answer to what is not read to its end."""


def limited(receive: Receive, largest: int, sentence: str) -> Receive:
    """Receives a body of at most `largest` bytes; more are refused with the sentence."""
    left = largest

    async def receive_some() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left >= 0:
            return message
        while message.get("more_body", False) and left > -DISCARDED:
            message = await receive()
            left -= len(message.get("body", b""))
        raise HTTPException(413, sentence)

    return receive_some
