"""Damaged input for anything that reads bytes: seeds, mutations, and what may come of them.

A `Target` is a name, seeds and a function `bytes → None` that raises when the oracle is not met. A `FactlinkError` on
one line is a good answer; every other exception is a bug, and so is not coming back. A case is made from the target's
name and its number alone, so a failing one can be run again: `case(target, number)`.

Add a target: write the function, put it into a list, and call `check(target, share_of(n))` from a test.
"""

import os
import random
import re
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from factlink.errors import FactlinkError

CASES = int(os.environ.get("FACTLINK_FUZZ_CASES", "0"))
"""Cases of all targets together; 0 is the small form, of a few hundred."""
AT_WORK = Path(tempfile.gettempdir()) / f"factlink-fuzz-{os.getpid()}"
"""In the long form, the case at work: what to look at when the whole process is gone."""
SECONDS = 20
"""No case may take longer."""

TOKENS = (
    *(b"\0", b"\r", b"\n", b"\r\n", b"\t", b",", b";", b'"', b'""', b"'", b"\\", b"[", b"]", b"{", b"}", b":", b" "),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xe9", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", "é\u0301🧑‍🚀".encode()),
    *(b"\\ud800", b"\\u0000", b"\\ud83d\\ude00", b"\\u00e9", b"\\n", b"\xe2\x80\xa8", b"\xc2\xa0"),
    *(b"9007199254740993", b"18446744073709551616", b"-9223372036854775809", b"1e400", b"-0", b"1.0", b"007", b"0.1"),
    *(
        b"NaN",
        b"Infinity",
        b"-Infinity",
        b"nan",
        b"null",
        b"true",
        b"None",
        b"1e-7",
        b"1" * 5000,
        b"3.0000000000000000001",
    ),
    *(b"=1+1", b"@x", b"+1", b"-1", b"'=x", b" (after ')", b"[" * 3000, b'{"a":' * 1500, b"x" * 140_000),
    *(b'["a", "b"]', b'[["a"]]', b'{"a": 1}', b"[]", b'[null, ""]', b'"id": 1, ', b"id", b"left", b"source"),
    *(b"PAR1", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\0", b"../../etc/passwd", b"a.jpg", b"http://x/y.png"),
)
_VALUE = re.compile(rb'"[^"\n]*"|[^\s,:{}"\[\]]+')


@dataclass(frozen=True, slots=True)
class Target:
    """Something that reads bytes, whole inputs to start from, and a check that raises if it reads them badly."""

    name: str
    seeds: Sequence[bytes]
    run: Callable[[bytes], None]


def check(target: Target, cases: int, first: int = 0) -> None:
    """Runs cases of a target, and names the first that goes wrong."""
    for number in range(first, first + cases):
        data = case(target, number)
        if CASES:
            AT_WORK.write_bytes(f"{target.name}, case {number}\n".encode() + data)
        try:
            with time_limit(SECONDS):
                answer(target, data)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            shown = data if len(data) <= 600 else data[:300] + b" ... " + data[-300:]
            raise AssertionError(f"{target.name}, case {number}: {type(error).__name__}: {error}\n{shown!r}") from error
    AT_WORK.unlink(missing_ok=True)


def answer(target: Target, data: bytes) -> bool:
    """Whether the target took the input; False if it refused it in one sentence."""
    try:
        target.run(data)
    except FactlinkError as error:
        assert_one_sentence(str(error))
        return False
    return True


def assert_one_sentence(message: str) -> None:
    """A message that a person can be shown on one line of a terminal."""
    assert message, "an empty message"
    assert message.isprintable(), f"a message that is more than one line of letters: {message!r}"
    assert len(message) < 1100, f"a message of {len(message)} letters"
    assert "Traceback" not in message, message


def case(target: Target, number: int) -> bytes:
    """The input of this number; the first ones are the seeds themselves."""
    if number < len(target.seeds):
        return target.seeds[number]
    return mutate(random.Random(f"{target.name} {number}"), target.seeds)


def mutate(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A seed after one to eight random changes."""
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        rng.choice(_CHANGES)(rng, data, seeds)
    return bytes(data)


def share_of(small: int, targets: int = 1) -> int:
    """How many cases one of several targets gets: `small`, or its share of what the environment asks for."""
    return CASES // targets if CASES else small


def _place(rng: random.Random, data: bytearray) -> int:
    """Anywhere, and often near either end, where formats keep what rules the rest."""
    size = len(data)
    if size > 64 and rng.random() < 0.4:
        return rng.randrange(32) if rng.random() < 0.5 else size - 1 - rng.randrange(min(size, 400))
    return rng.randrange(size) if size else 0


def _flip(rng: random.Random, data: bytearray, _: Sequence[bytes]) -> None:
    if data:
        data[_place(rng, data)] ^= 1 << rng.randrange(8)


def _set(rng: random.Random, data: bytearray, _: Sequence[bytes]) -> None:
    if data:
        data[_place(rng, data)] = rng.randrange(256)


def _truncate(rng: random.Random, data: bytearray, _: Sequence[bytes]) -> None:
    del data[_place(rng, data) :]


def _delete(rng: random.Random, data: bytearray, _: Sequence[bytes]) -> None:
    place = _place(rng, data)
    del data[place : place + rng.choice((1, 1, 2, 4, 16, 64))]


def _insert(rng: random.Random, data: bytearray, _: Sequence[bytes]) -> None:
    place = _place(rng, data)
    data[place:place] = rng.randbytes(rng.choice((1, 1, 2, 4, 16)))


def _token(rng: random.Random, data: bytearray, _: Sequence[bytes]) -> None:
    place = _place(rng, data)
    data[place : place + rng.choice((0, 0, 1, 4))] = rng.choice(TOKENS)


def _value(rng: random.Random, data: bytearray, _: Sequence[bytes]) -> None:
    """Another value where one stands, quoted or not, so that what is around it stays whole."""
    found = list(_VALUE.finditer(bytes(data[:100_000])))
    if found:
        start, stop = rng.choice(found).span()
        token = rng.choice(TOKENS)
        data[start:stop] = b'"' + token + b'"' if rng.random() < 0.4 else token


def _duplicate(rng: random.Random, data: bytearray, _: Sequence[bytes]) -> None:
    place = _place(rng, data)
    piece = bytes(data[place : place + rng.choice((1, 4, 16, 64))])
    data[place:place] = piece * rng.choice((1, 1, 2, 50))


def _duplicate_line(rng: random.Random, data: bytearray, _: Sequence[bytes]) -> None:
    lines = bytes(data).split(b"\n")
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    data[:] = b"\n".join(lines)


def _swap_lines(rng: random.Random, data: bytearray, _: Sequence[bytes]) -> None:
    lines = bytes(data).split(b"\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    data[:] = b"\n".join(lines)


def _splice(rng: random.Random, data: bytearray, seeds: Sequence[bytes]) -> None:
    other = rng.choice(seeds)
    place = rng.randrange(len(other) + 1)
    data[_place(rng, data) :] = other[place:]


_CHANGES: Sequence[Callable[[random.Random, bytearray, Sequence[bytes]], None]] = (
    *(_flip, _set, _truncate, _delete, _insert, _token, _token, _value, _value, _value, _value),
    *(_duplicate, _duplicate_line, _swap_lines, _splice),
)


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Inside, nothing may take longer."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
