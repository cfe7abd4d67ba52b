"""Tokens that open a service: compared in constant time, sent as a bearer, or turned into an address."""

import secrets
from hashlib import sha256


def new_token() -> str:
    """A token that cannot be guessed."""
    return secrets.token_urlsafe(24)


def same_token(given: str, token: str) -> bool:
    """Whether two tokens are the same, compared in constant time."""
    return secrets.compare_digest(given.encode("utf-8", "replace"), token.encode("utf-8", "replace"))


def bearer_of(authorization: str) -> str | None:
    """The token in an Authorization header; None if it is not a bearer's."""
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def place_of(token: str) -> str:
    """A path that nobody without the token can guess, for clients that can send an address alone."""
    return f"/{sha256(f'place of {token}'.encode()).hexdigest()[:32]}"
