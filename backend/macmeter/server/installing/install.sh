#!/bin/sh
# Installs the Macmeter agent for this account: a program that measures this machine when you ask it to.
#
#   curl -fsSL @SERVER@/install.sh | sh
#   curl -fsSL @SERVER@/install.sh | sh -s -- --prefix DIR
#   curl -fsSL @SERVER@/install.sh | sh -s -- --system
#
# In this order it
#   1. looks whether the agent runs here (macOS on Apple silicon, or Linux on x86-64 or arm64), and whether
#      it may write to the folders of step 4
#   2. downloads the agent and its checksums from @FILES@
#   3. checks them, and says what each check proves
#   4. copies the program, its manual page and its completions to ~/.local, or to DIR
# It starts nothing in the background and changes no settings. It uses no sudo, unless you ask for
# --system, which installs in /usr/local for all accounts. If a step fails, nothing is installed.
#
# To remove all of it again: curl -fsSL @SERVER@/uninstall.sh | sh
set -eu

server=@SERVER@
files=@FILES@
version=@VERSION@
# Whose build an attestation has to name. Empty where the files come from no public repository.
repository=@REPOSITORY@
# The public key of whoever signs the checksums. Empty where this server knows none.
key=@KEY@

# Of files that aren't where they should be.
to_admin="If trying again doesn't help, tell the administrator of $server, whose setting AGENT_FILES names that place."

say() { printf '%s\n' "$*" >&2; }
fail() { say "macmeter: $*"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

usage() {
  say "usage: install.sh [--prefix DIR | --system]"
  exit 64
}

unfit() { fail "$* Nothing was installed."; }

# Which of the release's archives runs here.
find_platform() {
  system=$(uname -s) machine=$(uname -m)
  case $system in
    Darwin)
      # A shell that runs under Rosetta says x86_64; the processor still says what it is.
      if [ "$machine" != arm64 ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null)" != 1 ]; then
        unfit "The agent needs a Mac with Apple silicon. This one has an Intel processor."
      fi
      macos=$(sw_vers -productVersion 2>/dev/null || echo 13)
      [ "${macos%%.*}" -ge 13 ] || unfit "The agent needs macOS 13 or newer. This Mac has macOS $macos."
      platform='macos-arm64'
      ;;
    Linux)
      case $machine in
        x86_64 | amd64) platform=linux-x86_64 ;;
        aarch64 | arm64) platform=linux-arm64 ;;
        *) unfit "On Linux the agent runs on x86-64 and arm64. This machine has $machine." ;;
      esac
      ;;
    *) unfit "The agent runs on macOS and Linux. This system is $system." ;;
  esac
}

# Downloads $files/$1 to $work/$1.
fetch() {
  code=0
  if has curl; then
    case $files in https:*) protocols='=https' ;; *) protocols='=http,https' ;; esac
    curl -fsSL --proto "$protocols" --connect-timeout 20 --speed-limit 1 --speed-time 30 -o "$work/$1" "$files/$1" \
      2>"$work/error" || code=$?
    case $code in
      0) return ;;
      22) fail "$files has no $1. Nothing was installed. $to_admin" ;;
      18 | 28 | 56 | 92) fail "The download of $1 was cut short. Nothing was installed: try again." ;;
      23) no_room "$work" ;;
    esac
  elif has wget; then
    wget -q -T 30 -O "$work/$1" "$files/$1" 2>"$work/error" || code=$?
    case $code in
      0) return ;;
      3) no_room "$work" ;;
      8) fail "$files has no $1. Nothing was installed. $to_admin" ;;
    esac
  else
    fail "Neither curl nor wget is installed: one of them is needed to download the agent."
  fi
  say "$(cat "$work/error")"
  fail "$1 could not be downloaded from $files. Nothing was installed. $to_admin"
}

no_room() {
  free=$(df -Pk "$1" 2>/dev/null | awk 'NR == 2 { printf "%.0f MB", $4 / 1000 }')
  fail "Writing to $1 failed. ${free:-An unknown amount} is free there: is the disk full? Nothing was installed."
}

digest() {
  if has sha256sum; then
    sha256sum "$1"
  elif has shasum; then
    shasum -a 256 "$1"
  else
    openssl dgst -sha256 -r "$1"
  fi | cut -d ' ' -f 1
}

check_checksum() {
  wanted=$(awk -v name="$archive" '$2 == name { print $1 }' "$work/SHA256SUMS")
  if [ -z "$wanted" ]; then
    say "$(awk '/\.tar\.gz$/ { print "  " $2 }' "$work/SHA256SUMS")"
    fail "$files has no agent $version for $platform, only those above. Nothing was installed. $to_admin"
  fi
  fetch "$archive"
  # An archive never begins with a tag.
  [ "$(head -c 1 "$work/$archive")" != '<' ] ||
    fail "Instead of $archive came a web page: a proxy or a sign-in page answers in place of $files. Nothing was installed: try again from another network."
  found=$(digest "$work/$archive")
  [ "$found" = "$wanted" ] ||
    fail "$archive is damaged or was changed: its SHA-256 is $found, and SHA256SUMS has $wanted. Nothing was installed. $to_admin"
  say "Checked: the checksum. The archive is the one that $files lists, and it is complete."
}

check_signature() {
  if [ -z "$key" ]; then
    say "Not checked: a signature. This server knows no key for this release."
  elif ! has openssl; then
    say "Not checked: the signature, because openssl isn't installed. It would prove who published the checksums."
  else
    fetch SHA256SUMS.sig
    printf '%s\n' "$key" >"$work/key.pem"
    openssl dgst -sha256 -verify "$work/key.pem" -signature "$work/SHA256SUMS.sig" "$work/SHA256SUMS" \
      >/dev/null 2>&1 ||
      fail "The signature of SHA256SUMS doesn't fit the key that $server knows. Nothing was installed."
    say "Checked: the signature. Whoever holds the release key, which $server knows, published these checksums."
  fi
}

check_attestation() {
  if [ -z "$repository" ]; then
    say "Not checked: an attestation. These files come from no public repository."
  elif ! has gh; then
    say "Not checked: the attestation, because gh isn't installed. It would prove that GitHub built the archive from the source of $repository."
  elif ! gh auth status >/dev/null 2>&1; then
    say "Not checked: the attestation, because gh isn't signed in. It would prove that GitHub built the archive from the source of $repository."
  else
    gh attestation verify "$work/$archive" --repo "$repository" >"$work/error" 2>&1 || {
      say "$(cat "$work/error")"
      fail "GitHub has no attestation that it built $archive from $repository. Nothing was installed."
    }
    say "Checked: the attestation. GitHub built the archive from the source of $repository."
  fi
}

# What a release puts in place, and where its notes go.
folders='bin share/man/man1 share/zsh/site-functions share/bash-completion/completions
  share/fish/vendor_completions.d share/macmeter'

# Fails if nothing may be written to a folder, or to the nearest one above it that is there.
need_to_write() {
  folder=$1
  while [ ! -e "$folder" ] && [ ! -h "$folder" ]; do folder=$(dirname "$folder"); done
  [ -d "$folder" ] || fail "$folder isn't a folder. Nothing was installed. Move it away, or choose another place with --prefix DIR."
  [ -z "$sudo" ] || return 0
  [ -w "$folder" ] && [ -x "$folder" ] && return
  advice='Choose a folder of yours with --prefix DIR.'
  case $folder/ in
    "${HOME:-?}"/*/)
      # Sudo would leave more that isn't this account's.
      if [ -n "$(find "$folder" -prune -user "$(id -u)")" ]; then
        advice="Allow it, then try again: chmod u+wx '$folder'"
      else
        advice="It isn't this account's. Make it so, then try again: sudo chown -R $(id -un) '$folder'"
      fi
      advice="$advice
Or choose another place with --prefix DIR."
      ;;
    /usr/local/*) advice='Install for all accounts with --system, or choose a folder of yours with --prefix DIR.' ;;
  esac
  fail "There is no permission to write to $folder. Nothing was installed. $advice"
}

# Fails if this account can't become root where it has to.
need_sudo() {
  [ -n "$sudo" ] || return 0
  has sudo || fail "--system writes to /usr/local and needs root, but sudo isn't installed. Nothing was installed. Run this as root, or without --system."
  sudo true || fail "--system writes to /usr/local and needs root, but sudo refused. Nothing was installed. Run this as root, or without --system."
}

# Makes a folder and those above it, and lists those that were not there, deepest first.
make_folder() {
  missing='' folder=$1
  while [ ! -d "$folder" ]; do
    missing="$missing$folder/
"
    folder=$(dirname "$folder")
  done
  made="$missing$made"
  need_to_write "$1"
  words=$($sudo mkdir -p "$1" 2>&1) || fail "$1 can't be made. Nothing was installed. $words"
}

# Copies everything beside its place, tries the program, and only then puts each file in place.
place() {
  placed=$(cd "$tree" && find bin share -type f)
  for file in $placed; do make_folder "$(dirname "$prefix/$file")"; done
  make_folder "$prefix/share/macmeter"
  for file in $placed; do
    new="$new$prefix/$file.new-macmeter
"
    $sudo cp "$tree/$file" "$prefix/$file.new-macmeter" 2>/dev/null || no_room "$prefix"
  done
  runs=$("$prefix/bin/macmeter.new-macmeter" --version 2>"$work/error" </dev/null) || {
    say "$(cat "$work/error")"
    fail "The agent $version for $platform doesn't run on this system. Nothing was installed."
  }
  [ "${runs%% *}" = "$version" ] ||
    fail "The archive holds agent ${runs%% *} instead of $version. Nothing was installed."
  # `installed`: what uninstall.sh removes, files and folders that were made for them.
  # `server`: whom `macmeter update` asks.
  notes='share/macmeter/installed share/macmeter/server'
  {
    for file in $placed $notes; do printf '%s\n' "$prefix/$file"; done
    printf '%s' "$made"
    grep '/$' "$prefix/share/macmeter/installed" 2>/dev/null || true
  } >"$work/installed"
  printf '%s\n' "$server" >"$work/server"
  for file in $notes; do
    new="$new$prefix/$file.new-macmeter
"
    $sudo cp "$work/${file##*/}" "$prefix/$file.new-macmeter" 2>/dev/null || no_room "$prefix"
  done
  before=$("$prefix/bin/macmeter" --version 2>/dev/null </dev/null) || before=''
  for file in $placed $notes; do $sudo mv -f "$prefix/$file.new-macmeter" "$prefix/$file"; done
  finished=yes
}

# Runs at the end, whatever it was: nothing stays that was only begun.
clean() {
  status=$?
  trap - EXIT
  rm -rf "$work"
  if [ -z "$finished" ]; then
    printf '%s' "$new" | while IFS= read -r file; do $sudo rm -f "$file"; done
    printf '%s' "$made" | while IFS= read -r folder; do $sudo rmdir "$folder" 2>/dev/null || true; done
  fi
  exit "$status"
}

main() {
  prefix='' sudo='' new='' made='' finished=''
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix)
        [ $# -ge 2 ] || usage
        prefix=${2%/}
        shift 2
        ;;
      --system)
        prefix=/usr/local
        [ "$(id -u)" = 0 ] || sudo=sudo
        shift
        ;;
      *) usage ;;
    esac
  done
  [ -n "$prefix" ] || prefix=${HOME:?}/.local
  case $prefix in
    *' '*) fail "$prefix: choose a place without spaces in its name." ;;
    /*) ;;
    *) prefix=$(pwd)/$prefix ;;
  esac
  # What uninstall.sh needs to find it.
  options=''
  [ "$prefix" = "${HOME:-}/.local" ] || options=" -s -- --prefix $prefix"
  [ -z "$sudo" ] || options=' -s -- --system'
  umask 022
  find_platform
  [ "$(pkgutil --volume / --pkg-info org.macmeter.agent 2>/dev/null)" = '' ] || [ "$prefix" != /usr/local ] ||
    fail "The installer package has put the agent on this Mac. Install the newer package to update it."
  need_sudo
  for folder in $folders; do need_to_write "$prefix/$folder"; done
  archive=macmeter-$version-$platform.tar.gz
  say "Installing the Macmeter agent $version for $platform in $prefix."
  work=$(mktemp -d 2>/dev/null) || fail "No temporary folder could be made in ${TMPDIR:-/tmp}. Nothing was installed."
  trap clean EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  fetch SHA256SUMS
  check_signature
  check_checksum
  check_attestation
  tree=$work/macmeter-$version
  words=$(tar -xzf "$work/$archive" -C "$work" 2>&1) || case $words in
    *'No space left'*) no_room "$work" ;;
    *) fail "$archive can't be unpacked: $(printf '%s\n' "$words" | head -n 1). Nothing was installed." ;;
  esac
  [ -f "$tree/bin/macmeter" ] || fail "$archive doesn't hold the agent $version. Nothing was installed."
  place
  case ${before%% *} in
    '') ;;
    "$version") say "Installed macmeter $version again in $prefix." && return ;;
    *) say "Replaced macmeter ${before%% *} with $version in $prefix." && return ;;
  esac
  say "Installed. To update it: ${sudo:+sudo }macmeter update. To remove it: curl -fsSL $server/uninstall.sh | sh$options"
  case :$PATH: in
    *:"$prefix/bin":*)
      command=macmeter
      first=$(command -v macmeter || true)
      [ "$first" = "$prefix/bin/macmeter" ] || say "Note: another macmeter comes first in your PATH: $first"
      ;;
    *)
      command=$prefix/bin/macmeter
      say "$prefix/bin isn't in your PATH. To call the program by its name alone, add this line to ~/.profile or ~/.zprofile:"
      say "  export PATH=\"$prefix/bin:\$PATH\""
      ;;
  esac
  say "Next: $command"
  say "It connects this machine to $server, and measures it. Nothing is sent before you agree."
}

# The last line: a script that was cut short on its way does nothing.
main "$@"
