"""`link`: two networks in, a result out; or a fitted scorer in, links out."""

import shutil
import tempfile
from pathlib import Path
from typing import Any, overload

from factlink.decision.decisions import LEAST, DecisionRule
from factlink.decision.decisions import link as link_scorer
from factlink.errors import InputError
from factlink.linkers.settings import make_linker
from factlink.notebook.progress import shown_progress
from factlink.notebook.result import Result, pairs_file
from factlink.protocols import Linker, Scorer
from factlink.runs.inputs import LinkRequest, read_early, read_inputs
from factlink.runs.making import LinkResult, make_run
from factlink.runs.planning import workers_within
from factlink.types import Candidates, Links

DEFAULT_LINKER = "factoid"


@overload
def link(
    scorer: Scorer,
    precision: float = 0.9,
    *,
    min_probability: float = LEAST,
    one_to_one: bool | None = None,
    found: Candidates | None = None,
) -> Links: ...


@overload
def link(
    left: object,
    right: object,
    *,
    linker: str | Linker = DEFAULT_LINKER,
    known: object | None = None,
    precision: float = 0.9,
    min_probability: float = LEAST,
    one_to_one: bool = True,
) -> Result: ...


def link(*networks: Any, **options: Any) -> Links | Result:
    """Links two networks, or decides the links of a fitted scorer.

    `link(left, right)` takes folders, files, frames, graphs, addresses of databases or Networks, links them with the
    default linker and without labels, and returns a `Result`. `linker` is a name or a linker with settings; `known` a
    pairs file or a frame with columns left and right.

    `link(scorer, precision)` gives one outcome per left user of a fitted scorer as `Links`.
    """
    if "scorer" in options or (networks and isinstance(networks[0], Scorer)):
        return link_scorer(*networks, **options)
    sides = [*networks, *(options.pop(side) for side in ("left", "right") if side in options)]
    if len(sides) != 2:
        raise InputError(
            f"link takes two networks, or a fitted scorer; got {len(sides)} network{'' if len(sides) == 1 else 's'}"
        )
    return link_networks(sides[0], sides[1], **options)


def link_networks(
    left: object,
    right: object,
    *,
    linker: str | Linker = DEFAULT_LINKER,
    known: object | None = None,
    precision: float = 0.9,
    min_probability: float = LEAST,
    one_to_one: bool = True,
) -> Result:
    """A run in a temporary folder, which goes with the result unless it is saved."""
    made_by = make_linker(linker, {}) if isinstance(linker, str) else linker
    if not hasattr(made_by, "fit"):
        raise InputError(f"expected the name of a linker or a linker with settings, got {type(linker).__name__}")
    rule = DecisionRule(precision, one_to_one, min_probability=min_probability)
    place = Path(tempfile.mkdtemp(prefix="factlink-"))
    try:
        request = LinkRequest(left, right, place / "run", None if known is None else pairs_file(known, place))
        return Result(request.out, place, _make(request, made_by, rule))
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def _make(request: LinkRequest, linker: Linker, rule: DecisionRule) -> LinkResult:
    with shown_progress() as on_stage:
        on_stage("reading")
        early = read_early(request)
        workers = workers_within(request, "", early) if linker.name == DEFAULT_LINKER else None
        return make_run(request, linker, on_stage, read_inputs if early is None else lambda _: early, rule, workers)
