#!/usr/bin/env bash
# Installs a .deb of gtune, uses it as a user would, removes it, and checks that no file is left. It
# changes the system that it runs on: scripts/try_in_new_root.sh DIST deb runs it in a root of its own.
# Usage: check_deb.sh FILE.deb
set -euo pipefail

deb=$(readlink -e "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DEBIAN_FRONTEND=noninteractive

heading() {
  printf '\n# %s\n' "$1"
}

# Prints a command and runs it.
show() {
  printf '$ %s\n' "$*"
  "$@"
}

# The same, but prints the output only if the command fails.
quietly() {
  printf '$ %s\n' "$*"
  "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

fail() {
  echo "check_deb.sh: $1" >&2
  exit 1
}

# Every file except the user's, the kernel's, and dpkg's own records.
list_files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /root -o -path /run \
    -o -path /var/lib/dpkg -o -path /var/log -o -path /var/cache \) -prune -o -print | sort
}

check_installation() {
  heading "the package"
  show dpkg-deb --info "$deb"
  quietly apt-get install -y -qq --no-install-recommends "$deb"
  dpkg -L gtune | grep -vxF -e /. | while read -r path; do [ -d "$path" ] || echo "$path"; done >"$work/files"
  [ -s "$work/files" ] || fail "the package has no files"
  echo "installed: $(wc -l <"$work/files") files"
  show ldd /usr/bin/gtune
}

check_program() {
  heading "the program"
  show gtune --version
  show gtune sgemm --M 4096
}

# man writes its complaints about a page to standard error.
check_manual() {
  heading "manual pages"
  local page count=0
  for page in $(grep '/man/' "$work/files"); do
    man --warnings -l "$page" >"$work/page" 2>"$work/complaints"
    [ -s "$work/page" ] || fail "$page: man prints nothing"
    [ ! -s "$work/complaints" ] || { cat "$work/complaints"; fail "$page: man has warnings"; }
    count=$((count + 1))
  done
  [ "$count" -gt 0 ] || fail "no manual page is installed"
  echo "$count pages, no warnings"
}

# An interactive bash gets keys from a terminal; the output of the completed line shows that completion worked.
check_completion() {
  heading "completion in bash"
  printf '%s\n' "PS1='> '" "bind 'set enable-bracketed-paste off'" ". /usr/share/bash-completion/bash_completion" \
    >"$work/rc"
  local out
  out=$( (sleep 2; printf 'gtune spac\tsgemm_t\t--arch sm_9\t--js\t\nexit\n'; sleep 5) |
    script -qec "bash --noprofile --rcfile $work/rc -i" /dev/null)
  grep -q '"kernel": "sgemm_tf32x3"' <<<"$out" || { echo "$out"; fail "tab completes nothing"; }
  echo "keys:  gtune spac<tab>sgemm_t<tab>--arch sm_9<tab>--js<tab>"
  grep -m 1 '^> gtune' <<<"$out" | tr -d '\r\a'
}

check_removal() {
  heading "removal"
  quietly apt-get purge -y -qq gtune
  local path
  while read -r path; do
    [ ! -e "$path" ] || fail "$path is left after the package's removal"
  done <"$work/files"
  list_files >"$work/after"
  diff "$work/before" "$work/after" || fail "the root differs from before the installation"
  echo "every file and folder outside of home is as before the installation"
  echo "of the user is left: $(cd /root && find .local .cache -type f 2>/dev/null | tr '\n' ' ')"
}

quietly apt-get install -y -qq man-db bash-completion
list_files >"$work/before"
check_installation
check_program
check_manual
check_completion
check_removal
