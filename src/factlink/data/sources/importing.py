"""Any source → a network folder, with everything that was understood of it."""

from pathlib import Path

from factlink.data.files import write_network
from factlink.data.frames import Reading, ReadOptions, refuse_unused_kinds
from factlink.data.protocol import SourceOptions
from factlink.data.sources.networks import distinct_names, read_source
from factlink.storage.durable import new_folder


def import_network(source: object, out: Path, said: SourceOptions, options: ReadOptions) -> Reading:
    """Read a source and write it as a network folder, which is whole or not there."""
    with new_folder(out) as new:
        reading = read_source(source, distinct_names([source])[0], said, options)
        refuse_unused_kinds(options.kinds, [reading])
        write_network(reading.network, new)
    return reading
