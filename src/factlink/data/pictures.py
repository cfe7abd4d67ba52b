"""Paths of pictures: in a network folder relative to it, in a `Network` ready to open.

Absolute paths and web addresses stay as they are. Nothing is opened here: a picture may be missing.
"""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl

from factlink.types import Kind, Network

_FIXED = r"^(?:/|\\|[A-Za-z]:[\\/]|[A-Za-z][A-Za-z0-9+.-]*://)"


def with_resolved_pictures(network: Network, folder: Path) -> Network:
    """The network with the folder before each relative picture path."""
    path = pl.col("path")
    joined = pl.when(path.str.contains(_FIXED)).then(path).otherwise(pl.lit(f"{folder.as_posix()}/") + path)
    return _with_pictures(network, lambda paths: pl.DataFrame({"path": paths}).select(joined).to_series())


def stored_pictures(network: Network, folder: Path) -> Network:
    """The network with picture paths as `with_resolved_pictures(…, folder)` will understand them."""
    home = os.path.abspath(folder) + os.sep
    return _with_pictures(network, lambda paths: paths.map_elements(lambda path: _stored(path, home), pl.String))


def _stored(path: str, home: str) -> str:
    if not path.startswith("/") and re.match(_FIXED, path):
        return path
    absolute = os.path.abspath(path)
    return Path(absolute.removeprefix(home)).as_posix()


def _with_pictures(network: Network, change: Callable[[pl.Series], pl.Series]) -> Network:
    attributes = {
        predicate: replace(attribute, objects=change(attribute.objects).alias(""))
        if attribute.kind is Kind.IMAGE and len(attribute.objects)
        else attribute
        for predicate, attribute in network.attributes.items()
    }
    return replace(network, attributes=attributes)
