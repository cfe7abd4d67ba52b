import io

import pytest

from factlink.data.exports.atproto.car import DamagedError, read_repository
from tests.data.exports.atproto.writing import car, cbor, cid_of, repository

TYPE = "app.bsky.graph.follow"
RECORDS: dict[str, dict[str, object]] = {
    f"{TYPE}/1": {"$type": TYPE, "subject": "did:plc:bob"},
    f"{TYPE}/2": {"$type": TYPE, "subject": "did:plc:eve"},
    "app.bsky.feed.like/1": {"$type": "app.bsky.feed.like", "n": 1},
}
BLOCKS = repository("did:plc:amy", RECORDS)


def subjects(data: bytes) -> list[object]:
    return sorted(str(record["subject"]) for record in read_repository(io.BytesIO(data), [TYPE]).records.values())


def test_records_of_a_type_in_any_order_of_blocks() -> None:
    for blocks in (BLOCKS, BLOCKS[::-1]):
        found = read_repository(io.BytesIO(car(BLOCKS[0][0], blocks)), [TYPE])
        assert (found.did, found.n_missing) == ("did:plc:amy", 0)
        assert subjects(car(BLOCKS[0][0], blocks)) == ["did:plc:bob", "did:plc:eve"]


def test_records_that_the_tree_does_not_list_are_not_there() -> None:
    gone = cbor({"$type": TYPE, "subject": "did:plc:gone"})
    assert subjects(car(BLOCKS[0][0], [*BLOCKS, (cid_of(gone), gone)])) == ["did:plc:bob", "did:plc:eve"]


def test_missing_blocks_are_counted() -> None:
    assert read_repository(io.BytesIO(car(BLOCKS[0][0], BLOCKS[:-2])), [TYPE]).n_missing == 2


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "does not begin as CAR files"),
        (b"PK\3\4 something else", "cut off|not DAG-CBOR|more than any record"),
        (car(BLOCKS[0][0], BLOCKS)[:-1], "cut off"),
        (car(BLOCKS[0][0], BLOCKS) + b"\x80", "cut off"),
        (car(BLOCKS[0][0], BLOCKS) + b"\xff" * 12, "makes no sense"),
        (car(BLOCKS[0][0], BLOCKS)[:-1] + b"\0", "not what its address says"),
        (car(BLOCKS[0][0], BLOCKS[1:]), "no commit"),
        (car(BLOCKS[0][0], BLOCKS) + b"\xff\xff\xff\x7f", "more than any record may have"),
    ],
)
def test_damage(data: bytes, message: str) -> None:
    with pytest.raises(DamagedError, match=message):
        read_repository(io.BytesIO(data), [TYPE])
