"""The OpenAPI description of the service."""

from importlib.metadata import version
from typing import Any

from factlink.linkers.factoid.state.stored import SIDES
from factlink.serve.accounts import MOST_ACCOUNTS, MOST_CANDIDATES, MOST_LINKS
from factlink.types import DECISIONS

Json = dict[str, Any]

_TEXTS: Json = {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_TEXT: Json = {"type": "string"}
_NUMBER: Json = {"type": ["number", "null"]}
_DECISION: Json = {"type": ["string", "null"], "enum": [*(str(decision) for decision in DECISIONS), None]}

_SCHEMAS: Json = {
    "Account": {
        "type": "object",
        "properties": {
            "id": _TEXT,
            "attributes": {"type": "object", "additionalProperties": _TEXTS},
            "links": {"type": "array", "maxItems": MOST_LINKS, "items": {"$ref": "#/components/schemas/Link"}},
        },
        "additionalProperties": False,
    },
    "Link": {
        "type": "object",
        "description": "The user at the other end: the account follows the followee, the follower follows it.",
        "properties": {"follower": _TEXT, "followee": _TEXT, "predicate": _TEXT, "weight": {"type": "number"}},
        "additionalProperties": False,
    },
    "Question": {
        "type": "object",
        "properties": {
            "side": {"type": "string", "enum": list(SIDES), "default": SIDES[0]},
            "account": {"$ref": "#/components/schemas/Account"},
            "accounts": {"type": "array", "maxItems": MOST_ACCOUNTS, "items": {"$ref": "#/components/schemas/Account"}},
            "together": {"type": "boolean", "default": False},
            "candidates": {"type": "integer", "minimum": 1, "maximum": MOST_CANDIDATES, "default": 5},
        },
        "additionalProperties": False,
    },
    "Answer": {
        "type": "object",
        "required": ["id", "decision", "partner", "probability", "candidates"],
        "properties": {
            "id": _TEXT,
            "decision": _DECISION,
            "partner": {"type": ["string", "null"]},
            "probability": _NUMBER,
            "candidates": {"type": "array", "items": {"$ref": "#/components/schemas/Candidate"}},
        },
    },
    "Candidate": {
        "type": "object",
        "required": ["user", "name", "probability", "decision", "score", "evidence"],
        "properties": {
            "user": _TEXT,
            "name": _TEXT,
            "probability": _NUMBER,
            "decision": _DECISION,
            "score": _NUMBER,
            "evidence": {"type": "array", "items": {"type": "object", "required": ["source", "weight"]}},
        },
    },
    "Problem": {
        "type": "object",
        "properties": {"type": _TEXT, "title": _TEXT, "status": {"type": "integer"}, "detail": _TEXT},
    },
}


def describe(url: str) -> Json:
    """The description, for a service at `url`."""
    question = {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Question"}}},
    }
    answers = {
        "type": "object",
        "properties": {"answers": {"type": "array", "items": {"$ref": "#/components/schemas/Answer"}}},
    }
    person = {"name": "id", "in": "path", "required": True, "schema": _TEXT}
    paths = {
        "/v1/lookup": {
            "post": _operation("Candidates of one or several accounts", answers) | {"requestBody": question}
        },
        "/v1/accounts": {
            "post": _operation("Add accounts; needs --write", {"type": "object"}, "201") | {"requestBody": question}
        },
        "/v1/persons/{id}": {
            "get": _operation("The accounts of a person", {"type": "object"}) | {"parameters": [person]}
        },
        "/v1/health": {"get": _operation("Whether the service answers", {"type": "object"}) | {"security": []}},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "factlink serve", "version": version("factlink")},
        "servers": [{"url": url}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {"schemas": _SCHEMAS, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _operation(summary: str, schema: Json, status: str = "200") -> Json:
    wrong = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        "summary": summary,
        "responses": {
            status: {"description": summary, "content": {"application/json": {"schema": schema}}},
            "default": {"description": "What was wrong", "content": wrong},
        },
    }
