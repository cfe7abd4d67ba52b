"""The tools of the Model Context Protocol, as a client of the official package calls them."""

import sys
from pathlib import Path
from typing import Any

import anyio
import polars as pl
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from factlink.runs.folder.store import load_run
from factlink.serve.tools import make_server
from factlink.serve.warm.holding import Held
from tests.serve.conftest import World


def called(world: World, tool: str, given: dict[str, object]) -> tuple[bool, object]:
    """Whether a call failed, and what came back."""

    async def call() -> tuple[bool, object]:
        async with Client(make_server(Held(world.run, world.place / "work"))) as client:
            result = await client.call_tool(tool, given)
            return bool(result.is_error), result.structured_content or result.content[0].text  # type: ignore[union-attr]

    return anyio.run(call)


def test_there_are_three_tools_and_all_only_read(world: World) -> None:
    async def listed() -> list[tuple[str, bool | None]]:
        async with Client(make_server(Held(world.run, world.place / "work"))) as client:
            tools = (await client.list_tools()).tools
            return [(tool.name, tool.annotations and tool.annotations.read_only_hint) for tool in tools]

    assert anyio.run(listed) == [("lookup", True), ("explain", True), ("compare", True)]


def test_lookup_finds_candidates(world: World) -> None:
    account = world.account(0)
    failed, found = called(world, "lookup", {"attributes": account["attributes"], "links": account["links"]})
    assert not failed
    assert found["candidates"][0]["user"] == found["partner"]  # type: ignore[index]


def test_explain_and_compare_show_the_kept_evidence(world: World) -> None:
    link = load_run(world.run).links.filter(pl.col("decision") == "link").row(0, named=True)
    failed, found = called(world, "compare", {"left": link["left"], "right": link["right"]})
    assert not failed
    assert (found["decision"], found["probability"]) == ("link", pytest.approx(link["probability"]))  # type: ignore[index]
    failed, all_found = called(world, "explain", {"user": link["left"]})
    assert not failed
    assert all_found["candidates"][0]["right"] == link["right"]  # type: ignore[index]


def test_a_mistake_is_a_sentence(world: World) -> None:
    failed, found = called(world, "compare", {"left": "nobody", "right": "nobody else"})
    assert failed
    assert "no user is called 'nobody'" in str(found)


def test_a_process_answers_over_stdin_and_stdout_and_writes_nothing(world: World, copy: Path) -> None:
    link = load_run(copy).links.filter(pl.col("decision") == "link").row(0, named=True)
    account, before = world.account(0), files_of(copy)
    described = {"attributes": account["attributes"], "links": account["links"]}
    server = StdioServerParameters(command=sys.executable, args=["-m", "factlink", "serve", str(copy), "--mcp"])

    async def asked() -> tuple[list[str], list[Any]]:
        async with Client(stdio_client(server)) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            calls = [
                ("lookup", described),
                ("explain", {"user": link["left"]}),
                ("compare", {"left": link["left"], "right": link["right"]}),
                ("compare", {"left": "nobody", "right": "nobody else"}),
            ]
            return tools, [await client.call_tool(tool, given) for tool, given in calls]

    tools, (looked, explained, compared, refused) = anyio.run(asked)
    assert tools == ["lookup", "explain", "compare"]
    partner = called(world, "lookup", described)[1]["partner"]  # type: ignore[index]
    assert looked.structured_content["partner"] == partner
    assert explained.structured_content["candidates"][0]["right"] == link["right"]
    assert compared.structured_content["decision"] == "link"
    assert (refused.is_error, "no user is called 'nobody'" in refused.content[0].text) == (True, True)
    assert files_of(copy) == before


def files_of(run: Path) -> dict[Path, int]:
    return {file: file.stat().st_mtime_ns for file in run.rglob("*")}
