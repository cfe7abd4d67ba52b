#!/usr/bin/env bash
# Builds the wheel and the sdist, installs each into an empty environment and uses it there.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"$python" -m venv "$place/build"
"$place/build/bin/pip" install --quiet --disable-pip-version-check build
# A wheel that fits any machine compiles the hot loops at the first run.
FACTLINK_COMPILE=no "$place/build/bin/python" -m build --outdir "$place/dist" .
for package in "$place"/dist/*.whl "$place"/dist/*.tar.gz; do
    "$python" -m venv --clear "$place/empty"
    FACTLINK_COMPILE=no "$place/empty/bin/pip" install --quiet --disable-pip-version-check "factlink[report] @ file://$package"
    (cd "$place" && rm -rf demo && "$place/empty/bin/factlink" --version && "$place/empty/bin/factlink" demo --people 60 >/dev/null &&
        "$place/empty/bin/factlink" report demo/run && test -s demo/run/report.html)
    echo "works: $(basename "$package")"
done
mkdir -p dist && cp "$place"/dist/* dist/
