#!/usr/bin/env bash
# Installs into a folder of its own and looks at what is there. CMAKE BUILD-FOLDER
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" --install "$2" --prefix "$folder" >/dev/null

fail() { echo "package_test: $*" >&2; exit 1; }

for file in bin/weftscope share/man/man1/weftscope.1 share/doc/weftscope/copyright \
  share/doc/weftscope/docs/manual.md share/doc/weftscope/docs/img/timeline.png share/applications/weftscope.desktop \
  share/icons/hicolor/scalable/apps/weftscope.svg share/icons/hicolor/48x48/apps/weftscope.png \
  share/icons/hicolor/256x256/apps/weftscope.png share/metainfo/org.weftscope.Weftscope.metainfo.xml share/mime/packages/weftscope.xml \
  share/bash-completion/completions/weftscope; do
  [[ -s $folder/$file ]] || fail "$file is missing"
done

# A part of it alone.
"$1" --install "$2" --prefix "$folder/parts" --component doc >/dev/null
[[ -s $folder/parts/share/doc/weftscope/docs/manual.md ]] || fail "the component doc has no manual"
[[ ! -e $folder/parts/bin ]] || fail "the component doc has programs"

# What the pages lead to is there, too.
doc=$folder/share/doc/weftscope
for page in "$doc"/README.md "$doc"/docs/*.md; do
  for link in $(grep -oE '\]\((docs/)?[a-z-]+\.md' "$page" | sed 's/](//' | sort -u); do
    [[ -s $(dirname "$page")/$link ]] || fail "$(basename "$page") leads to $link, which is missing"
  done
done

if command -v xmllint >/dev/null; then
  xmllint --noout "$folder"/share/mime/packages/*.xml "$folder"/share/icons/hicolor/scalable/apps/*.svg
fi
if command -v desktop-file-validate >/dev/null; then
  desktop-file-validate "$folder/share/applications/weftscope.desktop"
fi

if command -v appstreamcli >/dev/null; then
  # There is no home page. Newer ones (1.0) miss it, and can be told not to; older ones know nothing of it.
  validate() { appstreamcli validate --no-net "$@" "$folder"/share/metainfo/*.xml; }
  validate --override=url-homepage-missing=info &>/dev/null || validate >&2 || fail "the metainfo is not valid"
fi

# Every type of file that is described is one that the program opens, and the other way round.
described=$(grep -oP '<mime-type type="\K[^"]+' "$folder/share/mime/packages/weftscope.xml" | sort)
opened=$(sed -n 's/^MimeType=//p' "$folder/share/applications/weftscope.desktop" | tr ';' '\n' | grep . | sort)
others=$(comm -13 <(echo "$described") <(echo "$opened") | paste -sd' ')
[[ -z $(comm -23 <(echo "$described") <(echo "$opened")) ]] || fail "a type is described that is not opened"
[[ $others == "application/vnd.tcpdump.pcap application/x-kcachegrind" ]] || fail "nobody describes $others"

# Completion, as bash asks for it: the words so far, the last one unfinished.
export PATH=$folder/bin:$PATH
# shellcheck source=packaging/weftscope.bash
source "$folder/share/bash-completion/completions/weftscope"
completes() {  # WORD… → expects the last argument among the replies
  local expected=${*: -1}
  COMP_WORDS=(weftscope "${@:1:$#-1}")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _weftscope
  printf '%s\n' "${COMPREPLY[@]}" | grep -qx -e "$expected" || fail "'${COMP_WORDS[*]}' does not complete to '$expected'"
}
completes sna snapshot
completes --jour --journal
completes snapshot --pan --panel
completes snapshot --theme da dark
completes snapshot --panel fla flame
completes trace-type gue guess
completes trace-type check --js --json
completes generate chr chrome-json
completes formats perfet perfetto
completes export trace.json --to paj paje
completes export trace.json --to we weft
completes info --input-format vc vcd
completes events trace.json --category pun punctual
for command in $(weftscope --help | sed -nE '/^Subcommands:/,/^$/s/^  ([a-z-]+) .*/\1/p'); do
  completes "${command%?}" "$command"
done
