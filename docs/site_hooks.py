"""Leaves pages out of the navigation that do not exist, so that a part can be removed with its page."""

from pathlib import Path
from typing import Any


def on_config(config: Any) -> Any:
    """The same settings with a shorter navigation."""
    config["nav"] = _existing(config["nav"], Path(config["docs_dir"]))
    return config


def _existing(entries: list[Any], folder: Path) -> list[Any]:
    kept = []
    for entry in entries:
        if isinstance(entry, dict):
            title, place = next(iter(entry.items()))
            if isinstance(place, list):
                kept.append({title: _existing(place, folder)})
            elif (folder / place).exists():
                kept.append(entry)
        elif (folder / entry).exists():
            kept.append(entry)
    return kept
