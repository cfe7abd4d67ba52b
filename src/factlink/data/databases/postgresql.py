"""PostgreSQL over ADBC: the server copies in binary form, Arrow batches come out. Types unknown to polars are text."""

from urllib.parse import quote, urlencode

import adbc_driver_manager
import adbc_driver_postgresql.dbapi as adbc
import polars as pl

from factlink.data.databases.queries import inner, quoted, quoted_table
from factlink.data.databases.rows import column_names
from factlink.data.databases.urls import DatabaseUrl

_KEPT = {"int2", "int4", "int8", "float4", "float8", "bool", "text", "varchar", "bpchar", "name", "time", "bytea"}
_FINITE = {"date", "timestamp", "timestamptz"}
_SEARCHED = (
    "SELECT table_name, table_schema = ANY (current_schemas(false)) AS is_searched, table_schema "
    "FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') "
    "ORDER BY table_schema, table_name"
)
_TRAILING_ZEROS = r"(\.\d*?)0+$"


def errors() -> tuple[type[BaseException], ...]:
    """What the package raises."""
    return (adbc_driver_manager.Error,)


def connect(url: DatabaseUrl, writing: bool) -> "PostgreSql":
    """A connection to the server."""
    user = quote(url.user, safe="") + (f":{quote(url.password, safe='')}" if url.password else "")
    login = f"{user}@" if user else ""
    parameters = urlencode({"application_name": "factlink", **url.options}, quote_via=quote)
    address = f"postgresql://{login}{url.host}/{quote(url.database, safe='')}?{parameters}"
    return PostgreSql(adbc.connect(address, autocommit=True), writing)


class PostgreSql:
    """One connection."""

    mark = '"'

    def __init__(self, connection: adbc.Connection, writing: bool) -> None:
        self._connection, self._writing = connection, writing

    def begin(self) -> None:
        """Times are given in UTC, durations as ISO 8601."""
        self._run("SET timezone = 'UTC'")
        self._run("SET intervalstyle = 'iso_8601'")
        self._run("BEGIN" if self._writing else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def tables(self) -> list[str]:
        """Tables and views, those outside the search path with their schema."""
        rows = self._fetched(_SEARCHED).rows()
        return [name if is_searched else f"{schema}.{name}" for name, is_searched, schema in rows]

    def read(self, query: str) -> pl.DataFrame:
        """The rows of a query."""
        types = self._types(query)
        columns = [_column(name, dtype) for name, dtype in types.items()]
        frame = self._fetched(f"SELECT {', '.join(columns)} FROM (\n{inner(query)}) AS found")
        return frame.with_columns(_shortest(name) for name, dtype in types.items() if dtype == "numeric")

    def write(self, table: str, frame: pl.DataFrame) -> None:
        """Columns keep their types."""
        arrow = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
        schema, _, name = table.rpartition(".")
        with self._connection.cursor() as cursor:
            cursor.adbc_ingest(name, arrow, mode="create", db_schema_name=schema or None)
        self._run("COMMIT")

    def drop(self, table: str) -> None:
        """Gone when the new one is written."""
        self._run(f"DROP TABLE IF EXISTS {quoted_table(table, self.mark)}")

    def close(self) -> None:
        """Ends the connection."""
        self._connection.close()

    def _types(self, query: str) -> dict[str, str]:
        with self._connection.cursor() as cursor:
            schema = cursor.adbc_execute_schema(inner(query))
        names = column_names(schema.names, "the query")
        return {
            name: (column.metadata or {}).get(b"POSTGRESQL:type", b"").decode()
            for name, column in zip(names, schema, strict=True)
        }

    def _run(self, statement: str) -> None:
        with self._connection.cursor() as cursor:
            cursor.execute(statement)

    def _fetched(self, query: str) -> pl.DataFrame:
        with self._connection.cursor() as cursor:
            cursor.execute(query)
            return pl.DataFrame(cursor.fetch_arrow())


def _column(name: str, dtype: str) -> str:
    """An infinite date is not a value, and neither is NaN."""
    column = quoted(name, '"')
    if dtype in _FINITE:
        return f"CASE WHEN isfinite({column}) THEN {column} END AS {column}"
    if dtype in _KEPT or (dtype.startswith("_") and dtype[1:] in _KEPT):
        return column
    return f"{column}::text{'[]' if dtype.startswith('_') else ''} AS {column}"


def _shortest(name: str) -> pl.Expr:
    number = pl.col(name)
    return pl.when(number != "NaN").then(number.str.replace(_TRAILING_ZEROS, "$1").str.strip_suffix("."))
