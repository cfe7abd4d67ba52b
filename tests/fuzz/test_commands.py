"""Whatever is typed, the command line does it or says in one sentence why not."""

from pathlib import Path

from .commands import command_target, tiny_world
from .harness import check, share_of


def test_arguments_of_any_kind(tmp_path: Path) -> None:
    with tiny_world(tmp_path):
        check(command_target(), share_of(60, 50))
