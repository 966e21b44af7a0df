#!/usr/bin/env bash
# Installs the Debian/Ubuntu packages that the build needs, and those named as arguments,
# where they are missing. With --check, the first argument: installs nothing, and only says what is
# missing. The CUDA Toolkit (12.8 or newer) is expected to be there already.
set -euo pipefail

check=
if [ "${1:-}" = "--check" ]; then
  check=yes
  shift
fi
packages=(build-essential cmake ninja-build libcli11-dev libspdlog-dev libfmt-dev libsqlitecpp-dev
          libsqlite3-dev zlib1g-dev libtomlplusplus-dev nlohmann-json3-dev libgtest-dev sqlite3 "$@")
missing=()
for package in "${packages[@]}"; do
  command -v dpkg-query >/dev/null || continue  # another distribution: CMake says what it lacks
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok' ||
    missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi
if [ -n "$check" ]; then
  # Elsewhere than from Debian's packages they may be there all the same: CMake has the last word.
  echo "not installed as packages: ${missing[*]} (--install installs them)" >&2
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
