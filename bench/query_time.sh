#!/usr/bin/env bash
# Measures gtune query on a database of a million measurements, for a shape that was tuned and for one
# that was not. Prints for each the median wall time of 21 runs, program start included, and the
# processor time per run, which does not depend on other load of the machine.
# Usage: bench/query_time.sh [GTUNE [ROWS [SHAPES]]]
set -euo pipefail
cd "$(dirname "$0")/.."
gtune=$(realpath "${1:-build/gtune}")
rows=${2:-1000000}
shapes=${3:-1000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
db=$folder/large.db

# A real run of the recorded kernel creates the schema and everything that a measurement refers to. The
# device is changed to a real one, because a query that finds only a recording also asks the bundled results.
"$gtune" sgemm --device replay --budget $((rows / shapes)) --strategy random --quiet --db "$db" >"$folder/tuned.txt"
# Copies the run's measurements to other problems, the same number for each; every second run has ended.
# On each problem, a configuration gets the samples and times of another one: times that do not follow
# from their samples would count as impossible.
sqlite3 "$db" <<SQL
BEGIN;
UPDATE device SET replayed = 0, facts = json_set(facts, '$.replayed', json('false'));
CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
  WHERE i < $shapes) SELECT i FROM n;
CREATE TEMP TABLE base AS SELECT * FROM run WHERE id = 1;
INSERT INTO problem (id, kernel, sizes)
  SELECT 1000 + i, 'sgemm', json_set((SELECT sizes FROM problem WHERE id = base.problem_id),
    '$.M', 257 + 8 * i, '$.N', 4096, '$.K', 4096, '$.LDA', 4096, '$.LDB', 4096, '$.LDC', 4096)
  FROM n, base;
INSERT INTO run (id, started, finished, device_id, toolchain_id, kernel_id, problem_id, timing, objective,
    flops, bytes, strategy, budget, seed, command_line, space_signature, whole_space, pid)
  SELECT 1000 + i, started, iif(i % 2, finished, NULL), device_id, toolchain_id, kernel_id,
    1000 + i, 'cold', 'time', 1e9, 1e6, strategy, budget, seed, command_line, space_signature, 1, pid
  FROM n, base;
CREATE TEMP TABLE measured AS
  SELECT *, row_number() OVER (ORDER BY id) - 1 AS number, count(*) OVER () AS count
  FROM measurement
  WHERE status = 'ok' AND phase = 'search' AND problem_id = (SELECT problem_id FROM base);
CREATE INDEX temp.measured_number ON measured (number);
INSERT INTO measurement (run_id, device_id, toolchain_id, kernel_id, problem_id, config_id,
    timing, phase, label, status, reason, max_error, compile_ms, gpu_ms, registers, stack_bytes,
    spill_store_bytes, spill_load_bytes, static_shared_bytes, dynamic_shared_bytes, cubin_bytes,
    blocks_per_sm, theoretical_occupancy, occupancy_limit, median_ms, min_ms, p95_ms, mean_ms,
    ci_low_ms, ci_high_ms, sm_clock_mhz, throttled_samples, converged,
    discarded_early, samples_ms)
  SELECT 1000 + n.i, own.device_id, own.toolchain_id, own.kernel_id, 1000 + n.i, own.config_id, 'cold',
    'search', '', 'ok', '', own.max_error, own.compile_ms, own.gpu_ms, own.registers,
    own.stack_bytes, own.spill_store_bytes, own.spill_load_bytes, own.static_shared_bytes,
    own.dynamic_shared_bytes, own.cubin_bytes, own.blocks_per_sm, own.theoretical_occupancy,
    own.occupancy_limit, other.median_ms, other.min_ms, other.p95_ms, other.mean_ms,
    other.ci_low_ms, other.ci_high_ms, other.sm_clock_mhz, other.throttled_samples,
    other.converged, other.discarded_early, other.samples_ms
  FROM n CROSS JOIN measured AS own
    JOIN measured AS other ON other.number = (own.number + n.i * 7919) % own.count;
INSERT INTO result (run_id, winner_id, ties, verified, summary)
  SELECT id, (SELECT id FROM measurement WHERE kernel_id = run.kernel_id
      AND problem_id = run.problem_id AND device_id = run.device_id
      AND toolchain_id = run.toolchain_id AND timing = 'cold' AND status = 'ok'
      AND phase <> 'baseline' ORDER BY median_ms LIMIT 1),
    '[]', 'passed', (SELECT summary FROM result WHERE run_id = 1)
  FROM run WHERE id > 1000 AND finished IS NOT NULL;
COMMIT;
SQL
echo "$(sqlite3 "$db" 'SELECT count(*) FROM measurement') measurements of $shapes shapes, $(stat -c %s "$db") bytes"

# Fails if the kernel differs from the recorded one: nothing answers then.
"$gtune" query sgemm --M 500 --N 3000 --K 4096 --db "$db" >"$folder/answer.txt"

# Median wall time of 21 runs of a command, and their mean processor time.
time_of() {
  local begin end
  TIMEFORMAT='%3U %3S'
  { time for _ in $(seq 21); do
    begin=${EPOCHREALTIME/./}
    "$@" >"$folder/answer.txt"
    end=${EPOCHREALTIME/./}
    echo $((end - begin)) >>"$folder/times.txt"
  done; } 2>"$folder/cpu.txt"
  sort -n "$folder/times.txt" | sed -n 11p | awk '{ printf "%.1f ms, ", $1 / 1000 }'
  awk '{ printf "%.1f ms of processor time\n", ($1 + $2) * 1000 / 21 }' "$folder/cpu.txt"
  rm "$folder/times.txt"
}
echo "program start (gtune db --help): $(time_of "$gtune" db --help)"
echo "a shape that was tuned:          $(time_of "$gtune" query sgemm --M 457 --N 4096 --K 4096 --db "$db")"
echo "a shape that was not:            $(time_of "$gtune" query sgemm --M 500 --N 3000 --K 4096 --db "$db")"
