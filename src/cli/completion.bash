# gtune for bash. Load it with:  source <(gtune completion bash)
_gtune() {
  local -a words=("")
  local rest=${COMP_LINE} word i
  # bash also splits words at = and :. Joins the parts that have no space between them.
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if ((i == COMP_CWORD)); then word=${word:0:${#word}}; fi
    if ((i > 0)) && [[ $rest == [[:space:]]* ]]; then
      words+=("")
      rest=${rest#"${rest%%[![:space:]]*}"}
    fi
    words[${#words[@]} - 1]+=$word
    rest=${rest#"$word"}
  done
  local typed=${words[-1]} piece=${COMP_WORDS[COMP_CWORD]}
  case $piece in = | : | =: | :=) piece= ;; esac
  local before=${typed%"$piece"} value
  COMPREPLY=()
  while IFS=$'\t' read -r value _; do
    if [[ $value == :files ]]; then
      compopt -o filenames
      while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$piece")
      continue
    fi
    value=${value#"$before"}
    [[ $value == *[=,] ]] && compopt -o nospace
    [[ $value == *[[:space:]]* ]] && printf -v value %q "$value"
    COMPREPLY+=("$value")
  done < <(printf '%s\n' "${words[@]:1}" | "${words[0]/#\~/$HOME}" complete 2>/dev/null)
}
complete -F _gtune gtune
