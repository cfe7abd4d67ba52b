"""Weights files of four kinds, and files that try to be more than weights."""

import io
import json
import pickle
import struct
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from factlink.encoders.pictures.weights import read_weights
from factlink.errors import InputError

KERNEL = np.arange(6, dtype=np.float32).reshape(2, 3)


class Global:
    """Pickles as a reference to a class that need not exist here."""

    def __init__(self, module: str, name: str) -> None:
        self.__module__, self.__qualname__, self.__name__ = module, name, name


class TorchPickler(pickle._Pickler):  # type: ignore[name-defined,misc]
    """Writes what torch.save writes, without torch."""

    def save(self, obj: object, save_persistent_id: bool = True) -> None:
        if isinstance(obj, Global):
            self.write(f"c{obj.__module__}\n{obj.__name__}\n".encode())
        elif isinstance(obj, Tensor):
            self.save(Global("torch._utils", "_rebuild_tensor_v2"))
            self.write(b"(")
            self.save(("storage", Global("torch", obj.storage), obj.key, "cpu", obj.numel))
            self.write(b"Q")
            for part in (obj.offset, obj.shape, obj.strides, False, OrderedDict()):
                super().save(part)
            self.write(b"tR")
        else:
            super().save(obj, save_persistent_id)


class Tensor:
    def __init__(self, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0) -> None:
        self.shape, self.strides, self.offset = shape, strides, offset
        self.key, self.numel, self.storage = "0", 6, "FloatStorage"


def pickled(thing: object) -> bytes:
    buffer = io.BytesIO()
    TorchPickler(buffer, 2).dump(thing)
    return buffer.getvalue()


def zipped(path: Path, thing: object) -> str:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", pickled(thing))
        archive.writestr("archive/data/0", KERNEL.tobytes())
    return str(path)


def legacy(path: Path, thing: object) -> str:
    head = [pickled(part) for part in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}, thing, ["0"])]
    path.write_bytes(b"".join(head) + struct.pack("<q", 6) + KERNEL.tobytes())
    return str(path)


@pytest.mark.parametrize("write", [zipped, legacy])
def test_both_layouts_of_torch_are_read(tmp_path: Path, write: Callable[[Path, object], str]) -> None:
    tensors = {"whole": Tensor((2, 3), (3, 1)), "turned": Tensor((3, 2), (1, 3)), "part": Tensor((2,), (1,), 4)}
    arrays = read_weights(write(tmp_path / "a.pth", tensors))
    assert arrays["whole"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert arrays["turned"].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert arrays["part"].tolist() == [4, 5]


@pytest.mark.parametrize("write", [zipped, legacy])
@pytest.mark.parametrize(
    "tensor", [Tensor((7,), (1,)), Tensor((2,), (1,), 5), Tensor((2,), (-1,)), Tensor((3, 3), (3, 1))]
)
def test_a_tensor_beyond_its_storage_is_refused(
    tmp_path: Path, write: Callable[[Path, object], str], tensor: Tensor
) -> None:
    with pytest.raises(InputError, match="reaches beyond its storage of 6 numbers"):
        read_weights(write(tmp_path / "a.pth", {"t": tensor}))


@pytest.mark.parametrize("name", [("os", "system"), ("builtins", "eval"), ("torch", "load")])
def test_a_file_that_would_run_code_is_refused(tmp_path: Path, name: tuple[str, str]) -> None:
    with pytest.raises(InputError, match=rf"names {name[0]}\.{name[1]}, which is not a tensor"):
        read_weights(zipped(tmp_path / "a.pth", {"t": Global(*name)}))


def test_a_torch_file_without_tensors_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it holds no state_dict"):
        read_weights(zipped(tmp_path / "a.pth", [1, 2]))


def test_npz_is_read_and_its_pickles_are_not(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", kernel=KERNEL)
    np.savez(tmp_path / "objects.npz", kernel=np.array([{}], dtype=object))
    assert read_weights(str(tmp_path / "a.npz"))["kernel"].tolist() == KERNEL.tolist()
    with pytest.raises(InputError, match="cannot be read as npz"):
        read_weights(str(tmp_path / "objects.npz"))


def test_safetensors_is_read(tmp_path: Path) -> None:
    pytest.importorskip("safetensors", reason="needs the extra 'images'")
    entry = {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}
    header = json.dumps({"__metadata__": {"by": "hand"}, "kernel": entry}).encode()
    (tmp_path / "a.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + KERNEL.tobytes())
    assert read_weights(str(tmp_path / "a.safetensors"))["kernel"].tolist() == KERNEL.tolist()
    whole = (tmp_path / "a.safetensors").read_bytes()
    (tmp_path / "a.safetensors").write_bytes(whole[:-4])
    with pytest.raises(InputError, match=r"a\.safetensors' cannot be read as safetensors: "):
        read_weights(str(tmp_path / "a.safetensors"))


def test_keras_is_read(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py", reason="needs the extra 'images'")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("block1_conv1/block1_conv1_W_1:0", data=KERNEL)
    assert read_weights(str(tmp_path / "a.h5"))["block1_conv1/block1_conv1_W_1:0"].tolist() == KERNEL.tolist()


@pytest.mark.parametrize("suffix", ["npz", "safetensors", "pth", "pt", "h5"])
@pytest.mark.parametrize("content", [b"", b"no weights at all", b"\x80\x02."])
def test_rubbish_is_refused_with_the_name_of_the_file(tmp_path: Path, suffix: str, content: bytes) -> None:
    if suffix in ("h5", "safetensors"):
        pytest.importorskip({"h5": "h5py"}.get(suffix, suffix), reason="needs the extra 'images'")
    (tmp_path / f"a.{suffix}").write_bytes(content)
    with pytest.raises(InputError, match=rf"weights file '.*a\.{suffix}' cannot be read as"):
        read_weights(str(tmp_path / f"a.{suffix}"))


def test_an_absent_file_and_an_unknown_kind_are_refused() -> None:
    with pytest.raises(InputError, match=r"'nowhere.npz' does not exist"):
        read_weights("nowhere.npz")
    with pytest.raises(InputError, match=r"'a.txt' is of no known kind; there are: .h5, .npz, .pt, .pth, .safetensors"):
        read_weights("a.txt")
