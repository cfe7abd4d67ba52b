"""How users moved while they were embedded: their paths in the plane, and which factoids pushed them most."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.embedding.objectives import Objective
from factlink.embedding.state import Trail
from factlink.errors import SettingError, require_extra
from factlink.storage.durable import replaced_file


def scale_to_plane(points: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """(n, 2): classical multidimensional scaling of Euclidean distances, signs fixed by the largest entry."""
    wide = points.astype(np.float64)
    wide = wide - wide.mean(0)
    left, sizes, _ = np.linalg.svd(wide, full_matrices=False)
    plane = np.zeros((len(points), 2))
    plane[:, : min(2, len(sizes))] = (left * sizes)[:, :2]
    largest = np.take_along_axis(plane, np.abs(plane).argmax(0)[None], axis=0)
    return plane * np.where(largest < 0, -1, 1)


def list_paths(trail: Trail, users: Sequence[str], pairs: Sequence[str]) -> pl.DataFrame:
    """One row per watched user and snapshot: user, pair, iteration, x, y."""
    snapshots = np.array(trail.snapshots)  # (n_snapshots, n_watched, dim)
    plane = scale_to_plane(snapshots.reshape(-1, snapshots.shape[-1]))
    n = len(trail.iterations)
    return pl.DataFrame(
        {
            "user": list(users) * n,
            "pair": list(pairs) * n,
            "iteration": np.repeat(trail.iterations, len(users)),
            "x": plane[:, 0],
            "y": plane[:, 1],
        }
    )


def list_pushes(trail: Trail, objectives: Sequence[Objective], k: int = 10) -> pl.DataFrame:
    """The k factoids that moved each watched user furthest: row, predicate, as, other, moved (sum of lengths)."""
    columns = ("row", "predicate", "as", "other", "moved")
    parts = [
        pl.DataFrame(schema=dict(zip(columns, (pl.Int64, pl.String, pl.String, pl.Int64, pl.Float64), strict=True)))
    ]
    for place, objective in enumerate(objectives):
        own = "follower" if objective.is_link else "holder"
        sides = [(own, objective.users, objective.objects, trail.users_moved[place])]
        if objective.is_link:
            sides.append(("followee", objective.objects, objective.users, trail.objects_moved[place]))
        for side, rows, others, moved in sides:
            at = np.flatnonzero(np.isin(rows, trail.rows) & (moved > 0))
            named = (rows[at], [objective.predicate] * len(at), [side] * len(at), others[at], moved[at])
            parts.append(pl.DataFrame(dict(zip(columns, named, strict=True))).cast(parts[0].schema))
    ranked = pl.concat(parts).sort(["row", "moved"], descending=[False, True], maintain_order=True)
    return ranked.group_by("row", maintain_order=True).head(k)


def check_drawable(file: Path) -> None:
    """Refuses a file that cannot be drawn, before any work is done."""
    if file.suffix.lower() not in (".png", ".svg"):
        raise SettingError(f"{file} is neither .png nor .svg; paths are drawn as one of these")
    require_extra("drawing", "report", "altair", "vl_convert")


def draw_paths(paths: pl.DataFrame, file: Path) -> None:
    """Writes the paths as PNG or SVG, by the file's ending: a star where a path starts, a circle where it ends."""
    check_drawable(file)
    import altair as alt

    iterations = paths["iteration"].unique().sort().to_list()
    end = pl.when(pl.col("iteration") == iterations[-1]).then(pl.lit("end")).otherwise(pl.lit("start"))
    ends = paths.filter(pl.col("iteration").is_in([iterations[0], iterations[-1]])).with_columns(end=end)
    roomy = alt.Scale(padding=50, nice=False)
    x, y = alt.X("x:Q", title=None, scale=roomy), alt.Y("y:Q", title=None, scale=roomy)
    pair = alt.Legend(labelLimit=400, orient="bottom", columns=1, symbolType="stroke", symbolStrokeWidth=3)
    colour = alt.Color("pair:N", title="pair", legend=pair)
    lines = (
        _chart(paths)
        .mark_line(opacity=0.6, strokeJoin="round")
        .encode(x=x, y=y, color=colour, detail="user:N", order="iteration:Q")
    )
    marked = alt.Scale(domain=["start", "end"], range=[STAR, "circle"])
    shape = alt.Shape("end:N", scale=marked, title=None, legend=alt.Legend(orient="top-right"))
    points = _chart(ends).mark_point(filled=True, size=90, opacity=1).encode(x=x, y=y, color=colour, shape=shape)
    over, under = (ends.filter(pl.col("end") == "end").filter(_is_nth(n)) for n in (0, 1))
    names = [
        _chart(part).mark_text(dy=dy, fontSize=12).encode(x=x, y=y, text="user:N", color=colour)
        for part, dy in ((over, -14), (under, 16))
    ]
    title = f"Paths of {paths['user'].n_unique()} users over {iterations[-1]} iterations"
    chart = alt.layer(lines, points, *names).properties(width=760, height=560, title=title)
    with replaced_file(file) as part:
        chart.save(str(part), format="png" if file.suffix.lower() == ".png" else "svg", scale_factor=1.5)


def _chart(rows: pl.DataFrame) -> Any:
    import altair as alt

    return alt.Chart(alt.InlineData(values=rows.to_dicts()))


def _is_nth(n: int) -> pl.Expr:
    """Whether a user is the first, or the second, of the pair: their names go over and under where they end."""
    return pl.int_range(pl.len()).over("pair") % 2 == n


STAR = "M0,-1L0.23,-0.31L0.95,-0.31L0.36,0.12L0.59,0.81L0,0.38L-0.59,0.81L-0.36,0.12L-0.95,-0.31L-0.23,-0.31Z"
