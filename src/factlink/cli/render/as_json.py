"""What machines read of a command."""

import json
import sys
from typing import Any


def print_json(values: Any) -> None:
    """Values on stdout, indented; paths and the like as strings."""
    sys.stdout.write(json.dumps(values, indent=2, ensure_ascii=False, default=str) + "\n")
