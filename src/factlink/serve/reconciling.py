"""The W3C Reconciliation Service API 0.2 over one side of a run: what OpenRefine and its like ask.

A query describes an account of the other side: its text is a name, its properties are further columns.
"""

import json
from html import escape
from typing import Any

import polars as pl

from factlink.errors import InputError
from factlink.linkers.factoid.state.stored import SIDES
from factlink.serve.accounts import MOST_ACCOUNTS, MOST_CANDIDATES, Question, question_of
from factlink.serve.answers import answer
from factlink.serve.warm.run import WarmRun
from factlink.types import Decision, Kind

SUGGESTED = 10
PREVIEW = {"width": 400, "height": 220}

Json = dict[str, Any]


def manifest(run: WarmRun, side: int, url: str) -> Json:
    """What the service at `url` can do: users of a side are its entities."""
    users = run.sides[side]
    kind = type_of(run, side)
    suggest = {
        name: {"service_url": url, "service_path": f"/suggest/{name}"} for name in ("entity", "property", "type")
    }
    return {
        "versions": ["0.2"],
        "name": f"factlink: users of {users.name}",
        "identifierSpace": f"urn:factlink:users:{SIDES[side]}",
        "schemaSpace": "urn:factlink:predicates",
        "defaultTypes": [kind],
        "view": {"url": f"{url}/preview?id={{{{id}}}}"},
        "preview": {"url": f"{url}/preview?id={{{{id}}}}", **PREVIEW},
        "suggest": suggest,
        "extend": {
            "propose_properties": {"service_url": url, "service_path": "/properties"},
            "property_settings": [],
        },
    }


def type_of(run: WarmRun, side: int) -> Json:
    """The type of all entities of a side."""
    return {"id": SIDES[side], "name": f"user of {run.sides[side].name}"}


def reconcile(run: WarmRun, side: int, queries: object) -> Json:
    """The results of a batch of queries, by the names that the client gave them."""
    if not isinstance(queries, dict) or not 0 < len(queries) <= MOST_ACCOUNTS:
        raise InputError(f"'queries' is not a JSON object of 1 to {MOST_ACCOUNTS} queries")
    return {name: {"result": _results(run, side, query)} for name, query in queries.items()}


def _results(run: WarmRun, side: int, query: object) -> list[Json]:
    question = _question(run, side, query)
    if question is None:
        return []
    [found] = answer(run, question)
    kind = type_of(run, side)
    return [
        {
            "id": candidate["user"],
            "name": candidate["name"],
            "type": [kind],
            "score": round(100 * candidate["probability"], 4),
            "match": candidate["decision"] == Decision.LINK.value,
            "features": [{"id": part["source"], "value": part["weight"]} for part in candidate["evidence"]],
        }
        for candidate in found["candidates"]
    ]


def _question(run: WarmRun, side: int, query: object) -> Question | None:
    """The query as an account of the other side; None where it asks for entities of another type."""
    if not isinstance(query, dict):
        raise InputError("a query is not a JSON object")
    types = query.get("type", [])
    types = types if isinstance(types, list) else [types]
    if any(kind not in (SIDES[side], None, "") for kind in types):
        return None
    mine = 1 - side
    objects: dict[str, list[Any]] = {}
    if query.get("query"):
        objects[_name_predicate(run, mine)] = [query["query"]]
    properties = query.get("properties") or []
    if not isinstance(properties, list):
        raise InputError("'properties' of a query is not a list")
    for named in properties:
        if not isinstance(named, dict) or not isinstance(named.get("pid"), str):
            raise InputError("a property of a query has no 'pid' that is a text")
        if named["pid"] in run.sides[mine].kinds:
            held = named.get("v")
            objects.setdefault(named["pid"], []).extend(
                _text(each) for each in (held if isinstance(held, list) else [held])
            )
    limit = query.get("limit", 5)
    limit = limit if isinstance(limit, int) and not isinstance(limit, bool) else 5
    body = {"side": SIDES[mine], "account": {"attributes": objects}, "candidates": max(1, min(limit, MOST_CANDIDATES))}
    question = question_of(body)
    return question if question.accounts[0].objects else None


def _text(said: object) -> object:
    """A value of a property as text; an entity counts by its name."""
    if isinstance(said, dict):
        return said.get("name", said.get("id"))
    return str(said) if isinstance(said, int | float) and not isinstance(said, bool) else said


def _name_predicate(run: WarmRun, side: int) -> str:
    """Where the text of a query belongs: the name predicate that counts most."""
    weights = run.space.state.names.weights[side] if run.space.state.names else {}
    names = [predicate for predicate, kind in run.sides[side].kinds.items() if kind is Kind.NAME]
    best = max(weights, key=lambda predicate: weights[predicate], default=names[0] if names else "")
    if not best:
        raise InputError(f"network '{run.sides[side].name}' has no names to reconcile by; use properties")
    return best


def suggest_entities(run: WarmRun, side: int, prefix: str) -> Json:
    """Users with a name, or an id, that begins so."""
    users = run.sides[side]
    wanted = " ".join(prefix.split()).lower()
    if not wanted:
        return {"result": []}
    names = [predicate for predicate in users.columns if users.kinds[predicate] is Kind.NAME]
    table = users.table(["id", *names])
    fits = pl.col("id").str.to_lowercase().str.starts_with(wanted)
    for predicate, held in table.select(names).collect_schema().items():
        text = pl.col(predicate).list.join(" ") if isinstance(held, pl.List) else pl.col(predicate)
        fits = fits | text.str.to_lowercase().str.starts_with(wanted).fill_null(value=False)
    rows = table.with_row_index("row of users").filter(fits).head(SUGGESTED).collect()["row of users"]
    return {
        "result": [
            {"id": user, "name": users.shown_name(int(row)), "description": user, "notable": [type_of(run, side)]}
            for row, user in zip(rows, users.ids(rows.to_numpy()), strict=True)
        ]
    }


def suggest_properties(run: WarmRun, side: int, prefix: str) -> Json:
    """Predicates of the queries, which are those of the other side, that begin so."""
    found = [p for p in run.sides[1 - side].kinds if p.lower().startswith(prefix.strip().lower())]
    return {"result": [{"id": predicate, "name": predicate} for predicate in found[:SUGGESTED]]}


def suggest_types(run: WarmRun, side: int) -> Json:
    """The one type there is."""
    return {"result": [type_of(run, side)]}


def propose_properties(run: WarmRun, side: int) -> Json:
    """What can be fetched of an entity."""
    return {"type": SIDES[side], "properties": [{"id": p, "name": p} for p in run.sides[side].kinds]}


def extend(run: WarmRun, side: int, asked: object) -> Json:
    """Columns of some entities."""
    if not isinstance(asked, dict) or not isinstance(asked.get("ids"), list):
        raise InputError("'extend' is not a JSON object with 'ids' and 'properties'")
    ids, wanted = asked["ids"], asked.get("properties", [])
    if len(ids) > 1_000 or not all(isinstance(user, str) for user in ids) or not isinstance(wanted, list):
        raise InputError("'ids' is not a list of at most 1,000 ids, or 'properties' is not a list")
    users = run.sides[side]
    predicates = [str(each["id"]) for each in wanted if isinstance(each, dict) and each.get("id") in users.kinds]
    rows = users.rows_of(_encodable(ids))
    cells = {
        user: _cells(users.objects(int(row)) if row >= 0 else {}, predicates)
        for user, row in zip(ids, rows, strict=True)
    }
    return {"meta": [{"id": predicate, "name": predicate} for predicate in predicates], "rows": cells}


def _encodable(ids: list[str]) -> list[str]:
    return [user.encode("utf-8", "replace").decode() for user in ids]


def _cells(objects: dict[str, list[str]], predicates: list[str]) -> Json:
    return {predicate: [{"str": text} for text in objects.get(predicate, [])] for predicate in predicates}


def preview(run: WarmRun, side: int, user: str) -> str:
    """A user as a small page."""
    row = run.find(side, user.encode("utf-8", "replace").decode())
    users = run.sides[side]
    lines = "".join(
        f"<tr><th align=left>{escape(predicate)}</th><td>{escape(', '.join(held))}</td></tr>"
        for predicate, held in users.objects(row).items()
    )
    name = escape(users.shown_name(row))
    return f"<!doctype html><meta charset=utf-8><title>{name}</title><h3>{name}</h3><table>{lines}</table>"


def parsed(text: str, name: str) -> object:
    """JSON in a parameter."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"'{name}' is not JSON") from None
