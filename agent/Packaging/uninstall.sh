#!/bin/bash
# First removes the agent's data for this account, after asking; then what install.sh installed
# (below PREFIX, or /usr/local). Options go to `macmeter uninstall`: --yes, --discard-unsent.
set -euo pipefail

place=${PREFIX:-/usr/local}
if [ -x "$place/bin/macmeter" ]; then "$place/bin/macmeter" uninstall "$@"; fi
rm -f "$place/bin/macmeter" "$place/share/man/man1/macmeter.1" \
  "$place/share/zsh/site-functions/_macmeter" "$place/share/bash-completion/completions/macmeter" \
  "$place/share/fish/vendor_completions.d/macmeter.fish"
printf 'Removed from %s.\n' "$place" >&2
