"""`link`: two networks in, a result out; or a fitted scorer in, links out."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, overload

from factlink.decision.decisions import LEAST, DecisionRule
from factlink.decision.decisions import link as link_scorer
from factlink.errors import InputError
from factlink.linkers.settings import make_linker, make_within_linker
from factlink.notebook.joint_result import JointResult
from factlink.notebook.progress import shown_progress
from factlink.notebook.result import Result, pairs_file
from factlink.protocols import Linker, Scorer
from factlink.runs.duplicates import find_duplicates
from factlink.runs.inputs import LinkRequest, read_early, read_inputs
from factlink.runs.making import LinkResult, make_run
from factlink.runs.planning import workers_within
from factlink.runs.several.inputs import SeveralRequest
from factlink.runs.several.making import make_several
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


@overload
def link(
    first: object,
    second: object,
    third: object,
    *others: object,
    linker: str | Linker = DEFAULT_LINKER,
    known: object | None = None,
    precision: float = 0.9,
    min_probability: float = LEAST,
    one_to_one: bool = True,
    pairs: Sequence[str] = (),
) -> JointResult: ...


def link(*networks: Any, **options: Any) -> Links | Result | JointResult:
    """Links two networks or more, or decides the links of a fitted scorer.

    `link(left, right)` takes folders, files, frames, graphs, addresses of databases or Networks, links them with the
    default linker and without labels, and returns a `Result`. `linker` is a name or a linker with settings; `known` a
    pairs file or a frame with columns left and right. Three networks or more give a `JointResult` with persons; `pairs`
    such as ["twitter:flickr"] limits which of them are linked with each other.

    `link(scorer, precision)` gives one outcome per left user of a fitted scorer as `Links`.
    """
    if "scorer" in options or (networks and isinstance(networks[0], Scorer)):
        return link_scorer(*networks, **options)
    sides = [*networks, *(options.pop(side) for side in ("left", "right") if side in options)]
    if len(sides) > 2:
        return link_several(sides, **options)
    if len(sides) < 2:
        raise InputError(
            f"link takes two networks or more, or a fitted scorer; got {len(sides)} network{'s' * (not sides)}"
        )
    return link_networks(sides[0], sides[1], **options)


def duplicates(network: object, *, seed: int = 0, precision: float = 0.9, min_probability: float = LEAST) -> Result:
    """Finds several accounts of one person in one network: a folder, file, frame, graph, address or Network.

    `result.links` has one row for each pair, never a user with itself; `result.persons` puts them together.
    """
    rule = DecisionRule(precision, one_to_one=False, min_probability=min_probability)
    with _own_folder() as place, shown_progress() as on_stage:
        request = LinkRequest(network, network, place / "run")
        made = find_duplicates(request, make_within_linker({}, seed), on_stage, rule)
        return Result(request.out, place, made)


@contextmanager
def _own_folder() -> Iterator[Path]:
    """A temporary folder, which goes if anything fails."""
    place = Path(tempfile.mkdtemp(prefix="factlink-"))
    try:
        yield place
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


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
    made_by = _linker(linker)
    rule = DecisionRule(precision, one_to_one, min_probability=min_probability)
    with _own_folder() as place:
        request = LinkRequest(left, right, place / "run", None if known is None else pairs_file(known, place))
        return Result(request.out, place, _make(request, made_by, rule))


def link_several(
    sources: Sequence[object],
    *,
    linker: str | Linker = DEFAULT_LINKER,
    known: object | None = None,
    precision: float = 0.9,
    min_probability: float = LEAST,
    one_to_one: bool = True,
    pairs: Sequence[str] = (),
) -> JointResult:
    """The same for three networks or more."""
    made_by, rule = _linker(linker), DecisionRule(precision, one_to_one, min_probability=min_probability)
    place = Path(tempfile.mkdtemp(prefix="factlink-"))
    try:
        given = None if known is None else pairs_file(known, place)
        with shown_progress() as on_stage:
            made = make_several(SeveralRequest(sources, place / "run", pairs, given), made_by, on_stage, rule=rule)
        return JointResult(place / "run", place, made)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def _linker(linker: str | Linker) -> Linker:
    made_by = make_linker(linker, {}) if isinstance(linker, str) else linker
    if not hasattr(made_by, "fit"):
        raise InputError(f"expected the name of a linker or a linker with settings, got {type(linker).__name__}")
    return made_by


def _make(request: LinkRequest, linker: Linker, rule: DecisionRule) -> LinkResult:
    with shown_progress() as on_stage:
        on_stage("reading")
        early = read_early(request)
        workers = workers_within(request, "", early) if linker.name == DEFAULT_LINKER else None
        return make_run(request, linker, on_stage, read_inputs if early is None else lambda _: early, rule, workers)
