"""Which code a figure depends on, by content: a hash that can be compared with a working tree without running anything.

A figure depends on the modules that its entry modules import, directly or through others, also inside functions; where
the name of a module is put together, on every module that it may be. Their content counts, without comments, docstrings
and layout.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from factlink.errors import InputError

PACKAGE = Path(__file__).parents[1]
WITHOUT_EFFECT = ("errors", "progress")  # on any figure
ANY = "*"  # any module of a package


def changed_parts(entries: Sequence[str], sources: Mapping[str, str], package: Path = PACKAGE) -> list[str]:
    """The parts of the package that have changed or no longer exist."""
    try:
        now = sources_of(tuple(entries), package)
    except InputError:
        return [entry for entry in entries if _file_of(entry, package) is None]
    return sorted(part for part in {*now, *sources} if now.get(part) != sources.get(part))


@cache
def sources_of(entries: tuple[str, ...], package: Path = PACKAGE) -> dict[str, str]:
    """A hash for every part of the package, or file beside it, that these modules need."""
    found: dict[str, list[str]] = {}
    for module in sorted(needed_modules(entries, package)):
        part = module if "/" in module else module.split(".")[1]
        if part not in WITHOUT_EFFECT:
            found.setdefault(part, []).append(f"{module} {_content(module, package)}")
    return {part: digest("\n".join(lines)) for part, lines in found.items()}


def needed_modules(entries: Iterable[str], package: Path = PACKAGE) -> set[str]:
    """The entries and all modules of the package that they import, directly or through others."""
    needed: set[str] = set()
    waiting = list(entries)
    while waiting:
        module = waiting.pop()
        if module in needed:
            continue
        if _file_of(module, package) is None:
            raise InputError(f"no module or file is called '{module}'; name one of the package or of the checkout")
        needed.add(module)
        waiting += _imports(module, package)
    return needed


def _file_of(module: str, package: Path) -> Path | None:
    """The file of a module of the package, or a file of the checkout."""
    if "/" in module:
        places = [package.parents[1] / module]
    else:
        stem = package.parent.joinpath(*module.split("."))
        places = [stem.with_name(f"{stem.name}.py"), stem / "__init__.py"]
    return next((place for place in places if place.is_file()), None)


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def _imports(module: str, package: Path) -> Iterator[str]:
    """The modules of the package that a module imports; of the package itself, only what is asked of it."""
    for name in _imported_names(_tree(_known_file(module, package)), package.name):
        parts = name.split(".")
        if parts[-1] == ANY:
            folder = package.parent.joinpath(*parts[:-1])
            for file in folder.rglob("[!_]*.py"):
                yield ".".join([*parts[:-1], *file.relative_to(folder).with_suffix("").parts])
        for end in range(2, len(parts) + 1):
            if _file_of(".".join(parts[:end]), package):
                yield ".".join(parts[:end])


def _imported_names(tree: ast.Module, package: str) -> Iterator[str]:
    """What is imported of the package, as module or as module and name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith(f"{package}."))
        elif isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{package}."):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.JoinedStr) and (start := _start(node)).startswith(f"{package}."):
            yield f"{start.rpartition('.')[0]}.{ANY}"  # import_module(f"package.part.{name}")


def _start(text: ast.JoinedStr) -> str:
    """What an f-string begins with."""
    first = text.values[0] if text.values else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


@cache
def _content(module: str, package: Path) -> str:
    return digest(_written(_tree(_known_file(module, package))))


def _known_file(module: str, package: Path) -> Path:
    file = _file_of(module, package)
    assert file is not None, module
    return file


def _written(node: object) -> str:
    """A syntax tree as text, the same on every version of Python: no places, no docstrings, nothing that is empty."""
    if isinstance(node, list):
        return f"[{','.join(map(_written, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = ((name, value) for name, value in ast.iter_fields(node) if value not in (None, []))
    kept = (
        f"{name}={_written(_without_docstring(node, value) if name == 'body' else value)}" for name, value in fields
    )
    return f"{type(node).__name__}({','.join(kept)})"


def _without_docstring(node: ast.AST, body: Any) -> Any:
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return body
    return body if ast.get_docstring(node, clean=False) is None else body[1:]


def digest(text: str, length: int = 12) -> str:
    """The first digits of a SHA-256."""
    return sha256(text.encode()).hexdigest()[:length]
