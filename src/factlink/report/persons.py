"""The persons of a run of three networks or more as one HTML file: accounts side by side, and what ties them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from factlink.data.formats.html_text import legible_values
from factlink.data.tables import read_table
from factlink.errors import require_extra
from factlink.report.page import write_page
from factlink.runs.folder.listing import LISTING
from factlink.runs.folder.several import load_several, pair_folder
from factlink.runs.several.gathering import GatheredPersons, gather_persons

SHOWN = 500
"""Persons on a page, those with the least likely account first."""
LISTED = 100
"""Splits and disagreements on a page."""


def write_persons_report(
    run: Path, file: Path, on_stage: Callable[[str], None] = lambda stage: None
) -> Mapping[str, Any]:
    """Writes the page whole or not at all; the values it shows."""
    require_extra("factlink report", "report", "jinja2")
    on_stage("gathering persons")
    values = gather_persons_report(run)
    write_page(file, lambda: render_persons(values))
    return values


def gather_persons_report(run: Path) -> dict[str, Any]:
    """What the page shows."""
    found, manifest = gather_persons(run), load_several(run)
    return {
        "networks": list(found.names),
        "linker": manifest.linker,
        "created": manifest.created,
        "sizes": found.sizes(),
        "persons": _persons(run, found),
        "shown": SHOWN,
        "splits": found.splits.head(LISTED).to_dicts(),
        "n_splits": found.splits.height,
        "asks": _with_persons(found.asks.head(LISTED), found),
        "n_asks": found.asks.height,
        "n_disagreements": found.disagreements.height,
    }


def render_persons(values: Mapping[str, Any]) -> str:
    """The page of some values; all data is escaped, and no script may run."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    folder = Path(__file__).parent
    environment = Environment(
        loader=FileSystemLoader(folder / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = Markup((folder / "static" / "report.css").read_text("utf-8"))
    return environment.get_template("persons.html").render(**legible_values(values), style=style)


def _with_persons(asks: pl.DataFrame, found: GatheredPersons) -> list[dict[str, Any]]:
    """Links to judge first, with the names of both accounts."""
    named = found.members.select("network", "user", "name")
    other = named.select(other_network="network", other_user="user", other_name="name")
    asks = asks.join(named, on=["network", "user"], how="left", maintain_order="left")
    return asks.join(other, on=["other_network", "other_user"], how="left", maintain_order="left").to_dicts()


def _persons(run: Path, found: GatheredPersons) -> list[dict[str, Any]]:
    """Persons with several accounts, the most doubtful first: accounts, and the links between them."""
    several = found.members.filter(pl.len().over("person") > 1)
    doubtful = several.group_by("person", maintain_order=True).agg(pl.col("probability").min())
    chosen = doubtful.sort("probability", maintain_order=True).head(SHOWN)["person"]
    members = several.join(chosen.to_frame(), on="person", how="semi", maintain_order="left")
    ties = _ties(run, members).partition_by("person", as_dict=True, include_key=False)
    accounts = members.partition_by("person", as_dict=True, include_key=False)
    return [
        {
            "person": person,
            "accounts": accounts[person,].to_dicts(),
            "ties": ties[person,].to_dicts() if (person,) in ties else [],
        }
        for person in chosen
    ]


def _ties(run: Path, members: pl.DataFrame) -> pl.DataFrame:
    """Links inside persons, with what is said for them."""
    manifest = load_several(run)
    parts = [pl.DataFrame(schema=dict.fromkeys(("person", "between", "left", "right", "evidence"), pl.String))]
    for pair in manifest.pairs:
        file = pair_folder(run, pair) / LISTING
        names = [manifest.names[place] for place in pair]
        links = read_table(file, str(file)).filter(pl.col("right").is_not_null())
        left, right = (members.filter(network=name).select("person", "user") for name in names)
        inside = links.join(left, left_on="left", right_on="user").join(
            right, left_on=["right", "person"], right_on=["user", "person"]
        )
        between = pl.lit(" – ".join(names)).alias("between")
        shown = [pl.coalesce(f"{side}_name", side).alias(side) for side in ("left", "right")]
        parts.append(inside.select("person", between, *shown, pl.col("evidence").fill_null("")))
    return pl.concat(parts)
