"""Weights files → arrays by name, without the libraries that wrote them and without running code from the file.

Read are `.npz`, `.safetensors`, `.pth`/`.pt` (both of torch's layouts) and Keras `.h5`.
"""

import io
import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from factlink.errors import InputError, require_extra

Arrays = dict[str, npt.NDArray[Any]]

_TORCH_STORAGES = {
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "HalfStorage": "<f2",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
}
_TORCH_LEGACY_MAGIC = 0x1950A86A20F9469CFC6C


def read_weights(path: str) -> Arrays:
    """The arrays of a weights file by their names."""
    readers: dict[str, Callable[[str], Arrays]] = {
        ".npz": _read_npz,
        ".safetensors": _read_safetensors,
        ".pth": _read_torch,
        ".pt": _read_torch,
        ".h5": _read_keras,
    }
    reader = readers.get(Path(path).suffix.lower())
    if reader is None:
        raise InputError(f"weights file '{path}' is of no known kind; there are: {', '.join(sorted(readers))}")
    if not Path(path).is_file():
        raise InputError(f"weights file '{path}' does not exist")
    try:
        return reader(path)
    except (OSError, ValueError, KeyError, EOFError, TypeError, pickle.UnpicklingError, zipfile.BadZipFile) as error:
        raise InputError(f"weights file '{path}' cannot be read as {reader.__name__[6:]}: {error}") from error


def _read_npz(path: str) -> Arrays:
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


def _read_safetensors(path: str) -> Arrays:
    require_extra("reading .safetensors weights", "images", "safetensors")
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        return load_file(path)
    except SafetensorError as error:
        raise ValueError(error) from error


def _read_keras(path: str) -> Arrays:
    require_extra("reading .h5 weights", "images", "h5py")
    import h5py

    arrays: Arrays = {}

    def collect(name: str, entry: object) -> None:
        if isinstance(entry, h5py.Dataset):
            arrays[name] = np.asarray(entry)

    with h5py.File(path, "r") as file:
        file.visititems(collect)
    return arrays


@dataclass(frozen=True)
class _Storage:
    key: str
    dtype: str


@dataclass(frozen=True)
class _Tensor:
    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def array(self, buffers: Mapping[str, bytes]) -> npt.NDArray[Any]:
        flat = np.frombuffer(buffers[self.storage.key], self.storage.dtype)
        reach = self.offset + sum((n - 1) * step for n, step in zip(self.shape, self.strides, strict=True)) + 1
        if min((self.offset, *self.shape, *self.strides)) < 0 or (0 not in self.shape and reach > len(flat)):
            raise ValueError(f"a tensor reaches beyond its storage of {len(flat)} numbers")
        steps = [step * flat.itemsize for step in self.strides]
        return np.lib.stride_tricks.as_strided(flat[self.offset :], self.shape, steps, writeable=False).copy()


def _rebuild_tensor(
    storage: _Storage, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], *_: object
) -> _Tensor:
    return _Tensor(storage, offset, shape, strides)


class _TensorUnpickler(pickle.Unpickler):
    """Knows tensors, their storages and ordered dictionaries; every other class is refused."""

    def find_class(self, module: str, name: str) -> object:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _rebuild_tensor
        if module == "torch" and name in _TORCH_STORAGES:
            return _TORCH_STORAGES[name]
        raise pickle.UnpicklingError(f"it names {module}.{name}, which is not a tensor; save a state_dict")

    def persistent_load(self, pid: tuple[str, str, str, str, int]) -> _Storage:
        _, dtype, key, _, _ = pid[:5]
        return _Storage(str(key), dtype)


def _read_torch(path: str) -> Arrays:
    with open(path, "rb") as file:
        tensors, buffers = _zipped(file) if zipfile.is_zipfile(path) else _legacy(file)
    if not isinstance(tensors, dict):
        raise ValueError("it holds no state_dict")
    return {name: tensor.array(buffers) for name, tensor in tensors.items() if isinstance(tensor, _Tensor)}


def _zipped(file: IO[bytes]) -> tuple[Any, dict[str, bytes]]:
    with zipfile.ZipFile(file) as archive:
        (entry,) = (name for name in archive.namelist() if name.endswith("/data.pkl"))
        folder = entry.removesuffix("data.pkl") + "data/"
        tensors = _TensorUnpickler(io.BytesIO(archive.read(entry))).load()
        names = [name for name in archive.namelist() if name.startswith(folder)]
        return tensors, {name.removeprefix(folder): archive.read(name) for name in names}


def _legacy(file: IO[bytes]) -> tuple[Any, dict[str, bytes]]:
    if _TensorUnpickler(file).load() != _TORCH_LEGACY_MAGIC:
        raise ValueError("it was not written by torch.save")
    _TensorUnpickler(file).load()
    _TensorUnpickler(file).load()
    tensors = _TensorUnpickler(file).load()
    sizes = {t.storage.key: np.dtype(t.storage.dtype).itemsize for t in tensors.values() if isinstance(t, _Tensor)}
    buffers = {}
    for key in _TensorUnpickler(file).load():
        length = int.from_bytes(file.read(8), "little")
        buffers[key] = file.read(length * sizes[key])
    return tensors, buffers
