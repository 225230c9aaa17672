#!/bin/sh
# Removes the Macmeter agent that install.sh installed for this account, and what it keeps.
#
#   curl -fsSL @SERVER@/uninstall.sh | sh
#   curl -fsSL @SERVER@/uninstall.sh | sh -s -- --yes --discard-unsent
#
# --prefix DIR      where it was installed (~/.local)
# --system          in /usr/local, with sudo
# --yes             don't ask before removing the schedule, the identity and the copies of runs
# --discard-unsent  also remove runs that were never uploaded
#
# It removes the files that the installation listed, and no others. Runs that were uploaded stay on
# the server: to delete them there too, run `macmeter forget` first.
set -eu

say() { printf '%s\n' "$*" >&2; }
fail() { say "macmeter: $*"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# What the agent keeps for this account. It asks, and this script may itself be standard input.
remove_state() {
  export MACMETER_UNINSTALLING=1
  if [ -t 0 ]; then
    "$prefix/bin/macmeter" uninstall "$@"
  elif (: </dev/tty) 2>/dev/null; then
    "$prefix/bin/macmeter" uninstall "$@" </dev/tty
  else
    "$prefix/bin/macmeter" uninstall "$@" </dev/null
  fi
}

main() {
  prefix='' sudo='' options=''
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix)
        [ $# -ge 2 ] || fail "--prefix needs a folder"
        prefix=${2%/}
        shift
        ;;
      --system)
        prefix=/usr/local
        [ "$(id -u)" = 0 ] || sudo=sudo
        ;;
      --yes | --discard-unsent) options="$options $1" ;;
      *) fail "there is no option $1" ;;
    esac
    shift
  done
  [ -n "$prefix" ] || prefix=${HOME:?}/.local
  list=$prefix/share/macmeter/installed
  if [ ! -f "$list" ]; then
    place='Name another place with --prefix DIR.'
    [ ! -f /usr/local/share/macmeter/installed ] || place='It is installed for all accounts: add --system.'
    fail "install.sh has installed nothing in $prefix. $place"
  fi
  if [ -n "$sudo" ]; then
    { has sudo && sudo true; } || fail "Removing it from $prefix needs root. Nothing was removed. Run this as root."
  elif [ -d "$prefix/bin" ] && [ ! -w "$prefix/bin" ]; then
    case $prefix/ in
      "${HOME:-?}"/*) advice="Make it yours, then try again: sudo chown -R $(id -un) '$prefix/bin'" ;;
      /usr/local/) advice='It was installed for all accounts: add --system.' ;;
      *) advice='Run this as the account that installed it.' ;;
    esac
    fail "There is no permission to remove files from $prefix/bin. Nothing was removed. $advice"
  fi
  if [ -x "$prefix/bin/macmeter" ]; then
    # shellcheck disable=SC2086 # several options
    remove_state $options || fail "Nothing of $prefix was removed."
  fi
  listed=$(cat "$list")
  printf '%s\n' "$listed" | grep -v '/$' | while IFS= read -r file; do
    $sudo rm -f "$file" || fail "$file can't be removed"
  done
  # Folders that were made for them, deepest first, unless something else is in them by now.
  printf '%s\n' "$listed" | grep '/$' | sort -r | while IFS= read -r folder; do
    $sudo rmdir "$folder" 2>/dev/null || true
  done
  say "Removed from $prefix."
}

main "$@"
