#!/usr/bin/env bash
# Installs missing Debian/Ubuntu packages: those that the build needs, and those named as arguments.
# With --check as the first argument, it only reports what is missing. The CUDA Toolkit (12.8 or newer)
# must be installed already.
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
  command -v dpkg-query >/dev/null || continue  # another distribution: CMake reports what is missing
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok' ||
    missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi
if [ -n "$check" ]; then
  # They may be installed in another way, so this is only a note: CMake decides.
  echo "not installed as packages: ${missing[*]} (--install installs them)" >&2
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
one_at_a_time=(flock --close "$0")  # apt-get does not wait for another one
echo "Installing: ${missing[*]}"
"${as_root[@]}" "${one_at_a_time[@]}" apt-get update -qq
"${as_root[@]}" "${one_at_a_time[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
