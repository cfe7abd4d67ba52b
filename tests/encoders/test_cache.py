"""What was encoded is not encoded again; a damaged cache is noticed, and no vector changes."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from factlink.encoders import cache, jaro_winkler
from factlink.encoders.cache import PICTURES, STRINGS, Arrays, EncoderCache, is_cached, make_once
from factlink.encoders.jaro_winkler import JaroWinklerEncoder
from factlink.encoders.names import NameEncoder
from factlink.encoders.ngrams import spaces
from factlink.encoders.pictures import image_batches
from factlink.encoders.pictures.image_batches import SkippedPictureWarning
from factlink.encoders.pictures.images import ImageEncoder
from factlink.encoders.texts import TextEncoder
from factlink.protocols import Encoder

NAMES = ["Amy Tan", "amytan", "Ben Lim", "ben_lim", "Cid", "李小龙"]


def pictures(folder: Path) -> list[str]:
    files = []
    for n in range(3):
        noise = np.random.default_rng(n).integers(0, 255, (48, 48, 3), np.uint8)
        files.append(str(folder / f"{n}.png"))
        Image.fromarray(noise).save(files[-1])
    return files


def counting() -> tuple[list[int], Callable[[], Arrays]]:
    made: list[int] = []

    def make() -> Arrays:
        made.append(1)
        return {"vectors": np.array([[len(made), 2.0]], np.float32)}

    return made, make


def fail(*_: object) -> None:
    pytest.fail("it was encoded again")


def test_what_was_made_is_not_made_again(tmp_path: Path) -> None:
    made, make = counting()
    for _ in range(2):
        with cache.caching(EncoderCache(tmp_path / "kept")):
            assert make_once(STRINGS, "so", ["a", "b"], make)["vectors"].tolist() == [[1.0, 2.0]]
    with cache.caching(EncoderCache(tmp_path / "kept")):
        make_once(STRINGS, "otherwise", ["a", "b"], make)
        make_once(STRINGS, "so", ["b", "a"], make)
    make_once(STRINGS, "so", ["a", "b"], make)
    assert len(made) == 4


@pytest.mark.parametrize(
    ("encoder", "where", "step"),
    [
        (NameEncoder(dim=64), spaces, "project_part"),
        (TextEncoder(dim=64), spaces, "project_part"),
        (JaroWinklerEncoder(dim=16, passes=2), jaro_winkler, "fit_cosines"),
    ],
)
def test_no_encoder_encodes_twice(
    encoder: Encoder, where: object, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = encoder.encode(NAMES)
    with cache.caching(EncoderCache(tmp_path / "kept")):
        first = encoder.encode(NAMES)
    monkeypatch.setattr(where, step, fail)
    with cache.caching(EncoderCache(None, [tmp_path / "kept"])):
        again = encoder.encode(NAMES)
    assert plain.tobytes() == first.tobytes() == again.tobytes()


def test_the_space_that_was_learned_comes_back_whole(tmp_path: Path) -> None:
    plain, _ = TextEncoder(dim=64).learn(NAMES)
    for _ in range(2):
        with cache.caching(EncoderCache(tmp_path / "kept")):
            space, _ = TextEncoder(dim=64).learn(NAMES)
    assert space.encode(["Amy Lim"]).tobytes() == plain.encode(["Amy Lim"]).tobytes()
    assert (space.counts.n_strings, space.counts.counts.dtype) == (6, plain.counts.counts.dtype)
    assert np.array_equal(space.counts.counts, plain.counts.counts)


def test_pictures_are_described_once_by_what_is_in_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = pictures(tmp_path)
    plain = ImageEncoder(dim=256).encode(files)
    with cache.caching(EncoderCache(tmp_path / "kept")):
        assert np.array_equal(ImageEncoder(dim=256).encode(files), plain)
        (tmp_path / "moved").mkdir()
        moved = [str(Path(file).rename(tmp_path / "moved" / f"x{Path(file).name}")) for file in files]
        monkeypatch.setattr(image_batches, "decode", fail)
        assert np.array_equal(ImageEncoder(dim=256).encode(moved[::-1] + moved), np.concatenate([plain[::-1], plain]))


def test_a_picture_that_was_replaced_is_described_again(tmp_path: Path) -> None:
    files = pictures(tmp_path)
    with cache.caching(EncoderCache(tmp_path / "kept")):
        before = ImageEncoder(dim=256).encode(files)
        Image.new("RGB", (64, 48), "white").save(files[0])
        after = ImageEncoder(dim=256).encode(files)
    assert not np.array_equal(before, after)


def test_the_ending_of_a_name_counts_too(tmp_path: Path) -> None:
    files = pictures(tmp_path)
    with cache.caching(EncoderCache(tmp_path / "kept")):
        ImageEncoder(dim=256).encode(files)
        mislabelled = Path(files[0]).rename(tmp_path / "0.jpg")
        with pytest.warns(SkippedPictureWarning, match="1 of another format"):
            assert not ImageEncoder(dim=256).encode([str(mislabelled), *files[1:]])[0].any()


def test_skipped_pictures_are_told_every_time(tmp_path: Path) -> None:
    files = [*pictures(tmp_path), str(tmp_path / "absent.png"), str(tmp_path / "gone.png")]
    for _ in range(2):
        with cache.caching(EncoderCache(tmp_path / "kept")), pytest.warns(SkippedPictureWarning, match="2 of 5 pic"):
            ImageEncoder(dim=256).encode(files)


def test_a_cache_may_be_for_one_sort_of_objects_only(tmp_path: Path) -> None:
    with cache.caching(EncoderCache(tmp_path / "kept", only=[PICTURES])):
        assert is_cached(PICTURES)
        assert not is_cached(STRINGS)
        NameEncoder(dim=64).encode(NAMES)
    assert not is_cached(PICTURES)
    assert not (tmp_path / "kept").exists()


def test_what_lies_elsewhere_is_kept_here_too(tmp_path: Path) -> None:
    made, make = counting()
    with cache.caching(EncoderCache(tmp_path / "old")):
        make_once(STRINGS, "so", ["a"], make)
    encoder_cache = EncoderCache(tmp_path / "new", [tmp_path / "old"])
    with cache.caching(encoder_cache):
        make_once(STRINGS, "so", ["a"], make)
    (kept,) = (tmp_path / "new").iterdir()
    assert (made, encoder_cache.made, encoder_cache.reused) == ([1], set(), {kept.name})
    (tmp_path / "old" / kept.name).unlink()
    with cache.caching(EncoderCache(tmp_path / "new")):
        make_once(STRINGS, "so", ["a"], make)
    assert made == [1]


def test_tidying_removes_what_nobody_asked_for(tmp_path: Path) -> None:
    made, make = counting()
    encoder_cache = EncoderCache(tmp_path / "kept")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "strings-00.npz.7.part").write_bytes(b"half")
    (tmp_path / "kept" / "strings-00.npz").write_bytes(b"of other networks")
    with cache.caching(encoder_cache):
        make_once(STRINGS, "so", ["a"], make)
        encoder_cache.tidy()
    assert {file.name for file in (tmp_path / "kept").iterdir()} == encoder_cache.made
    assert len(made) == len(encoder_cache.made) == 1


def test_strings_are_kept_as_long_as_there_is_room_and_pictures_always(tmp_path: Path) -> None:
    made, make = counting()
    for _ in range(2):
        with cache.caching(EncoderCache(tmp_path / "kept", room=7)):  # each takes 8 bytes
            for what, told in ((STRINGS, "one"), (STRINGS, "two"), (PICTURES, "one"), (PICTURES, "two")):
                make_once(what, told, ["a"], make)
    assert len(made) == 4 + 2
    with cache.caching(EncoderCache(tmp_path / "kept", room=15)):
        for told in ("one", "two"):
            make_once(STRINGS, told, ["a"], make)
    assert sorted(file.name[:8] for file in (tmp_path / "kept").iterdir()) == ["pictures", "pictures", "strings-"]


def test_a_disk_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("no folder")
    made, make = counting()
    with cache.caching(EncoderCache(tmp_path / "kept")):
        assert make_once(STRINGS, "so", ["a"], make)["vectors"].tolist() == [[1.0, 2.0]]
    assert made == [1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(data=st.data())
def test_a_spoilt_file_is_made_anew(data: st.DataObject, tmp_path: Path) -> None:
    """Cut short, or with a byte changed anywhere, it never gives other vectors."""
    right = np.arange(64, dtype=np.float32).reshape(8, 8)
    folder = tmp_path / "kept"
    for file in folder.glob("*"):
        file.unlink()
    for spoil in (True, False):
        with cache.caching(EncoderCache(folder)):
            got = make_once(STRINGS, "so", ["a"], lambda: {"vectors": right})["vectors"]
        assert np.array_equal(got, right)
        assert got.dtype == np.float32
        (file,) = folder.iterdir()
        whole = bytearray(file.read_bytes())
        if spoil:
            at = data.draw(st.integers(0, len(whole) - 1))
            if data.draw(st.booleans()):
                del whole[at:]
            else:
                whole[at] ^= data.draw(st.integers(1, 255))
            file.write_bytes(bytes(whole))


def test_a_file_under_the_name_of_another_is_made_anew(tmp_path: Path) -> None:
    _, make = counting()
    with cache.caching(EncoderCache(tmp_path / "kept")):
        make_once(STRINGS, "so", ["a"], make)
        (one,) = (tmp_path / "kept").iterdir()
        make_once(STRINGS, "so", ["b"], make)
        (other,) = set((tmp_path / "kept").iterdir()) - {one}
        other.write_bytes(one.read_bytes())
        assert make_once(STRINGS, "so", ["b"], make)["vectors"].tolist() == [[3.0, 2.0]]
