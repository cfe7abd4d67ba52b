"""The same answers as tools of the Model Context Protocol, over stdin and stdout; nothing is written."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factlink.errors import FactlinkError, RunError, require_extra
from factlink.runs.explaining import Explained, explain_run
from factlink.serve.accounts import question_of
from factlink.serve.answers import answer
from factlink.serve.warm.holding import Held
from factlink.serve.warm.run import work_folder

if TYPE_CHECKING:
    from mcp.server import MCPServer

Json = dict[str, Any]


class Tools:
    """What a client may ask of a run."""

    def __init__(self, held: Held) -> None:
        self._held = held

    def lookup(
        self,
        attributes: dict[str, str | list[str]],
        side: str = "left",
        links: list[dict[str, str]] | None = None,
        candidates: int = 5,
    ) -> Json:
        """Find which users of the other network may be the same person as an account that is not in the run.

        `attributes` are texts by column, such as {"name": "Amy Tan"}; `side` is the network of the account, left or
        right; `links` name known users of that network, such as [{"followee": "u17"}].
        """
        account = {"attributes": attributes, "links": links or []}
        question = question_of({"side": side, "account": account, "candidates": candidates})
        return answer(self._held.now(), question)[0] | {"networks": self._networks()}

    def explain(self, user: str) -> Json:
        """Explain the best candidates of a user of the run: every part of the score, with the values that met."""
        return {"candidates": self._explained([user])}

    def compare(self, left: str, right: str) -> Json:
        """Compare two users of the run, one of each network: decision, probability and the evidence."""
        return self._explained([left, right])[0]

    def _networks(self) -> Json:
        left, right = self._held.run.sides
        return {"left": left.name, "right": right.name}

    def _explained(self, users: list[str]) -> list[Json]:
        def refuse(seconds: float) -> None:
            raise RunError("the run keeps no evidence of this pair; use factlink explain, which fits again")

        return [_shown(each) for each in explain_run(self._held.now().path, users, refuse)]


def _shown(explained: Explained) -> Json:
    found = explained.explanation
    parts = [
        {"predicate": part.predicate, "left": part.left, "right": part.right, "weight": part.weight, "note": part.note}
        for part in found.parts
    ]
    return {
        "left": found.left,
        "right": found.right,
        "names": list(explained.names),
        "decision": str(explained.decision) if explained.decision else None,
        "probability": explained.probability,
        "rank": explained.rank,
        "score": found.score,
        "evidence": parts,
    }


def make_server(held: Held) -> "MCPServer[Any]":
    """The tools of a run as a server."""
    from mcp.server import MCPServer
    from mcp.types import ToolAnnotations

    tools = Tools(held)
    server: MCPServer[Any] = MCPServer("factlink", instructions="Finds which accounts of two networks are one person.")
    only_reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    for tool in (tools.lookup, tools.explain, tools.compare):
        server.add_tool(_told(tool), annotations=only_reads)
    return server


def _told(tool: Callable[..., Json]) -> Callable[..., Json]:
    """The tool, whose errors are sentences for the client."""
    import functools

    from mcp.server.mcpserver.exceptions import ToolError

    @functools.wraps(tool)
    def call(*given: Any, **named: Any) -> Json:
        try:
            return tool(*given, **named)
        except FactlinkError as error:
            raise ToolError(str(error)) from None

    return call


def serve_mcp(run: Path, *, exact: bool = False) -> None:
    """Answers one client until it closes stdin."""
    require_extra("factlink serve --mcp", "mcp", "mcp")
    make_server(Held(run, work_folder(run), exact=exact)).run("stdio")
