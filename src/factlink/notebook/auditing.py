"""`audit`: how linkable a release is, in one call."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from factlink.audits.auditing import Audit, AuditSettings, run_audit
from factlink.audits.reading import read_release
from factlink.linkers.settings import make_linker
from factlink.notebook.linking import DEFAULT_LINKER
from factlink.notebook.progress import shown_progress
from factlink.notebook.result import pairs_file
from factlink.protocols import Linker
from factlink.runs.inputs import LinkRequest


def audit(  # noqa: PLR0913
    left: object,
    right: object,
    *,
    truth: object | None = None,
    known: object | None = None,
    target: float = 0.05,
    groups: Sequence[str] = (),
    user: str | None = None,
    linker: str | Linker = DEFAULT_LINKER,
    seed: int = 0,
) -> Audit:
    """Attacks a release (left) with what an attacker may have (right): the risk, why, and what would help.

    Both are folders, files, frames, graphs, addresses of databases or Networks; `truth` and `known` are pairs files or
    frames with columns left and right. `groups` are columns to group people by; `user` is one account to look at.
    """
    asked = AuditSettings(target, (groups,) if isinstance(groups, str) else tuple(groups), user, seed)
    made_by = make_linker(linker, {}, seed) if isinstance(linker, str) else linker
    with tempfile.TemporaryDirectory(prefix="factlink-") as scratch, shown_progress() as on_stage:
        on_stage("reading")
        files = [
            None if pairs is None else _file(pairs, Path(scratch) / name)
            for pairs, name in ((truth, "truth"), (known, "known"))
        ]
        release = read_release(LinkRequest(left, right, Path(scratch), files[1]), files[0])
        return run_audit(release, made_by, asked, on_stage)


def _file(pairs: object, folder: Path) -> Path:
    folder.mkdir()
    return pairs_file(pairs, folder)
