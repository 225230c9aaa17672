#!/bin/bash
# Builds macmeter-VERSION.pkg, on a Mac.
#
# SIGN_APPLICATION  identity that signs the program ("Developer ID Application: …"; default: none)
# SIGN_INSTALLER    identity that signs the package ("Developer ID Installer: …"; default: none)
# NOTARY_PROFILE    profile of `xcrun notarytool store-credentials` (default: not notarised)
# OUTPUT            where to write the package (default: the current directory)
set -euo pipefail

packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
repository=$(cd "$packaging/../.." && pwd -P)
identifier=org.macmeter.agent

say() { printf '%s\n' "$*" >&2; }
[ "$(uname -s)" = Darwin ] || { say "build-pkg.sh: packages are built on macOS"; exit 1; }

binary=$("$repository/tools/agent-build" | tail -n 1)
version=$("$binary" --version | cut -d ' ' -f 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$packaging/install.sh" --binary "$binary" --root "$work/root" --prefix /usr/local
if [ -n "${SIGN_APPLICATION:-}" ]; then
  codesign --sign "$SIGN_APPLICATION" --options runtime --timestamp "$work/root/usr/local/bin/macmeter"
else
  say "The program is signed ad hoc only: Gatekeeper will stop it where it was downloaded. Set SIGN_APPLICATION."
fi

pkgbuild --root "$work/root" --identifier "$identifier" --version "$version" --install-location / \
  --scripts "$packaging/scripts" --ownership recommended "$work/component.pkg"
package=${OUTPUT:-.}/macmeter-$version.pkg
productbuild --package "$work/component.pkg" --identifier "$identifier" --version "$version" \
  ${SIGN_INSTALLER:+--sign "$SIGN_INSTALLER"} "$package"
[ -n "${SIGN_INSTALLER:-}" ] || say "The package is not signed. Set SIGN_INSTALLER."
if [ -n "${NOTARY_PROFILE:-}" ]; then
  xcrun notarytool submit "$package" --keychain-profile "$NOTARY_PROFILE" \
    ${NOTARY_KEYCHAIN:+--keychain "$NOTARY_KEYCHAIN"} --wait
  xcrun stapler staple "$package"
fi
printf '%s\n' "$package"
