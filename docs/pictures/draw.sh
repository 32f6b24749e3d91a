#!/usr/bin/env bash
# Draws the manual's pictures: one for each journal here, of the shipped samples: those in the folder
# queues are of the message log. In a journal REPOSITORY is the root of the repository.
#   draw.sh WEFTSCOPE FOLDER            into FOLDER
#   draw.sh WEFTSCOPE --compare FOLDER  and fails where one in FOLDER is missing or looks different
set -euo pipefail

program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=$(realpath "$here/../..")
samples=$root/samples

play() {  # JOURNAL SAMPLE
  "$program" replay <(sed "s|REPOSITORY|$root|" "$1") "$samples/$2"
}

draw_into() {  # FOLDER
  local journal
  for journal in "$here"/*.journal; do
    (cd "$1" && play "$journal" clang.json.gz)
  done
  for journal in "$here"/queues/*.journal; do
    (cd "$1" && play "$journal" queues.btrace.gz)
  done
}

# The share of pixels that differ visibly. Fonts are rendered a little differently elsewhere.
kMost=0.03
different_share() {  # A B
  local count
  count=$(compare -metric AE -fuzz 10% "$1" "$2" null: 2>&1 || true)
  python3 -c "print($count / ($(identify -format '%w * %h' "$1")))"
}

if [[ $2 != --compare ]]; then
  mkdir -p "$2"
  draw_into "$2"
  exit
fi

kept=$(realpath "$3")
drawn=$(mktemp -d)
trap 'rm -rf "$drawn"' EXIT
draw_into "$drawn"
status=0
for picture in "$drawn"/*.png; do
  name=$(basename "$picture")
  share=1
  [[ ! -f $kept/$name ]] || share=$(different_share "$picture" "$kept/$name")
  if python3 -c "exit($share <= $kMost)"; then
    echo "$name: $share of its pixels are not what the program draws now; run ./dev pictures" >&2
    status=1
  fi
done
for picture in $(grep -oh 'img/[a-z0-9-]*\.png' "$here"/../*.md | sort -u); do
  [[ -f $drawn/${picture#img/} ]] || { echo "$picture: no journal draws it" >&2; status=1; }
done
exit $status
