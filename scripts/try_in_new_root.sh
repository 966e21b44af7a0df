#!/usr/bin/env bash
# Runs the README's two commands on the committed files in a new Debian: a root made by debootstrap, with
# this machine's CUDA Toolkit mounted read-only. Prints the end of their output.
# Needs root, debootstrap, and a mirror, which it takes from this machine's apt.
# With deb: builds the package on this machine, and runs scripts/check_deb.sh in a new root without the
# CUDA Toolkit.
# Usage: scripts/try_in_new_root.sh bookworm|trixie [tune|test|deb]
#   GTUNE_WERROR=ON     makes warnings errors in the root, too
#   GTUNE_QUICK=ON      the release preset does not optimise, which saves a third of the compile time
#   CCACHE_DIR=FOLDER   compiles through ccache, into this folder
#   TMPDIR=FOLDER       the folder in which the root is made and removed (3 GB), else /var/tmp
# Exit codes: 0 done, 1 failed, 2 usage error, 77 not possible on this machine.
set -euo pipefail
cd "$(dirname "$0")/.."

missing() {
  echo "try_in_new_root.sh: $1" >&2
  exit 77
}

usage() {
  echo "Usage: scripts/try_in_new_root.sh bookworm|trixie [tune|test|deb]" >&2
  exit 2
}

# This machine's Debian mirror, from apt; empty on other distributions.
host_mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/*$' || true
}

# One of apt's settings.
host_setting() {
  apt-config dump --format '%v%n' "$1"
}

check_this_machine() {
  [ "$(id -u)" = 0 ] || missing "making a root takes root: sudo $0"
  command -v debootstrap >/dev/null || missing "debootstrap is missing: apt-get install debootstrap"
  [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] ||
    missing "Debian's keys are missing: apt-get install debian-archive-keyring"
  [ -e "$toolkit/include/nvrtc.h" ] || missing "no CUDA Toolkit in $toolkit; CUDA_HOME names another"
  unshare --mount --pid --fork true 2>/dev/null || missing "namespaces are not allowed here"
  { mknod "$scratch/null" c 1 3 && : >"$scratch/null"; } 2>/dev/null ||
    missing "no device files can be made in $scratch; TMPDIR names another folder"
}

make_root() {
  local log=$scratch/debootstrap.log
  local arguments=("$dist" "$root") mirror
  mirror=$(host_mirror)
  if [ -n "$mirror" ]; then arguments+=("$mirror"); fi
  debootstrap --variant=minbase --include="ca-certificates${CCACHE_DIR:+,ccache}" "${arguments[@]}" \
    >"$log" 2>&1 || { tail -20 "$log" >&2; exit 1; }
  apt-config dump | grep '^Acquire::' >"$root/etc/apt/apt.conf.d/host"  # proxies and the like
  if [ -d /etc/apt/auth.conf.d ]; then cp -r /etc/apt/auth.conf.d "$root/etc/apt/"; fi
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"  # the root does not outlive this script
}

mount_into_root() {
  mount -t proc proc "$root/proc"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
  mount -t tmpfs tmpfs "$root/dev/shm"
  if [ "${names[*]}" = deb ]; then return; fi
  mkdir -p "$root$toolkit"
  mount --bind "$toolkit" "$root$toolkit"
  mount -o remount,ro,bind "$root$toolkit"
  if [ "$toolkit" != /usr/local/cuda ]; then ln -s "$toolkit" "$root/usr/local/cuda"; fi
  if [ -n "${CCACHE_DIR:-}" ]; then
    mkdir -p "$CCACHE_DIR" "$root/var/cache/ccache"
    mount --bind "$CCACHE_DIR" "$root/var/cache/ccache"
  fi
}

copy_repository() {
  mkdir -p "$root/root/gtune"
  commit=$(git -c safe.directory="$PWD" rev-parse --short HEAD)  # read now, printed later: HEAD may move meanwhile
  git -c safe.directory="$PWD" archive "$commit" | tar -x -C "$root/root/gtune"
}

# The package of the committed files, built on this machine, as $root/root/gtune.deb.
build_package() {
  local log=$scratch/build.log options=()
  if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  (
    cd "$root/root/gtune"
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=yes  # the folder has another name each time
    cmake --preset release "${options[@]}" && cmake --build build --target gtune && cd build && cpack
  ) >"$log" 2>&1 || { tail -40 "$log" >&2; exit 1; }
  mv "$root"/root/gtune/build/*.deb "$root/root/gtune.deb"
  rm -rf "$root/root/gtune/build"
}

# Runs a shell command in the root's copy of the repository, with an environment of its own.
in_root() {
  local settings=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
  if [ -n "${GTUNE_WERROR:-}" ]; then settings+=("GTUNE_WERROR=$GTUNE_WERROR"); fi
  if [ -n "${GTUNE_QUICK:-}" ]; then
    echo 'set(CMAKE_CXX_FLAGS_RELEASE "-O0 -DNDEBUG" CACHE STRING "")' >"$root/root/quick.cmake"
    settings+=(CMAKE_TOOLCHAIN_FILE=/root/quick.cmake)
  fi
  if [ -n "${CCACHE_DIR:-}" ]; then
    settings+=(CCACHE_DIR=/var/cache/ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  chroot "$root" env -i "${settings[@]}" bash -c "cd /root/gtune && $1"
}

say_versions() {
  local cuda
  cuda=$(sed -n 's/^#define CUDA_VERSION //p' "$toolkit/include/cuda.h")
  echo "command    scripts/try_in_new_root.sh $*${GTUNE_QUICK:+   (not optimised)}${CCACHE_DIR:+   (with ccache)}"
  echo "date       $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  echo "commit     $commit"
  echo "system     $(. "$root/etc/os-release" && echo "$PRETTY_NAME"), made in $made_in s, $(nproc) cores"
  if [ "${names[*]}" = deb ]; then
    echo "built by   $(. /etc/os-release && echo "$PRETTY_NAME"), $(c++ --version | head -1)"
    return
  fi
  in_root 'echo "compiler   $(g++ --version | head -1), CMake $(cmake --version | sed -n "1s/.* //p")"
           echo "libraries  $(dpkg-query -W -f "\${Package} \${Version}, " libcli11-dev libfmt-dev libgtest-dev \
             libspdlog-dev libsqlitecpp-dev libtomlplusplus-dev nlohmann-json3-dev | sed "s/, $//")"'
  echo "CUDA       $((cuda / 1000)).$((cuda % 1000 / 10)), this machine's toolkit"
}

# The command that NAME stands for.
command_of() {
  case "$1" in
    deb) echo "scripts/check_deb.sh /root/gtune.deb" ;;
    *) echo "./$1.sh --install" ;;
  esac
}

# Runs NAME's command in the root; keeps its output and exit code in $scratch/NAME.log.
try() {
  local log=$scratch/$1.log status=0 TIMEFORMAT='%0R s, %0U s of CPU time and %0S s in the kernel'
  echo "try_in_new_root.sh: $dist: $(command_of "$1")" >&2
  { time in_root "$(command_of "$1")" >"$log" 2>&1 </dev/null || status=$?; } 2>"$scratch/time"
  echo "[exit code $status after $(<"$scratch/time")]" >>"$log"
  return "$status"
}

# Everything that runs in namespaces of its own: mounts and processes disappear when it ends.
inside() {
  local name status=0 tried=() made_in commit
  echo "try_in_new_root.sh: $dist: making the root" >&2
  make_root
  mount_into_root
  copy_repository
  made_in=$SECONDS
  if [ "${names[*]}" = deb ]; then build_package; fi
  for name in "${names[@]}"; do
    tried+=("$name")
    try "$name" || { status=1; break; }
  done
  say_versions "$@"
  for name in "${tried[@]}"; do
    printf '\n$ %s\n' "$(command_of "$name")"
    if [ "$name" = deb ]; then
      cat "$scratch/$name.log"
    else
      echo ...
      tail -n "$([ "$status" = 0 ] && echo 40 || echo 100)" "$scratch/$name.log"
    fi
  done
  return "$status"
}

# The mounts are invisible outside the namespace, so only the root itself is removed.
clean_up() {
  for _ in 1 2 3 4 5; do  # killed processes may still be ending
    rm -rf "$scratch" 2>/dev/null && return
    sleep 1
  done
  echo "try_in_new_root.sh: $scratch could not be removed" >&2
}

dist=${1:-}
names=("${2:-tune}")
if [ $# = 1 ]; then names=(tune test); fi
case "$dist ${names[*]}" in
  "bookworm "* | "trixie "*) ;;
  *) usage ;;
esac
case "${names[*]}" in tune | test | deb | "tune test") ;; *) usage ;; esac
toolkit=$(readlink -m "${CUDA_HOME:-/usr/local/cuda}")

if [ -n "${GTUNE_NEW_ROOT:-}" ]; then  # this script, called by itself
  scratch=$GTUNE_NEW_ROOT
  root=$scratch/root
  inside "$@"
  exit
fi

scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/gtune-root.XXXXXX")
trap clean_up EXIT
check_this_machine
http_proxy=${http_proxy:-$(host_setting Acquire::http::Proxy)}
https_proxy=${https_proxy:-$(host_setting Acquire::https::Proxy)}
export http_proxy https_proxy  # debootstrap does not read apt's settings
GTUNE_NEW_ROOT=$scratch unshare --mount --pid --fork --kill-child "$0" "$@" &
trap 'kill -KILL $!' INT TERM
wait $!
