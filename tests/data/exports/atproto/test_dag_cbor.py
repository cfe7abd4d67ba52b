import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factlink.data.exports.atproto.dag_cbor import Link, decode
from tests.data.exports.atproto.writing import cbor, cid_of

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**64), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.builds(Link, st.binary()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ("00", 0),
        ("1818", 24),
        ("1bffffffffffffffff", 2**64 - 1),
        ("3903e7", -1000),
        ("fb3ff199999999999a", 1.1),
        ("6449455446", "IETF"),
        ("62c3bc", "ü"),
        ("4401020304", b"\1\2\3\4"),
        ("83010203", [1, 2, 3]),
        ("a26161016162820203", {"a": 1, "b": [2, 3]}),
        ("f6", None),
    ],
)
def test_examples_of_rfc_8949(data: str, value: object) -> None:
    assert decode(bytes.fromhex(data)) == value


def test_an_address_of_the_reference_implementation() -> None:
    data = base64.b64decode("oWR0ZXN0ZHJvb3Q=")
    assert decode(data) == {"test": "root"}
    address = base64.b32encode(cid_of(data)).decode().lower().rstrip("=")
    assert address == "afyreiapldaco7m23c7qzc4w42r7kxmcswm64nkindtuh4vwztrpoe7m5m"  # behind the 'b' of base32


@given(VALUES)
def test_what_is_written_is_read(value: object) -> None:
    assert decode(cbor(value)) == value


@given(st.binary(max_size=40))
def test_anything_else_is_refused(data: bytes) -> None:
    try:
        decode(data)
    except ValueError:
        return
    assert data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "cut off"),
        ("8201", "cut off"),
        ("6261", "cut off"),
        ("61ff", "not text"),
        ("0000", "behind the value"),
        ("9f01ff", "not definite"),
        ("a10101", "a key is not text"),
        ("c101", "not that of a link"),
        ("f7", "a kind that is not allowed"),
        ("9bffffffffffffffff", "longer than the block"),
        ("81" * 100 + "00", "too deep"),
    ],
)
def test_damage(data: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        decode(bytes.fromhex(data))
