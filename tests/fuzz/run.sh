#!/usr/bin/env bash
# run.sh BUILD-FOLDER SECONDS: runs every fuzz target for so long, two at a time at most.
#
# The corpus grows in BUILD-FOLDER/fuzz/corpus, from the samples. With 0 seconds the samples alone are
# run: a test that says the same every time, which a search cannot (hashes are seeded at random and
# readers have threads). A finding lies in BUILD-FOLDER/fuzz/fail; mend it, and keep what shows it in
# the fail/ folder of the target's samples.
set -euo pipefail
program=$1/bin/fuzz out=$1/fuzz seconds=$2

run_one() {  # TARGET<TAB>SAMPLES
  local name=${1%%$'\t'*} samples=${1#*$'\t'} begin=$SECONDS status=0
  local corpus=$out/corpus/$name fail=$out/fail/$name log=$out/$name.log
  mkdir -p "$corpus" "$fail"
  local scope=("-max_total_time=$seconds" "$corpus")
  ((seconds > 0)) || scope=(-runs=0)
  [[ ! -d $samples ]] || scope+=("$samples")
  WEFT_FUZZ_TARGET=$name UBSAN_OPTIONS=print_stacktrace=1 "$program" -timeout=10 -rss_limit_mb=2048 \
    -max_len=65536 -print_final_stats=1 -artifact_prefix="$fail/" "${scope[@]}" > "$log" 2>&1 || status=$?
  if ((status != 0)); then
    grep -v -E '^#[0-9]+[[:space:]]+(NEW|REDUCE|RELOAD|pulse|INITED|READ|DONE)' "$log" | tail -n 40
    echo "fuzz: $name FAILED; the finding lies in $fail"
    return 1
  fi
  awk -v name="$name" -v seconds=$((SECONDS - begin)) '
    /number_of_executed_units/ { runs = $2 } /peak_rss_mb/ { rss = $2 }
    END { printf "fuzz: %-20s %d executions in %d s, peak %d MiB, nothing found\n", name, runs, seconds, rss }' "$log"
}
export -f run_one
export program out seconds

"$program" | xargs -P 2 -d '\n' -I{} bash -c 'run_one "$1"' _ {}
