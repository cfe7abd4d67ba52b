"""Links two folders of names by Splink (DuckDB); run by `peers.py` in an environment of its own.

python peer_splink.py LEFT RIGHT OUT

A model as Splink's guides recommend one. Names are cleaned and cut into words, a handle at its capitals; from every
column come the whole name, its words, and its rarest word, for which surnames mostly are. Each is compared in several
levels, whole names by Jaro-Winkler, exact agreement with term frequencies, and whole names also across columns. Pairs
come from several blocking rules, or are all pairs where those are few. The prior is from a deterministic rule, u from
random pairs, m by expectation maximisation under two blocking rules for each column, so that what one of them holds
fixed is learned under the other. A link is the best pair of a left user from a probability of .5 on.
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
LEVELS = [0.98, 0.96, 0.94, 0.92, 0.9, 0.88, 0.86, 0.84, 0.8, 0.75, 0.7]
MOST_PAIRS = 2e6  # that u is estimated from, and m
FEW_PAIRS = 5e6  # all of them are scored where there are no more
EXACT_RECALL = 0.7  # of all true pairs, guessed: those with the same words
WORDS = r"""list_filter(regexp_split_to_array(lower(strip_accents(
    regexp_replace({c}, '(\p{{Ll}})(\p{{Lu}})', '\1 \2', 'g'))), '[^\pL\pN]+'), lambda w: w <> '') as w_{c}"""
PARTS = """nullif(array_to_string(w_{c}, ''), '') as whole_{c},
    case when len(w_{c}) > 0 then w_{c} end as words_{c},
    nullif(array_to_string(list_sort(w_{c}), ' '), '') as sorted_{c},
    w_{c}[1] as first_{c},
    w_{c}[-1] as last_{c},
    case when length(array_to_string(w_{c}, '')) > 3 then left(array_to_string(w_{c}, ''), 5) end as start_{c},
    case when length(array_to_string(w_{c}, '')) > 4 then right(array_to_string(w_{c}, ''), 5) end as end_{c}"""


def read(database: duckdb.DuckDBPyConnection, folder: str, name: str) -> list[str]:
    """A table of users with what is compared of every name; the columns of names."""
    path = f"{folder}/users.parquet"
    columns = [row[0] for row in database.sql(f"describe select * exclude id from '{path}'").fetchall()]
    words, parts = (", ".join(text.format(c=c) for c in columns) for text in (WORDS, PARTS))
    database.sql(f"create table {name} as select id as unique_id, {parts} from (select id, {words} from '{path}')")
    return columns


def add_rarest_words(database: duckdb.DuckDBPyConnection, column: str) -> None:
    """Of every name the word that fewest names of both sides have; the longest of several."""
    each = "select unique_id, unnest(words_{c}) as w from {side}_users"
    both = " union all ".join(each.format(c=column, side=side) for side in ("left", "right"))
    database.sql(f"create table n_{column} as select w, count(*) as n from ({both}) group by w")
    for side in ("left", "right"):
        database.sql(
            f"""create or replace table {side}_users as select u.*, rare_{column} from {side}_users u left join (
            select unique_id, arg_min(w, (n, -length(w), w)) as rare_{column}
            from ({each.format(c=column, side=side)}) join n_{column} using (w) group by unique_id) using (unique_id)"""
        )


def blocks(columns: list[str], n_pairs: float) -> list[object]:
    """Rules of which a pair has to meet one."""
    if n_pairs <= FEW_PAIRS:
        return [CustomRule("1 = 1")]
    across = [CustomRule(f"l.start_{a} = r.start_{b}") for a, b in permutations(columns, 2)]
    return across + [
        rule
        for c in columns
        for rule in (
            *(block_on(f"{part}_{c}") for part in ("sorted", "rare", "start", "end", "last")),
            block_on(f"first_{c}", f"left(last_{c}, 2)"),
            CustomRule(f"l.first_{c} = r.last_{c} and left(l.last_{c}, 2) = left(r.first_{c}, 2)"),
        )
    ]


def comparisons(columns: list[str]) -> list[object]:
    """Every column with itself in three ways, and the best of any two columns with each other."""
    own = [each for c in columns for each in (whole_names(c), shared_words(c), rarest_words(c))]
    if len(columns) == 1:
        return own
    best = "greatest(" + ", ".join(
        f"jaro_winkler_similarity(whole_{a}_l, whole_{b}_r)" for a, b in permutations(columns, 2)
    )
    levels = [cll.CustomLevel(f"{best}) >= {level}", f"at least {level}") for level in (0.99, *LEVELS)]
    nobody = cll.CustomLevel(" and ".join(f"whole_{c}_l is null" for c in columns), "nothing").configure(
        is_null_level=True
    )
    return [*own, cl.CustomComparison([nobody, *levels, cll.ElseLevel()], "across")]


def whole_names(c: str) -> object:
    """The name without spaces."""
    return cl.JaroWinklerAtThresholds(f"whole_{c}", LEVELS).configure(term_frequency_adjustments=True)


def shared_words(c: str) -> object:
    """How many words both names have."""
    left, right = f"words_{c}_l", f"words_{c}_r"
    both, fewer = f"len(list_intersect({left}, {right}))", f"least(len({left}), len({right}))"
    levels = [
        cll.CustomLevel(f"{both} = greatest(len({left}), len({right}))", "all words"),
        cll.CustomLevel(f"{both} = {fewer} and {both} > 1", "all words of the shorter, two or more"),
        cll.CustomLevel(f"{both} > 1", "two words or more"),
        cll.CustomLevel(f"{both} = {fewer}", "the only word of the shorter"),
        cll.CustomLevel(f"{both} = 1", "one word"),
    ]
    return cl.CustomComparison([cll.NullLevel(f"words_{c}"), *levels, cll.ElseLevel()], f"words_{c}")


def rarest_words(c: str) -> object:
    """The rarest word of either name, which may also stand within the other name."""
    left, right = f"rare_{c}_l", f"rare_{c}_r"
    inside = (
        f"(length({left}) > 3 and contains(whole_{c}_r, {left})) or "
        f"(length({right}) > 3 and contains(whole_{c}_l, {right}))"
    )
    levels = [
        cll.ExactMatchLevel(f"rare_{c}", term_frequency_adjustments=True),
        cll.JaroWinklerLevel(f"rare_{c}", 0.92),
        cll.CustomLevel(inside, "inside the other"),
        cll.JaroWinklerLevel(f"rare_{c}", 0.8),
    ]
    return cl.CustomComparison([cll.NullLevel(f"rare_{c}"), *levels, cll.ElseLevel()], f"rare_{c}")


def train(linker: Linker, columns: list[str]) -> None:
    """The prior, u and m, without a labelled pair."""
    training = linker.training
    training.estimate_probability_two_random_records_match(
        [block_on(f"sorted_{c}") for c in columns], recall=EXACT_RECALL
    )
    training.estimate_u_using_random_sampling(max_pairs=MOST_PAIRS, seed=1)
    for rule in (f"{part}_{c}" for c in columns for part in ("rare", "first")):
        training.estimate_parameters_using_expectation_maximisation(block_on(rule), max_pairs=MOST_PAIRS)


def link(left: str, right: str, out: str) -> None:
    """Writes left, right, score and linked of the best pairs of every left user."""
    database = duckdb.connect()
    columns = read(database, left, "left_users")
    read(database, right, "right_users")
    for column in columns:
        add_rarest_words(database, column)
    counts = [database.sql(f"select count(*) from {side}_users").fetchall()[0][0] for side in ("left", "right")]
    api = DuckDBAPI(database)
    settings = SettingsCreator(
        link_type="link_only",
        comparisons=comparisons(columns),
        blocking_rules_to_generate_predictions=blocks(columns, counts[0] * counts[1]),
        retain_matching_columns=False,
    )
    tables = [api.register(f"{side}_users", dataset_display_name=side) for side in ("left", "right")]
    linker = Linker(tables, settings, log_level=None)
    train(linker, columns)
    scored = linker.inference.predict()
    best = f"""select unique_id_l as "left", unique_id_r as "right", match_weight as score,
        match_probability >= {LINKED} as linked from {scored.physical_name}
        qualify row_number() over (partition by unique_id_l order by match_weight desc) <= {DEPTH}"""
    database.sql(f"copy ({best}) to '{out}' (format parquet)")


if __name__ == "__main__":
    link(*sys.argv[1:])
