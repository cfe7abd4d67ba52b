"""Any source → a network folder, with everything that was understood of it."""

from pathlib import Path

from factlink.data.files import refuse_network_at, write_network
from factlink.data.frames import Reading, ReadOptions, refuse_unused_kinds
from factlink.data.protocol import SourceOptions
from factlink.data.sources.networks import distinct_names, read_source


def import_network(source: object, out: Path, said: SourceOptions, options: ReadOptions) -> Reading:
    """Read a source and write it as a network folder; a folder that holds a network already is refused first."""
    refuse_network_at(out)
    reading = read_source(source, distinct_names([source])[0], said, options)
    refuse_unused_kinds(options.kinds, [reading])
    write_network(reading.network, out)
    return reading
