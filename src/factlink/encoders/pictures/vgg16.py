"""VGG16 without its top, as the paper uses it, from a weights file that the user names."""

from functools import cache

import numpy as np
import numpy.typing as npt
from PIL import Image

from factlink.encoders.pictures.onnx_graphs import Graph, OnnxNetwork
from factlink.encoders.pictures.weights import Arrays, read_weights
from factlink.errors import InputError, require_extra
from factlink.types import Floats

SIDE = 224
LENGTH = 7 * 7 * 512
_BLOCKS = (2, 2, 3, 3, 3)  # convolutions between two pools
_TORCH_LAYERS = (0, 2, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28)
_KERAS_LAYERS = tuple(f"block{block}_conv{i}" for block, n in enumerate(_BLOCKS, 1) for i in range(1, n + 1))
_KERAS_MEAN = (103.939, 116.779, 123.68)  # blue, green, red
_TORCH_MEAN, _TORCH_SPREAD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # red, green, blue
_CHANNELS = (3, 64, 64, 128, 128, 256, 256, 256, 512, 512, 512, 512, 512, 512)

Layer = tuple[npt.NDArray[np.floating], npt.NDArray[np.floating]]  # kernel (out, in, 3, 3), bias (out,)


def vgg16_vector(picture: Image.Image, weights: str) -> Floats:
    """The (25,088,) numbers of the last pool, flattened row by row, channels last."""
    network, keras = vgg16(weights)
    pixels = np.asarray(picture.resize((SIDE, SIDE), Image.Resampling.BILINEAR), np.float32)
    (vector,) = network(keras_pixels(pixels) if keras else torch_pixels(pixels))
    return vector


def keras_pixels(pixels: Floats) -> Floats:
    """RGB 0 … 255 (side, side, 3) as Keras's VGG16 was trained: (3, side, side), blue first, less the mean."""
    return np.ascontiguousarray((pixels[..., ::-1] - np.array(_KERAS_MEAN, np.float32)).transpose(2, 0, 1))


def torch_pixels(pixels: Floats) -> Floats:
    """RGB 0 … 255 (side, side, 3) as torchvision's VGG16 was trained: (3, side, side), standardised."""
    mean, spread = np.array(_TORCH_MEAN, np.float32), np.array(_TORCH_SPREAD, np.float32)
    return np.ascontiguousarray(((pixels / 255 - mean) / spread).transpose(2, 0, 1))


@cache
def vgg16(weights: str) -> tuple[OnnxNetwork, bool]:
    """The network (3, 224, 224) → (25,088,), and whether its weights are Keras's."""
    require_extra("VGG16", "images", "onnx", "onnxruntime")
    layers, keras = _layers(read_weights(weights), weights)
    graph, after = Graph(), set(np.cumsum(_BLOCKS))
    for number, (kernel, bias) in enumerate(layers, 1):
        graph.convolve(kernel, bias)
        graph.add("Relu", graph.top)
        if number in after:
            graph.add("MaxPool", graph.top, kernel_shape=[2, 2], strides=[2, 2])
    graph.add("Transpose", graph.top, perm=[0, 2, 3, 1])
    graph.add("Flatten", graph.top)
    return graph.compiled(SIDE, graph.top), keras


def _layers(arrays: Arrays, path: str) -> tuple[list[Layer], bool]:
    """The thirteen convolutions in order, and whether they are Keras's."""
    keras = any("block1_conv1" in name for name in arrays)
    layers = [_keras_layer(arrays, name, path) for name in _KERAS_LAYERS] if keras else _torch_layers(arrays, path)
    for number, (kernel, bias) in enumerate(layers):
        wanted = (_CHANNELS[number + 1], _CHANNELS[number], 3, 3)
        if kernel.shape != wanted or bias.shape != wanted[:1]:
            found = f"{kernel.shape} with bias {bias.shape}"
            raise InputError(f"weights file '{path}': convolution {number + 1} is {found}; VGG16 has {wanted}")
    return layers, keras


def _torch_layers(arrays: Arrays, path: str) -> list[Layer]:
    for layer in _TORCH_LAYERS:
        if not {f"features.{layer}.weight", f"features.{layer}.bias"} <= arrays.keys():
            known = ", ".join(sorted(arrays)[:3]) or "nothing"
            wanted = f"torchvision's features.{layer}.weight or Keras's block1_conv1"
            raise InputError(f"weights file '{path}' is not VGG16: it has {known} …, but not {wanted}")
    return [(arrays[f"features.{layer}.weight"], arrays[f"features.{layer}.bias"]) for layer in _TORCH_LAYERS]


def _keras_layer(arrays: Arrays, layer: str, path: str) -> Layer:
    """Keras names the two arrays differently from version to version; their numbers of axes do not change."""
    own = [array for name, array in sorted(arrays.items()) if layer in name]
    kernels, biases = [a for a in own if a.ndim == 4], [a for a in own if a.ndim == 1]
    if len(kernels) != 1 or len(biases) != 1:
        raise InputError(f"weights file '{path}' is not VGG16: it has not one kernel and one bias for {layer}")
    return kernels[0].transpose(3, 2, 0, 1), biases[0]
