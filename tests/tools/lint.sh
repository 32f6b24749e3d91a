#!/usr/bin/env bash
# lint.sh CLANG-TIDY BUILD-FOLDER JOBS [SOURCE…]: clang-tidy over the sources that it has not yet
# seen clean, or over those named.
#
# A source counts as seen while it, every header of the project and .clang-tidy are unchanged; the
# marks lie in BUILD-FOLDER/lint.
set -euo pipefail
tidy=$1 build=$2 jobs=$3
shift 3
cd "$(dirname "$0")/../.."

marks=$build/lint
mkdir -p "$marks"
mapfile -t headers < <(git ls-files --cached --others --exclude-standard -- '*.h')
common=$(sha256sum .clang-tidy "${headers[@]}" | sha256sum | cut -c1-32)

check_one() {  # SOURCE
  local source=$1 mark out
  mark=$marks/$(printf '%s' "$common$source" | cat - "$source" | sha256sum | cut -c1-40)
  [[ -z $force && -e $mark ]] && return 0
  if out=$("$tidy" -p "$build" --quiet "$source" 2>/dev/null); then
    touch "$mark"
  else
    printf '%s\n' "$out"
    return 1
  fi
}
export -f check_one
export tidy build marks common force=${1:+yes}

# Only what the build compiles has a command to be read with.
compiled=$(mktemp)
trap 'rm -f "$compiled"' EXIT
sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" | sed "s|^$PWD/||" | sort -u > "$compiled"

{
  if (($# > 0)); then
    printf '%s\n' "$@"
  else
    git ls-files --cached --others --exclude-standard -- 'core/*.cpp' 'render/*.cpp' 'app/*.cpp' | sort | comm -12 - "$compiled"
  fi
} | xargs -r -P "$jobs" -I{} bash -c 'check_one {}'
