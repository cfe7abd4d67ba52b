"""Reports on a terminal: where the page is, or all its values."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def print_report(values: Mapping[str, Any]) -> None:
    """All values of a report as JSON."""
    sys.stdout.write(json.dumps(values, indent=2, ensure_ascii=False) + "\n")


def print_written(file: Path) -> None:
    """Where the page is, and how large."""
    sys.stdout.write(f"report  {file}  ({file.stat().st_size / 1e6:.1f} MB)\n")
