"""One file as people have it → tables: compressed, in another encoding, with other separators, nested, in sheets.

tables.py      a file of any kind → its tables, with notes
content.py     what a file is, by its first bytes and its name
unpacking.py   .gz, .zst, .bz2, .xz, .zip → plain files
encodings.py   Latin-1, UTF-16 → UTF-8
separators.py  which mark separates the cells, and whether there is a header
words.py       edge lists: words on lines
documents.py   JSON: lists of objects, objects of lists
excel.py       sheets of a workbook
datasets.py    folders of Parquet files
"""
