"""Where the processor time of `factlink link` goes, by function, on made-up networks; compiled code is made before.

    NUMBA_NUM_THREADS=1 python benchmarks/profile_link.py 10000 "after"

Adds to results/profiles.json under the size and the word given.
"""

import cProfile
import json
import pstats
import sys
import tempfile
import time
from pathlib import Path

from machine import MAKING_UP, RESULTS, linking, made_by, made_up

from factlink.data.files import write_network
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.worlds import twins

SHOWN = 14


def profile(n: int) -> dict[str, object]:
    """The functions that take most, of a second run."""
    with tempfile.TemporaryDirectory() as place:
        folders = Path(place) / "left", Path(place) / "right"
        dials = Dials(Population(people=round(n / 0.8), users=(n, n)))
        world = twins(dials)
        for network, folder in zip(world.networks, folders, strict=True):
            write_network(network, folder)
        make_run(LinkRequest(*folders, Path(place) / "first"), FactoidLinker())
        watched = cProfile.Profile(time.process_time)
        watched.runcall(make_run, LinkRequest(*folders, Path(place) / "second"), FactoidLinker())
    entries = pstats.Stats(watched).stats  # type: ignore[attr-defined]
    rows = [
        {"function": f"{Path(file).name}:{line}({name})", "calls": str(calls), "seconds": round(own, 3)}
        for (file, line, name), (calls, _, own, _, _) in entries.items()
    ]
    rows.sort(key=lambda row: -float(row["seconds"]))
    whole = round(sum(float(row["seconds"]) for row in rows), 3)
    made = made_by([*linking("factoid"), MAKING_UP], made_up(dials))
    return {"processor_seconds": whole, "functions": rows[:SHOWN], "made": made}


if __name__ == "__main__":
    path = RESULTS / "profiles.json"
    results = json.loads(path.read_text()) if path.exists() else {}
    results[f"{int(sys.argv[1]):,} users, {sys.argv[2]}"] = profile(int(sys.argv[1]))
    path.write_text(json.dumps(results, indent=1) + "\n")
