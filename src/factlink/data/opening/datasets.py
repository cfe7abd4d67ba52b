"""Folders of Parquet files that are one table, as Spark, Dask and DuckDB write them, also in parts like country=SG."""

from pathlib import Path

import polars as pl

from factlink.data.formats.parquet import read_parquet
from factlink.errors import InputError


def parts_of(folder: Path) -> list[Path]:
    """The Parquet files of a dataset; none if the folder holds other data."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and not file.name.startswith((".", "_")))
    parquet = [file for file in files if file.name.lower().endswith((".parquet", ".pq"))]
    return parquet if len(parquet) == len(files) else []


def read_dataset(folder: Path, origin: str) -> pl.DataFrame:
    """The rows of all files in the order of their names, with a column for each part of the folders' names."""
    parts = parts_of(folder)
    tables = [_part(file, folder, f"{origin}/{file.relative_to(folder).as_posix()}") for file in parts]
    for file, table in zip(parts, tables, strict=True):
        if set(table.columns) != set(tables[0].columns):
            differ = ", ".join(f"'{name}'" for name in sorted(set(table.columns) ^ set(tables[0].columns)))
            raise InputError(
                f"{origin}: {file.name} and {parts[0].name} have different columns ({differ}); "
                "give a folder whose files are parts of one table, or name one file"
            )
    return pl.concat([table.select(tables[0].columns) for table in tables], how="vertical_relaxed")


def _part(file: Path, folder: Path, origin: str) -> pl.DataFrame:
    table = read_parquet(file, origin)
    keys = [part.split("=", 1) for part in file.relative_to(folder).parts[:-1] if "=" in part]
    return table.with_columns(pl.lit(value).alias(key) for key, value in keys)
