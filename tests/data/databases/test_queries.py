import pytest

from factlink.data.databases.queries import inner, is_query, quoted_table, table_query


@pytest.mark.parametrize("text", ["select 1", " SELECT\n*", "with a as (select 1) table a", "values (1)", "(select 1)"])
def test_queries(text: str) -> None:
    assert is_query(text)


@pytest.mark.parametrize("text", ["users", "select", "selected users", "with.users", "from", '"select 1"', "tables"])
def test_tables(text: str) -> None:
    assert not is_query(text)


@pytest.mark.parametrize(
    ("table", "sql"),
    [
        ("users", '"users"'),
        ("forum.users", '"forum"."users"'),
        ('"a.b".users', '"a.b"."users"'),
        ('the "best"', '"the ""best"""'),
        ('x"; drop table y; --', '"x""; drop table y; --"'),
        ('"a""b"', '"a""b"'),
        ("`a b`", '"a b"'),
    ],
)
def test_names_are_quoted(table: str, sql: str) -> None:
    assert quoted_table(table, '"') == sql


def test_all_rows_of_a_table() -> None:
    assert table_query("forum.users", "`") == "SELECT * FROM `forum`.`users`"


def test_a_query_can_stand_in_brackets() -> None:
    assert inner(" SELECT 1; ") == "SELECT 1\n"
