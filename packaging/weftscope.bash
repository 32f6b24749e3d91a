# Completion of weftscope for bash. Commands and options are read from the program's own --help, so
# there is nothing here that could grow old.

_weftscope_words() {  # [COMMAND] → its options and, without one, the commands
  "${COMP_WORDS[0]}" "$@" --help 2>/dev/null | sed -nE '
    s/^  (-.,)?(--[a-z-]+).*/\2/p
    /^Subcommands:/,/^$/s/^  ([a-z-]+) .*/\1/p'
}

_weftscope_values() {  # COMMAND OPTION → what it may be, where its help says so: {dark,light}
  "${COMP_WORDS[0]}" "$1" --help 2>/dev/null |
    sed -nE "s/^  (-.,)?$2 [^{]*\{([a-z0-9_,-]+)\}.*/\2/p" | tr ',' '\n'
}

_weftscope() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      break
    fi
  done
  if [[ $before == --* && -n $command ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_weftscope_values "$command" "$before")" -- "$word")
    if ((${#COMPREPLY[@]} > 0)); then return; fi
  fi
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_weftscope_words ${command:+"$command"} | grep '^-')" -- "$word")
  elif [[ -z $command ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_weftscope_words | grep -v '^-')" -- "$word"; compgen -f -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}

complete -o filenames -F _weftscope weftscope
