"""Convolution networks as ONNX graphs, run by onnxruntime on one picture at a time."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from factlink.types import Floats

_OPSET, _IR = 17, 8


@dataclass
class Graph:
    """An ONNX graph under construction, from the input "pixels" (1, 3, side, side) on; `top` is the newest value."""

    top: str = "pixels"
    nodes: list[Any] = field(default_factory=list)
    initializers: list[Any] = field(default_factory=list)

    def add(self, operator: str, *inputs: str, **attributes: int | str | list[int]) -> str:
        """Append one operator on the given values; its output becomes the top."""
        from onnx import helper

        make_node: Callable[..., Any] = helper.make_node  # its own annotation has no attributes
        self.top = f"v{len(self.nodes)}"
        self.nodes.append(make_node(operator, list(inputs), [self.top], **attributes))
        return self.top

    def constant(self, numbers: npt.ArrayLike) -> str:
        from onnx import numpy_helper

        name = f"c{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.asarray(numbers, np.float32), name))
        return name

    def convolve(self, kernel: npt.NDArray[Any], bias: npt.NDArray[Any], stride: int = 1, groups: int = 1) -> str:
        """A convolution of the top that keeps ceil(size / stride), padded as TensorFlow does."""
        inputs = (self.top, self.constant(kernel), self.constant(bias))
        return self.add("Conv", *inputs, strides=[stride, stride], group=groups, auto_pad="SAME_UPPER")

    def compiled(self, side: int, *outputs: str) -> "OnnxNetwork":
        """The finished graph, ready to give these values; one thread, so that equal pictures give equal bytes."""
        import onnxruntime
        from onnx import TensorProto, helper

        pixels = helper.make_tensor_value_info("pixels", TensorProto.FLOAT, [1, 3, side, side])
        wanted = [helper.make_tensor_value_info(output, TensorProto.FLOAT, None) for output in outputs]
        graph = helper.make_graph(self.nodes, "factlink", [pixels], wanted, self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        return OnnxNetwork(onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"]))


@dataclass(frozen=True)
class OnnxNetwork:
    """A compiled graph."""

    session: Any

    def __call__(self, pixels: Floats) -> list[Floats]:
        """The outputs for one picture (3, side, side), without the batch axis."""
        return [output[0] for output in self.session.run(None, {"pixels": pixels[None]})]
