#!/usr/bin/env bash
# Installs the Debian/Ubuntu packages that the build needs, and those named as arguments,
# where they are missing. The CUDA Toolkit (12.8 or newer) is expected to be there already.
set -euo pipefail

packages=(build-essential cmake ninja-build libcli11-dev libspdlog-dev libfmt-dev libsqlitecpp-dev
          libsqlite3-dev zlib1g-dev libtomlplusplus-dev nlohmann-json3-dev libgtest-dev sqlite3 "$@")
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok' ||
    missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
