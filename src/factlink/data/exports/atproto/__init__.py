"""Repositories of the AT Protocol, as Bluesky exports them: car.py reads the file, dag_cbor.py its blocks."""
