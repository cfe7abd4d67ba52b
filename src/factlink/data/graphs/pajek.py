"""Pajek's .net → tables: *Vertices, then *Arcs, *Edges, *Arcslist or *Edgeslist.

The number of a vertex is its id, since labels may repeat; the label is an attribute.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from factlink.data.formats.text import open_text
from factlink.data.graphs.objects import found_in
from factlink.data.protocol import Found
from factlink.errors import InputError

_WORDS = re.compile(r'"([^"]*)"|(\S+)')


@dataclass(slots=True)
class _Graph:
    labels: dict[str, str] = field(default_factory=dict)
    links: list[tuple[str, str, float]] = field(default_factory=list)
    edges: int = 0
    skipped: int = 0


def read_pajek(path: Path, name: str, origin: str) -> Found:
    """The vertices and links in a file."""
    graph = _Graph()
    for number, section, words in _lines(path, origin):
        try:
            _add(graph, section, words)
        except (ValueError, IndexError):
            shown = " ".join(words)[:60]
            raise InputError(
                f"{origin} line {number}: '{shown}' is not a line of *{section.capitalize()}; "
                "write a number and a label for a vertex, two numbers for a link"
            ) from None
    if not graph.labels:
        raise InputError(f"{origin} has no *Vertices; a Pajek file begins with a line like *Vertices 3")
    nodes = [(vertex, {"label": label}) for vertex, label in graph.labels.items()]
    links = [(start, end, {"weight": weight}) for start, end, weight in graph.links]
    found = found_in(nodes, links, True, name)
    notes = found.notes
    if graph.edges:
        notes += (f"{graph.edges:,} edges are undirected: each is a link in both directions",)
    if graph.skipped:
        notes += (f"{graph.skipped:,} lines of other sections are left out",)
    return Found(found.tables, notes)


def _lines(path: Path, origin: str) -> Iterator[tuple[int, str, list[str]]]:
    section = ""
    with open_text(path, origin) as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("%"):
                continue
            if line.startswith("*"):
                section = line[1:].split(maxsplit=1)[0].lower() if line[1:].strip() else ""
                if section != "vertices":
                    continue
                words = line.split()[1:2]
                yield number, "count", words
            else:
                yield number, section, [quoted or word for quoted, word in _WORDS.findall(line)]


def _add(graph: _Graph, section: str, words: list[str]) -> None:
    if section == "count":
        graph.labels.update((str(vertex), "") for vertex in range(1, int(words[0]) + 1))
    elif section == "vertices":
        graph.labels[_vertex(words[0])] = words[1] if len(words) > 1 else ""
    elif section in ("arcs", "edges"):
        weight = float(words[2]) if len(words) > 2 else 1.0
        _link(graph, _vertex(words[0]), _vertex(words[1]), weight, both=section == "edges")
    elif section in ("arcslist", "edgeslist"):
        for end in words[1:]:
            _link(graph, _vertex(words[0]), _vertex(end), 1.0, both=section == "edgeslist")
    else:
        graph.skipped += 1


def _vertex(word: str) -> str:
    return str(int(word))


def _link(graph: _Graph, start: str, end: str, weight: float, *, both: bool) -> None:
    graph.links.append((start, end, weight))
    if both:
        graph.edges += 1
        graph.links.append((end, start, weight))
