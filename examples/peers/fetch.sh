#!/usr/bin/env bash
# Puts the kernels of other projects that the specs here tune below upstream/, from the packages that
# these projects publish for Python, and from packages of Debian 12 where apt-get has them. Nothing is
# installed; pip asks a source package for its metadata.
# Usage: examples/peers/fetch.sh
set -euo pipefail
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# download KIND PACKAGE==VERSION: KIND is what pip takes, source packages or wheels.
download() {
  local only=--only-binary=:all:
  [ "$1" = wheel ] || only=--no-binary=:all:
  echo "fetching $2"
  python3 -m pip download -q --no-deps "$only" -d "$scratch" "$2"
}

# place FOLDER ARCHIVE PREFIX PART...: the parts below PREFIX of an archive, as upstream/FOLDER/PART.
place() {
  rm -rf "upstream/$1"
  python3 - "upstream/$1" "$scratch"/$2 "$3" "${@:4}" <<'PYTHON'
import pathlib, sys, tarfile, zipfile

into, archive, prefix, parts = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], tuple(sys.argv[4:])
if archive.endswith(".whl"):
    opened = zipfile.ZipFile(archive)
    files = {name: opened.open for name in opened.namelist() if not name.endswith("/")}
else:
    opened = tarfile.open(archive)
    files = {each.name: opened.extractfile for each in opened.getmembers() if each.isfile()}
for name, read in files.items():
    path = name.removeprefix(prefix)
    if path == name or not path.startswith(parts) or ".." in path.split("/"):
        continue
    (into / path).parent.mkdir(parents=True, exist_ok=True)
    (into / path).write_bytes(read(name).read())
PYTHON
}

download source kernel-tuner==1.5.0
place kernel_tuner-1.5.0 'kernel_tuner-*.tar.gz' kernel_tuner-1.5.0/ test/convolution.cu test/vector_add.cu

download wheel nvidia-cutlass==4.2.0.0
place cutlass-4.2.0 'nvidia_cutlass-*.whl' cutlass_library/source/ include/

download wheel flashinfer-python==0.7.2.post1
place flashinfer-0.7.2 'flashinfer_python-*.whl' flashinfer/data/ include/

download source deepspeed==0.19.8
place deepspeed-0.19.8 'deepspeed-*.tar.gz' deepspeed-0.19.8/ csrc/includes/ csrc/transformer/inference/

download source llama-cpp-python==0.3.36
place llama_cpp_python-0.3.36 'llama_cpp_python-*.tar.gz' llama_cpp_python-0.3.36/ \
  vendor/llama.cpp/ggml/include/ vendor/llama.cpp/ggml/src/ggml-cuda/ vendor/llama.cpp/ggml/src/ggml-common.h \
  vendor/llama.cpp/ggml/src/ggml-impl.h

download source lightseq==3.0.1
place lightseq-3.0.1 'lightseq-*.tar.gz' lightseq-3.0.1/ lightseq/csrc/kernels/

# debian_binary PACKAGE VERSION: the files of a package, as PACKAGE.tar.
debian_binary() {
  echo "fetching $1 $2"
  (cd "$scratch" && "${apt[@]}" download "$1=$2")
  dpkg-deb --fsys-tarfile "$scratch/$1"_*.deb >"$scratch/$1.tar"
}

# debian_source PACKAGE VERSION: the archives that a package is built from.
debian_source() {
  echo "fetching the source of $1 $2"
  (cd "$scratch" && "${apt[@]}" source --download-only "$1=$2")
}

if ! command -v apt-get >/dev/null || ! grep -q '^VERSION_ID="12"' /etc/os-release; then
  echo "without Debian 12 there are no sources for viennacl_*.toml and opencv_*.toml" >&2
  exit 0
fi
# Debian's own archives as this machine has them, with source packages; the machine's lists stay as they are.
mkdir -p "$scratch/lists/partial" "$scratch/sources"
list=/etc/apt/sources.list.d/debian.sources
if [ -f "$list" ]; then
  sed 's/^Types: deb$/Types: deb deb-src/' "$list" >"$scratch/sources/debian.sources"
else
  sed 's/^deb \(.*\)$/&\ndeb-src \1/' /etc/apt/sources.list >"$scratch/sources/debian.list"
fi
apt=(apt-get -qq -o APT::Sandbox::User=root -o Dir::Etc::SourceList=/dev/null
  -o "Dir::Etc::SourceParts=$scratch/sources" -o "Dir::State::Lists=$scratch/lists")
"${apt[@]}" update

debian_binary libviennacl-dev 1.7.1+dfsg1-6
place viennacl-1.7.1 libviennacl-dev.tar ./usr/ include/viennacl/

debian_source suitesparse 1:5.12.0+dfsg-2
place suitesparse-5.12.0 'suitesparse_*.orig.tar.xz' SuiteSparse-5.12.0/ Mongoose/Matrix/NotreDame_www.mtx

debian_binary libopencv-core-dev 4.6.0+dfsg-12
place opencv-4.6.0 libopencv-core-dev.tar ./usr/include/opencv4/ opencv2/
debian_source opencv 4.6.0+dfsg-12
place opencv_contrib-4.6.0 'opencv_*.orig-contrib.tar.xz' opencv_contrib-4.6.0/ modules/cudev/include/
