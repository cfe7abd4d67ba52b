"""All benchmarks, one after the other; each writes its own file to benchmarks/results.

make bench
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ALL = (
    ["link_names.py", "10000", "40000"],
    ["encode_names.py", "10000", "40000", "100000", "1000000"],
    ["blocking_recall.py"],
    ["name_vectors.py"],
    ["factoids_per_second.py"],
    ["pictures.py"],
    ["quality.py", "name", "fe", "factoid"],
    ["ablation.py"],
    ["known_fifth.py"],
    ["persons.py"],
    ["review.py"],
    ["open_world.py"],
    ["never_worse.py"],
    ["half_and_twice.py", "--anew"],
    ["impersonation.py"],
    ["warm_start.py"],
    ["kept_vectors.py"],
    ["add_users.py", "--people", "100000"],
    ["add_users.py", "--people", "1000000"],
    ["peers.py", "100000", "congress", "dbp_fb", "wikidata → twitter"],
    ["database_read.py"],
    ["peers_alignment.py", "--anew"],
    ["growth.py", "10000", "30000", "100000", "300000", "1000000"],
    ["paper_size.py"],
)

if __name__ == "__main__":
    for script, *words in ALL:
        print(f"== {script} {' '.join(words)}", flush=True)
        subprocess.run([sys.executable, HERE / script, *words], check=True)
