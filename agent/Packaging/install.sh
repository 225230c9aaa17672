#!/bin/bash
# Installs the agent, its manual page and its completions.
#
#   install.sh [--prefix DIR] [--root DIR] [--binary FILE]
#
# --prefix  where to install (default: PREFIX, or /usr/local)
# --root    a directory used in place of /, for packages
# --binary  the program to install, instead of building it
set -euo pipefail

packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
prefix=${PREFIX:-/usr/local} root='' binary=''
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 64; }
  case $1 in
    --prefix) prefix=$2 ;;
    --root) root=$2 ;;
    --binary) binary=$2 ;;
    *) printf 'install.sh: there is no option %s\n' "$1" >&2; exit 64 ;;
  esac
  shift 2
done

[ -n "$binary" ] || binary=$("$packaging/../../tools/agent-build" | tail -n 1)
place=$root$prefix
install -d "$place/bin" "$place/share/man/man1" "$place/share/zsh/site-functions" \
  "$place/share/bash-completion/completions" "$place/share/fish/vendor_completions.d"
install -m 755 "$binary" "$place/bin/macmeter"
"$binary" help --man >"$place/share/man/man1/macmeter.1"
"$binary" completions zsh >"$place/share/zsh/site-functions/_macmeter"
"$binary" completions bash >"$place/share/bash-completion/completions/macmeter"
"$binary" completions fish >"$place/share/fish/vendor_completions.d/macmeter.fish"
printf 'Installed in %s. Next: macmeter enroll\n' "$place" >&2
