"""What a source holds → the tables of a network: columns in their roles, ends of links as ids."""

from dataclasses import replace

import polars as pl

from factlink.data.columns import lists_in_cells, texts
from factlink.data.formats.nesting import flat_frame
from factlink.data.frames import Tables
from factlink.data.kinds import guess_kind
from factlink.data.protocol import Found, SourceOptions
from factlink.data.sources.choosing import header_is_data
from factlink.data.sources.ends import resolved_ends
from factlink.data.sources.roles import id_column, link_columns, weight_column
from factlink.errors import InputError
from factlink.types import Kind

_ROUNDED = r"^\d[.,]\d+E\+\d{2}$"
_NAME = "username"
_NO_NAMES = (Kind.IGNORE, Kind.NUMBER)  # as ids they tell users apart, and say nothing else


def assemble(found: Found, options: SourceOptions) -> Found:
    """The same with columns `id`, `source` and `target`, and notes on what was guessed."""
    tables, notes = found.tables, list(found.notes)
    links = tables.links if tables.links is not None and tables.links.width else None
    origin = f"network '{options.name}': "
    users = flat_frame(tables.users)
    if users.width or links is None:
        users, said = _with_id(users, options, origin + tables.users_name)
        notes += said
        if found.lists_in_cells:
            rest = [name for name in users.columns if name != "id"]
            users = users.with_columns(lists_in_cells(users[name], origin + tables.users_name) for name in rest)
    if links is not None:
        links, said = _with_ends(flat_frame(links), users, options, origin + tables.links_name)
        notes += said
        if not users.width:
            users, said = _users_of(links, origin + tables.links_name)
            notes += said
        links, resolved = resolved_ends(links, users, origin + tables.links_name)
        notes += resolved
    elif "source" in options.columns or "target" in options.columns:
        add = options.flag("links", "FILE")
        raise InputError(f"{origin}--source and --target name columns of links, and there are none; add {add}")
    named = Tables(users, links, tables.users_name or tables.links_name, tables.links_name)
    return replace(found, tables=named, notes=tuple(note for note in notes if note))


def _with_id(users: pl.DataFrame, options: SourceOptions, origin: str) -> tuple[pl.DataFrame, list[str]]:
    column = id_column(users, options, origin)
    if column in users.columns:
        _refuse_rounded(users[column], column, origin)
    if column == "id":
        return users, []
    ids = users[column]
    guessed = "" if "id" in options.columns else f" (guessed; set another with {options.flag('id')})"
    notes = [f"ids: column '{column}'{guessed}"]
    rest = users.drop(column)
    if "id" in rest.columns:
        rest = rest.rename({"id": "id_"})
        notes.append("the column 'id' is kept as 'id_'")
    if isinstance(ids.dtype, pl.List) or guess_kind(column, texts(ids, origin).drop_nulls()).kind in _NO_NAMES:
        return rest.insert_column(0, ids.alias("id")), notes
    notes[0] += f", which is also compared (--kind '{column}=ignore' turns that off)"
    return users.rename({"id": "id_"} if "id" in users.columns else {}).insert_column(0, ids.alias("id")), notes


def _with_ends(
    links: pl.DataFrame, users: pl.DataFrame, options: SourceOptions, origin: str
) -> tuple[pl.DataFrame, list[str]]:
    ends = link_columns(links.columns, options, origin)
    notes = []
    if ends is None and links.width >= 2 and _first_line_is_link(links, users, origin):
        links, ends = _without_header(links), ("column_1", "column_2")
        notes.append("links: the first line is a link, not a header")
    if ends is None:
        ends = _first_two(links, users, options, origin)
    if ends != ("source", "target"):
        stated = {"source", "target"} <= set(options.columns)
        hint = "" if stated else f" (guessed; set others with {options.flag('source')} {options.flag('target')})"
        notes.append(f"links: '{ends[0]}' follows '{ends[1]}'{hint}")
    for column in ends:
        _refuse_rounded(links[column], column, origin)
    weight = weight_column(links.columns) or _third_is_weight(links, ends)
    names = {ends[0]: "source", ends[1]: "target"} | ({weight: "weight"} if weight else {})
    taken = [name for name in names.values() if name in links.columns and name not in names]
    links = links.rename({name: f"{name}_" for name in taken}).rename(names)
    links, said = _both_ways(links)
    return links, notes + said


def _third_is_weight(links: pl.DataFrame, ends: tuple[str, str]) -> str | None:
    """Of an edge list without names, the third column if it holds numbers above 0."""
    if ends != ("column_1", "column_2") or links.width != 3 or links.columns[2] != "column_3":
        return None
    numbers = links["column_3"].cast(pl.Float64, strict=False)
    return "column_3" if not numbers.null_count() and bool((numbers > 0).all()) else None


def _both_ways(links: pl.DataFrame) -> tuple[pl.DataFrame, list[str]]:
    """Gephi's column Type: an undirected link is one in each direction."""
    column = next((name for name in links.columns if name.lower() == "type"), None)
    if column is None or links[column].dtype != pl.String:
        return links, []
    said = links[column].str.to_lowercase()
    if not said.is_in(["directed", "undirected"]).all():
        return links, []
    undirected = links.filter(said == "undirected")
    turned = undirected.rename({"source": "target", "target": "source"}).select(links.columns)
    notes = [f"{undirected.height:,} undirected links count in both directions"] if undirected.height else []
    return pl.concat([links, turned]).drop(column), notes


def _first_line_is_link(links: pl.DataFrame, users: pl.DataFrame, origin: str) -> bool:
    if header_is_data(links):
        return True
    named = [name for name in users.columns if users[name].dtype == pl.String]
    return all(any(bool((users[name] == end).any()) for name in named) for end in links.columns[:2])


def _without_header(links: pl.DataFrame) -> pl.DataFrame:
    names = [f"column_{place}" for place in range(1, links.width + 1)]
    first = pl.DataFrame([[name] for name in links.columns], schema=dict.fromkeys(names, pl.String))
    return pl.concat([first, links.cast(pl.String).rename(dict(zip(links.columns, names, strict=True)))])


def _first_two(links: pl.DataFrame, users: pl.DataFrame, options: SourceOptions, origin: str) -> tuple[str, str]:
    found = ", ".join(f"'{name}'" for name in links.columns)
    if links.width < 2:
        raise InputError(
            f"{origin} has one column ({found}), and links need two: followers and followees; "
            "separate them with commas, or leave the file out"
        )
    first, second = links.columns[:2]
    if first == "column_1":
        return first, second
    ends = links.select(pl.col(first).alias("source"), pl.col(second).alias("target"))
    resolved, _ = resolved_ends(ends, users, origin)
    known = users["id"].cast(pl.String).implode() if users.width else pl.Series([[]], dtype=pl.List(pl.String))
    shares = [resolved[end].cast(pl.String).is_in(known).mean() or 0.0 for end in ("source", "target")]
    if min(map(float, shares)) >= 0.5:  # type: ignore[arg-type]
        return first, second
    raise InputError(
        f"{origin}: which columns are the followers and the followees? Columns found: {found}; "
        f"set them, for example {options.flag('source', repr(first))} {options.flag('target', repr(second))}, "
        "or --no-header if the first line is a link"
    )


def _users_of(links: pl.DataFrame, origin: str) -> tuple[pl.DataFrame, list[str]]:
    """The users at the ends of links; what looks like names is compared too."""
    ends = [texts(links[end], origin) for end in ("source", "target")]
    users = pl.concat([end.alias("id") for end in ends]).drop_nulls().unique(maintain_order=True)
    notes = [f"an edge list: its ends are the users ({len(users):,})"]
    lettered = users.str.contains(r"\p{L}").mean() if len(users) else 0.0
    if float(lettered or 0.0) >= 0.8 and guess_kind(_NAME, users).kind is Kind.NAME:  # type: ignore[arg-type]
        notes.append(f"the ids look like names and are compared as '{_NAME}'")
        return pl.DataFrame({"id": users, _NAME: users}), notes
    notes.append(
        "there is nothing to compare but links; give the users as a file too, and these links with --links FILE"
    )
    return users.to_frame(), notes


def _refuse_rounded(column: pl.Series, name: str, origin: str) -> None:
    """Ids that a spreadsheet has written as 1.23E+17 have lost their last digits."""
    if column.dtype != pl.String:
        return
    rounded = column.str.contains(_ROUNDED).fill_null(False).arg_true()
    if len(rounded):
        raise InputError(
            f"{origin} row {rounded[0] + 1}: '{column[rounded[0]]}' in column '{name}' was rounded by a spreadsheet; "
            "export the data again with this column as text, or name another column with --id"
        )
