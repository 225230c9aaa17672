#!/bin/sh
# Serves as `make serve` does, and takes its data directory away when it has stopped.
set -eu
trap : TERM INT
"$(dirname "$0")/../../.venv/bin/macmeter-server" serve --with-parent &
wait $! || true
wait || true
rm -rf "$DATA_DIR"
