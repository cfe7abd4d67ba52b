"""Finds which accounts on different social networks belong to the same person, without labelled pairs.

    import factlink as fl

    result = fl.link("facebook/", "twitter/")                 # folders, frames, graphs, URLs or Networks; no labels
    result.links                                              # a polars frame: ids, names, probability, evidence
    result.explain("amy", "amy.tan")                          # the names, texts and friends that agree
    result.report("out.html"); result.save("runs/fb-tw")      # then: factlink review runs/fb-tw

    fl.audit("facebook/", "twitter/").save("audit")           # how linkable a release is, why, and what would help

    left, right = fl.read_network("facebook/"), fl.read_network("twitter/")     # the same, step by step
    scorer = fl.FactoidLinker(seed=7).fit(left, right)        # settings.fit(...) → a scorer; no labels
    links = fl.link(scorer, precision=0.95)                   # calibrated, one-to-one, with "no account"
    evidence = fl.explain(scorer, links)                      # the names, words and friends that agree, and weights
    candidates = fl.best_candidates(scorer, k=10)             # the ten best right rows of every left row
    print(fl.evaluate(scorer, fl.read_pairs("truth.csv", left, right)))
    result = fl.duplicates("forum/")                          # several accounts of one person in one network
    persons = fl.link(facebook, twitter, foursquare).persons  # three networks or more, one model

Names are imported when they are first used, so `import factlink` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from factlink.audits.auditing import Audit as Audit
    from factlink.candidates.top_k import best_candidates as best_candidates
    from factlink.data.files import write_network as write_network
    from factlink.data.frames import frames_from_network as frames_from_network
    from factlink.data.frames import network_from_frames as network_from_frames
    from factlink.data.pairs import read_pairs as read_pairs
    from factlink.data.pairs import write_pairs as write_pairs
    from factlink.data.sources.networks import read_network as read_network
    from factlink.errors import FactlinkError as FactlinkError
    from factlink.evaluation.metrics import evaluate as evaluate
    from factlink.evidence import Evidence as Evidence
    from factlink.explanations.explain import explain as explain
    from factlink.factoids import Factoid as Factoid
    from factlink.factoids import build_table as build_table
    from factlink.factoids import list_factoids as list_factoids
    from factlink.linkers.baselines.name import NameLinker as NameLinker
    from factlink.linkers.factoid.linker import FactoidLinker as FactoidLinker
    from factlink.linkers.fe.linker import FELinker as FELinker
    from factlink.linkers.settings import make_linker as make_linker
    from factlink.notebook.auditing import audit as audit
    from factlink.notebook.linking import duplicates as duplicates
    from factlink.notebook.linking import link as link
    from factlink.notebook.result import Result as Result
    from factlink.notebook.result import open_run as open_run
    from factlink.protocols import Encoder as Encoder
    from factlink.protocols import Linker as Linker
    from factlink.protocols import Scorer as Scorer
    from factlink.runs.folder.store import load_run as load_run
    from factlink.synthetic.worlds import twins as twins
    from factlink.types import Attribute as Attribute
    from factlink.types import Candidates as Candidates
    from factlink.types import Decision as Decision
    from factlink.types import FactoidTable as FactoidTable
    from factlink.types import Follows as Follows
    from factlink.types import Judgement as Judgement
    from factlink.types import Kind as Kind
    from factlink.types import Link as Link
    from factlink.types import Links as Links
    from factlink.types import LinkSource as LinkSource
    from factlink.types import Metrics as Metrics
    from factlink.types import Network as Network
    from factlink.types import Pairs as Pairs
    from factlink.types import Verdict as Verdict

    __version__: str

_PLACES = {
    "Attribute": "types",
    "Audit": "audits.auditing",
    "Candidates": "types",
    "Decision": "types",
    "Encoder": "protocols",
    "Evidence": "evidence",
    "FELinker": "linkers.fe.linker",
    "FactlinkError": "errors",
    "Factoid": "factoids",
    "FactoidLinker": "linkers.factoid.linker",
    "FactoidTable": "types",
    "Follows": "types",
    "Judgement": "types",
    "Kind": "types",
    "Link": "types",
    "LinkSource": "types",
    "Linker": "protocols",
    "Links": "types",
    "Metrics": "types",
    "NameLinker": "linkers.baselines.name",
    "Network": "types",
    "Pairs": "types",
    "Result": "notebook.result",
    "Scorer": "protocols",
    "Verdict": "types",
    "audit": "notebook.auditing",
    "best_candidates": "candidates.top_k",
    "build_table": "factoids",
    "duplicates": "notebook.linking",
    "evaluate": "evaluation.metrics",
    "explain": "explanations.explain",
    "frames_from_network": "data.frames",
    "link": "notebook.linking",
    "list_factoids": "factoids",
    "load_run": "runs.folder.store",
    "make_linker": "linkers.settings",
    "network_from_frames": "data.frames",
    "open_run": "notebook.result",
    "read_network": "data.sources.networks",
    "read_pairs": "data.pairs",
    "twins": "synthetic.worlds",
    "write_network": "data.files",
    "write_pairs": "data.pairs",
}
__all__ = sorted(_PLACES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("factlink")
    if name not in _PLACES:
        raise AttributeError(f"module 'factlink' has no attribute '{name}'; there are: {', '.join(__all__)}")
    return getattr(import_module(f"factlink.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
