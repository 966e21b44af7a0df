# For scripts that source it, in the root of the project. A worker at the far end of a link takes part
# only if its recording matches the tuner's source and spec. The bundled recordings may be of an earlier
# source, so copies get the hashes from the tuner's first message.

# present_identity GTUNE KERNEL OPTIONS...: the identity of the kernel in the present files, as JSON.
present_identity() {
  local gtune=$1 folder
  shift
  folder=$(mktemp -d)
  GTUNE_WORKER_GRACE_MS=100 "$gtune" "$@" --device none --db "$folder/hello.db" --quiet \
    --worker-command "dd bs=64k count=1 of=$folder/hello 2>/dev/null" 2>/dev/null || true
  tail -c +13 "$folder/hello" | jq -c .kernel  # after the magic word and two lengths
  rm -r "$folder"
}

# present_recording GTUNE RECORDING KERNEL OPTIONS...: prints the recording as one of the present files.
present_recording() {
  local gtune=$1 recording=$2
  shift 2
  head -n 1 "$recording" | jq -c --argjson kernel "$(present_identity "$gtune" "$@")" '.kernel = $kernel'
  tail -n +2 "$recording"
}
