"""One file ⇄ one table, a module for each format; `data.tables` chooses among them by the file's suffix.

delimited.py   CSV: strings as written, nothing inferred
jsonl.py       JSON objects, one on each line: strings, and numbers as written
nesting.py     objects in objects as columns
parquet.py     Parquet, also where it is damaged
text.py        UTF-8 text
formulas.py    cells that a spreadsheet would compute
"""
