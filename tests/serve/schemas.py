"""What the Reconciliation Service API 0.2 demands of answers, as JSON schemas written from its text."""

from typing import Any

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
NAMED: Json = {"type": "object", "required": ["id", "name"], "properties": {"id": TEXT, "name": TEXT}}
TYPES: Json = {"type": "array", "items": {"anyOf": [TEXT, NAMED]}}
SERVICE: Json = {"type": "object", "properties": {"service_url": TEXT, "service_path": TEXT}}
WITH_ID: Json = {"type": "string", "pattern": r"\{\{id\}\}"}

MANIFEST: Json = {
    "type": "object",
    "required": ["versions", "name", "identifierSpace", "schemaSpace"],
    "properties": {
        "versions": {"type": "array", "items": TEXT, "contains": {"const": "0.2"}},
        "name": TEXT,
        "identifierSpace": TEXT,
        "schemaSpace": TEXT,
        "defaultTypes": {"type": "array", "items": NAMED, "uniqueItems": True},
        "view": {"type": "object", "required": ["url"], "properties": {"url": WITH_ID}},
        "preview": {
            "type": "object",
            "required": ["url", "width", "height"],
            "properties": {"url": WITH_ID, "width": {"type": "integer"}, "height": {"type": "integer"}},
        },
        "suggest": {"type": "object", "properties": {"entity": SERVICE, "property": SERVICE, "type": SERVICE}},
        "extend": {
            "type": "object",
            "properties": {"propose_properties": SERVICE, "property_settings": {"type": "array"}},
        },
    },
}
CANDIDATE: Json = {
    "type": "object",
    "required": ["id", "name", "score"],
    "properties": {
        "id": TEXT,
        "name": TEXT,
        "description": TEXT,
        "score": {"type": "number"},
        "match": {"type": "boolean"},
        "type": TYPES,
        "features": {
            "type": "array",
            "items": {"type": "object", "required": ["id", "value"], "properties": {"id": TEXT}},
        },
    },
}
RESULTS: Json = {
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "required": ["result"],
        "properties": {"result": {"type": "array", "items": CANDIDATE}},
    },
}
SUGGESTED: Json = {
    "type": "object",
    "required": ["result"],
    "properties": {"result": {"type": "array", "items": NAMED | {"properties": {"notable": TYPES}}}},
}
PROPOSED: Json = {
    "type": "object",
    "required": ["properties"],
    "properties": {"type": TEXT, "properties": {"type": "array", "items": NAMED}},
}
CELL: Json = {"type": "object", "minProperties": 1, "properties": {"str": TEXT}}
EXTENDED: Json = {
    "type": "object",
    "required": ["meta", "rows"],
    "properties": {
        "meta": {"type": "array", "items": NAMED},
        "rows": {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": {"type": "array", "items": CELL}},
        },
    },
}
