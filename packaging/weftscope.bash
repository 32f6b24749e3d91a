# Completion of weftscope for bash. Commands, options and their values are read from the program's
# own --help, so nothing here can grow old; only the four categories of events are written here.

_weftscope_words() {  # [COMMAND…] → its options and its commands
  "${COMP_WORDS[0]}" "$@" --help 2>/dev/null | sed -nE '
    s/^  (-.,)?(--[a-z-]+),(--[a-z-]+).*/\2\n\3/p
    s/^  (-.,)?(--[a-z-]+)[^,a-z-].*/\2/p
    /^Subcommands:/,/^$/s/^  ([a-z-]+) .*/\1/p'
}

_weftscope_formats() { "${COMP_WORDS[0]}" formats 2>/dev/null | sed -nE '2,$s/^([^ ]+) .*/\1/p'; }

_weftscope_written_formats() {
  echo weft
  "${COMP_WORDS[0]}" formats 2>/dev/null | sed -nE '2,$s/^([^ ]+) .* yes$/\1/p'
}

_weftscope_values() {  # COMMAND… OPTION → what it may be, where its help says so: {dark,light}
  local option=${*: -1}
  case $option in
    --input-format) _weftscope_formats ;;
    --to) if [[ $1 == export ]]; then _weftscope_written_formats; fi ;;
    --category) printf '%s\n' punctual state link variable ;;
    *)
      "${COMP_WORDS[0]}" "${@:1:$#-1}" --help 2>/dev/null |
        sed -nE "s/^  (-.,)?$option [^{]*\{([a-z0-9_,-]+)\}.*/\2/p" | tr ',' '\n'
      if "${COMP_WORDS[0]}" "${@:1:$#-1}" --help 2>/dev/null | grep -q "^  $option,--input-format "; then
        _weftscope_formats
      fi
      ;;
  esac
}

_weftscope_operands() {  # COMMAND… → what may stand where no option does
  _weftscope_words "$@" | grep -v '^-'
  "${COMP_WORDS[0]}" "$@" --help 2>/dev/null |
    sed -nE '/^Positionals:/,/^$/s/^  [A-Z]+ [^{]*\{([a-z0-9_,-]+)\}.*/\1/p' | tr ',' '\n'
  if [[ $1 == formats ]]; then _weftscope_formats; fi
}

_weftscope() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} commands=() i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]] &&
      _weftscope_words "${commands[@]}" | grep -qx -- "${COMP_WORDS[i]}"; then
      commands+=("${COMP_WORDS[i]}")
    else
      break
    fi
  done
  if [[ $before == --* && ${#commands[@]} -gt 0 ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_weftscope_values "${commands[@]}" "$before")" -- "$word")
    if ((${#COMPREPLY[@]} > 0)); then return; fi
  fi
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_weftscope_words "${commands[@]}" | grep '^-')" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -W "$(_weftscope_operands "${commands[@]}")" -- "$word"; compgen -f -- "$word")
  fi
}

complete -o filenames -F _weftscope weftscope
