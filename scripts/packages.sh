#!/usr/bin/env bash
# packages.sh GROUP...: installs those packages of packages/debian.txt that are missing, as root or
# through sudo, and says so first. INSTALL=0 installs nothing and only names what is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/lib.sh

list=packages/debian.txt

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is not Debian or Ubuntu: no system package is looked for or installed."
    echo "README.md, \"Other systems\", names what $list has under other names."
    exit 0
fi

missing=()
for group in "$@"; do
    packages=$(packages_of "$group")
    [ -n "$packages" ] || die "$list has no group \`$group\`"
    for package in $packages; do
        status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || missing+=("$package")
    done
done

if [ ${#missing[@]} -eq 0 ]; then
    echo "System packages ($*): all there."
    exit 0
fi
if [ "${INSTALL:-1}" = 0 ]; then
    echo "System packages ($*): missing ${missing[*]}"
    echo "Nothing is installed, because INSTALL=0. What follows may fail without them."
    exit 0
fi

echo "System packages ($*): will install: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    need_tool sudo "install the packages as root: apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo)
    echo "You are not root: sudo may ask for your password."
fi
"${as_root[@]}" apt-get update --quiet=2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --quiet=2 --no-install-recommends "${missing[@]}"
