"""Compiles the hot loops while a wheel is built, so that the first run of an install is as fast as any other."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "FACTLINK_COMPILE"


class CompiledLoops(BuildHookInterface[Any]):
    """Links two made-up networks from the source tree; the wheel takes along what numba has kept of it.

    Numba looks at it only with the same version, processor and source, and compiles anew otherwise, so it can do no
    harm anywhere.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if os.environ.get(SWITCH, "yes") == "no":
            return
        source = Path(self.root) / "src"
        with tempfile.TemporaryDirectory() as folder:
            demo = [sys.executable, "-m", "factlink", "demo", "--out", str(Path(folder) / "demo")]
            path = os.pathsep.join(filter(None, [str(source), os.environ.get("PYTHONPATH")]))
            beside_source = os.environ | {"PYTHONPATH": path, "NUMBA_CACHE_DIR": ""}
            done = subprocess.run(demo, env=beside_source, capture_output=True, text=True, check=False)
        if done.returncode:
            self.app.display_warning(f"nothing was compiled, so the first run will be slow: {done.stderr.strip()}")
            return
        kept = sorted(source.rglob("__pycache__/*.nb[ic]"))
        if version != "editable" and kept:
            build_data["force_include"] |= {str(file): str(file.relative_to(source)) for file in kept}
            build_data["pure_python"], build_data["infer_tag"] = False, True
