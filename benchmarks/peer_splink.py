"""Links two folders of names by Splink (DuckDB); run by `peers.py` in an environment of its own.

python peer_splink.py LEFT RIGHT OUT

A usual model of Splink: names cleaned, blocked by several rules, compared by Jaro-Winkler levels with term frequencies,
also across columns (a handle is often the name in one word); u from random pairs, m by expectation maximisation. A link
is the best pair of a left user from a probability of .5 on.
"""

import sys
from itertools import permutations

import duckdb
import splink.comparison_level_library as cll
import splink.comparison_library as cl
from splink import DuckDBAPI, Linker, SettingsCreator, block_on
from splink.blocking_rule_library import CustomRule

LINKED = 0.5
DEPTH = 10
LEVELS = [0.97, 0.94, 0.91, 0.88, 0.84, 0.8, 0.7]
MOST_PAIRS = 1e6  # that u is estimated from, and m
EXACT_RECALL = 0.7  # of all true pairs, guessed: those with an equal name


def read(database: duckdb.DuckDBPyConnection, folder: str, name: str) -> list[str]:
    """A table of users with their names, and of every name a key, its words at either end, and its beginning."""
    path = f"{folder}/users.parquet"
    columns = [row[0] for row in database.sql(f"describe select * exclude id from '{path}'").fetchall()]
    parts = ", ".join(
        f"""nullif(array_to_string(w_{c}, ' '), '') as {c},
            nullif(array_to_string(w_{c}, ''), '') as joined_{c},
            nullif(array_to_string(list_sort(w_{c}), ''), '') as words_{c},
            w_{c}[1] as first_{c},
            w_{c}[-1] as last_{c},
            case when length(array_to_string(w_{c}, '')) > 3
                then left(array_to_string(w_{c}, ''), 5) end as start_{c}"""
        for c in columns
    )
    words = ", ".join(
        f"list_filter(regexp_split_to_array(lower(strip_accents({c})), '[^\\pL\\pN]+'), lambda w: w <> '') as w_{c}"
        for c in columns
    )
    database.sql(f"create table {name} as select id as unique_id, {parts} from (select id, {words} from '{path}')")
    return columns


def blocks(columns: list[str]) -> list[object]:
    """Rules of which a pair has to meet one."""
    across = [CustomRule(f"l.start_{a} = r.start_{b}") for a, b in permutations(columns, 2)]
    return across + [
        rule
        for c in columns
        for rule in (
            block_on(f"words_{c}"),
            block_on(f"start_{c}"),
            block_on(f"last_{c}"),
            block_on(f"first_{c}", f"left(last_{c}, 2)"),
            CustomRule(f"l.first_{c} = r.last_{c} and left(l.last_{c}, 2) = left(r.first_{c}, 2)"),
        )
    ]


def comparisons(columns: list[str]) -> list[object]:
    """Every column with itself, and the best of any two columns with each other."""
    own = [cl.JaroWinklerAtThresholds(c, LEVELS).configure(term_frequency_adjustments=True) for c in columns]
    if len(columns) == 1:
        return own
    best = "greatest(" + ", ".join(
        f"jaro_winkler_similarity(joined_{a}_l, joined_{b}_r)" for a, b in permutations(columns, 2)
    )
    levels = [cll.CustomLevel(f"{best}) >= {level}", f"at least {level}") for level in (0.99, *LEVELS)]
    nobody = cll.CustomLevel(" and ".join(f"joined_{c}_l is null" for c in columns), "nothing").configure(
        is_null_level=True
    )
    return [*own, cl.CustomComparison([nobody, *levels, cll.ElseLevel()], "across")]


def link(left: str, right: str, out: str) -> None:
    """Writes left, right, score and linked of the best pairs of every left user."""
    database = duckdb.connect()
    columns = read(database, left, "left_users")
    read(database, right, "right_users")
    api = DuckDBAPI(database)
    tables = [api.register(f"{side}_users", dataset_display_name=side) for side in ("left", "right")]
    settings = SettingsCreator(
        link_type="link_only",
        comparisons=comparisons(columns),
        blocking_rules_to_generate_predictions=blocks(columns),
        retain_matching_columns=False,
    )
    linker = Linker(tables, settings, log_level=None)
    training = linker.training
    training.estimate_probability_two_random_records_match([block_on(c) for c in columns], recall=EXACT_RECALL)
    training.estimate_u_using_random_sampling(max_pairs=MOST_PAIRS, seed=1)
    for c in columns:
        rule = block_on(c) if len(columns) > 1 else block_on(f"last_{c}")
        training.estimate_parameters_using_expectation_maximisation(rule, max_pairs=MOST_PAIRS)
    scored = linker.inference.predict()
    best = f"""select unique_id_l as "left", unique_id_r as "right", match_weight as score,
        match_probability >= {LINKED} as linked from {scored.physical_name}
        qualify row_number() over (partition by unique_id_l order by match_weight desc) <= {DEPTH}"""
    database.sql(f"copy ({best}) to '{out}' (format parquet)")


if __name__ == "__main__":
    link(*sys.argv[1:])
