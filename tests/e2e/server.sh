#!/bin/sh
# Serve like `make serve`, and remove the data directory afterwards.
set -eu
trap : TERM INT
"$(dirname "$0")/../../.venv/bin/macmeter-server" serve --with-parent &
wait $! || true
wait || true
rm -rf "$DATA_DIR"
