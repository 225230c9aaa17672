#!/bin/sh
# This server has no agent to install. So this script installs nothing and says what to do instead.
set -eu

server=@SERVER@

main() {
  printf '%s\n' >&2 \
    "macmeter: $server offers no agent, so nothing was installed." \
    "Ask its administrator to offer one (the setting AGENT_FILES), or build it: run \`make agent\` in a checkout of Macmeter."
  exit 1
}

main "$@"
