#compdef gtune
# gtune for zsh. Put it into a folder of $fpath as _gtune, or load it with:
#   source <(gtune completion zsh)
_gtune() {
  local -a values described
  local line value help
  local files=0
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=1
      continue
    fi
    value=${line%%$'\t'*}
    help=${line#*$'\t'}
    values+=("$value")
    described+=("$value${help:+  -- $help}")
  done < <(print -rl -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" | "${words[1]}" complete 2>/dev/null)
  local -a open=(${(M)values:#*[=,]}) closed=(${values:#*[=,]})
  if (( ${#open} )); then
    compadd -S '' -l -d described -a values
  elif (( ${#values} )); then
    compadd -l -d described -a values
  fi
  (( files )) && _files
}
compdef _gtune gtune
