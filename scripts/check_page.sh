#!/usr/bin/env bash
# Opens pages of `gtune report` in headless Chromium and uses them as a reader would: see
# tests/page/check_page.py. Installs Chromium and the accessibility checker if they are missing.
# Usage: scripts/check_page.sh [BUILD_FOLDER] [--screenshots FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build-test
if [ $# -gt 0 ] && [ "${1#--}" = "$1" ]; then
  folder=$1
  shift
fi
[ -x "$folder/gtune" ] || { echo "check_page.sh: $folder/gtune is missing: build it first" >&2; exit 2; }

scripts/install_packages.sh chromium chromium-driver python3-selenium python3-venv
version=0.1.8
tools=$folder/page-tools-$version
if [ ! -d "$tools" ]; then
  python3 -m venv "$tools"
  # Only for the script axe.min.js in it.
  "$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps "axe-playwright-python==$version"
fi
axe=$(find "$tools" -name axe.min.js)
# The packaged Python has the packaged selenium.
exec /usr/bin/python3 tests/page/check_page.py --gtune "$folder/gtune" --axe "$axe" "$@"
