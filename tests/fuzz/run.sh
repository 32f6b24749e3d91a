#!/usr/bin/env bash
# run.sh BUILD-FOLDER SECONDS: runs every fuzz target for so long, two at a time at most.
#
# The corpus grows in BUILD-FOLDER/fuzz/corpus, from the samples. With 0 seconds the samples alone are
# run: a test that says the same every time, which a search cannot (hashes are seeded at random and
# readers have threads). A finding lies in BUILD-FOLDER/fuzz/fail; mend it, and keep what shows it in
# the fail/ folder of the target's samples.
set -euo pipefail
build=$1 seconds=$2

run_one() {  # TARGET
  local target=$1 name corpus fail seeds=() begin=$SECONDS status=0
  name=$(basename "$target")
  corpus=$build/fuzz/corpus/$name fail=$build/fuzz/fail/$name
  local scope=("-max_total_time=$seconds" "$corpus")
  ((seconds > 0)) || scope=(-runs=0)
  mkdir -p "$corpus" "$fail"
  while IFS= read -r folder; do [[ -d $folder ]] && seeds+=("$folder"); done < "$target.seeds"
  UBSAN_OPTIONS=print_stacktrace=1 "$target" -timeout=10 -rss_limit_mb=2048 \
    -max_len=65536 -print_final_stats=1 -artifact_prefix="$fail/" "${scope[@]}" "${seeds[@]}" \
    > "$target.log" 2>&1 || status=$?
  if ((status != 0)); then
    grep -v -E '^#[0-9]+[[:space:]]+(NEW|REDUCE|RELOAD|pulse|INITED|READ|DONE)' "$target.log" | tail -n 40
    echo "fuzz: $name FAILED; the finding lies in $fail"
    return 1
  fi
  awk -v name="$name" -v seconds=$((SECONDS - begin)) '
    /number_of_executed_units/ { runs = $2 } /peak_rss_mb/ { rss = $2 }
    END { printf "fuzz: %-20s %d executions in %d s, peak %d MiB, nothing found\n", name, runs, seconds, rss }' "$target.log"
}
export -f run_one
export build seconds

targets=("$build"/fuzz/*_fuzz)
[[ -x ${targets[0]} ]] || { echo "fuzz: no target was built" >&2; exit 1; }
printf '%s\n' "${targets[@]}" | xargs -P 2 -I{} bash -c 'run_one {}'
