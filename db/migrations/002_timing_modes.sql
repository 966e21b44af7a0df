-- gtune's database, version 2: modes of timing instead of the L2 cache's state, and what a run minimises. During a
-- migration, foreign keys are off, and views may name what is no longer there (PRAGMA legacy_alter_table).

DROP VIEW IF EXISTS winner;
DROP VIEW IF EXISTS ended_run;
DROP VIEW IF EXISTS speed;

CREATE TABLE new_run (
  id              INTEGER PRIMARY KEY,
  started         TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  finished        TEXT,  -- NULL: still going, or interrupted
  device_id       INTEGER NOT NULL REFERENCES device (id),
  toolchain_id    INTEGER NOT NULL REFERENCES toolchain (id),
  kernel_id       INTEGER NOT NULL REFERENCES kernel (id),
  problem_id      INTEGER NOT NULL REFERENCES problem (id),
  timing          TEXT NOT NULL,  -- see model/timing_mode.hpp
  objective       TEXT NOT NULL,  -- time, energy, edp
  flops           REAL,  -- work of one launch, NULL where the spec does not say
  bytes           REAL,
  strategy        TEXT NOT NULL,
  budget          TEXT NOT NULL,
  seed            TEXT NOT NULL,  -- decimal: it may need all 64 bits, unsigned
  command_line    TEXT NOT NULL,
  space_signature TEXT NOT NULL,
  whole_space     INTEGER NOT NULL CHECK (whole_space IN (0, 1)),  -- 0: narrowed by hand
  pid             INTEGER NOT NULL
) STRICT;

INSERT INTO new_run
  (id, started, finished, device_id, toolchain_id, kernel_id, problem_id, timing, objective, flops,
  bytes, strategy, budget, seed, command_line, space_signature, whole_space, pid)
SELECT
  id, started, finished, device_id, toolchain_id, kernel_id, problem_id, CASE WHEN l2_flushed THEN
  'cold' ELSE 'warm' END, 'time', flops, bytes, strategy, budget, seed, command_line,
  space_signature, whole_space, pid
FROM run;
DROP TABLE run;
ALTER TABLE new_run RENAME TO run;

CREATE INDEX run_by_key ON run (kernel_id, problem_id, device_id);

CREATE TABLE new_measurement (
  id                    INTEGER PRIMARY KEY,
  run_id                INTEGER NOT NULL REFERENCES run (id),
  device_id             INTEGER NOT NULL REFERENCES device (id),
  toolchain_id          INTEGER NOT NULL REFERENCES toolchain (id),
  kernel_id             INTEGER NOT NULL REFERENCES kernel (id),
  problem_id            INTEGER NOT NULL REFERENCES problem (id),
  config_id             INTEGER NOT NULL REFERENCES config (id),
  timing                TEXT NOT NULL,  -- see model/timing_mode.hpp
  created               TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  phase                 TEXT NOT NULL,  -- search, final, baseline
  label                 TEXT NOT NULL,  -- baselines: their name
  status                TEXT NOT NULL,  -- ok, compile_error, launch_error, wrong_result, timeout,
                                        -- crashed, pruned
  reason                TEXT NOT NULL,
  max_error             REAL,  -- share of the tolerance; Inf also where it is no number
  compile_ms            REAL,
  gpu_ms                REAL,
  -- What the compiler said; registers is NULL where it did not come to that.
  registers             INTEGER,
  stack_bytes           INTEGER,
  spill_store_bytes     INTEGER,
  spill_load_bytes      INTEGER,
  static_shared_bytes   INTEGER,
  dynamic_shared_bytes  INTEGER,
  cubin_bytes           INTEGER,
  blocks_per_sm         INTEGER,
  theoretical_occupancy REAL,
  occupancy_limit       TEXT,
  -- What was timed; samples_ms is NULL where nothing was.
  median_ms             REAL,
  min_ms                REAL,
  p95_ms                REAL,
  mean_ms               REAL,
  ci_low_ms             REAL,
  ci_high_ms            REAL,
  sm_clock_mhz          REAL,
  throttled_samples     INTEGER,
  converged             INTEGER,
  discarded_early       INTEGER,
  -- Little-endian float64, back to back: numpy.frombuffer(x, '<f8'). Exact, and half the size of
  -- the digits. The last column, so that the others are read without its pages.
  samples_ms            BLOB
) STRICT;

INSERT INTO new_measurement
  (id, run_id, device_id, toolchain_id, kernel_id, problem_id, config_id, timing, created, phase,
  label, status, reason, max_error, compile_ms, gpu_ms, registers, stack_bytes, spill_store_bytes,
  spill_load_bytes, static_shared_bytes, dynamic_shared_bytes, cubin_bytes, blocks_per_sm,
  theoretical_occupancy, occupancy_limit, median_ms, min_ms, p95_ms, mean_ms, ci_low_ms,
  ci_high_ms, sm_clock_mhz, throttled_samples, converged, discarded_early, samples_ms)
SELECT
  id, run_id, device_id, toolchain_id, kernel_id, problem_id, config_id, CASE WHEN l2_flushed THEN
  'cold' ELSE 'warm' END, created, phase, label, status, reason, max_error, compile_ms, gpu_ms,
  registers, stack_bytes, spill_store_bytes, spill_load_bytes, static_shared_bytes,
  dynamic_shared_bytes, cubin_bytes, blocks_per_sm, theoretical_occupancy, occupancy_limit,
  median_ms, min_ms, p95_ms, mean_ms, ci_low_ms, ci_high_ms, sm_clock_mhz, throttled_samples,
  converged, discarded_early, samples_ms
FROM measurement;
DROP TABLE measurement;
ALTER TABLE new_measurement RENAME TO measurement;

-- What a run takes over from earlier ones.
CREATE INDEX measurement_by_key ON measurement
  (kernel_id, problem_id, device_id, toolchain_id, timing, phase, config_id, label);
-- The fastest where no run has ended.
CREATE INDEX measurement_fastest ON measurement
  (kernel_id, problem_id, device_id, toolchain_id, timing, median_ms)
  WHERE status = 'ok' AND phase <> 'baseline';

-- What is out of the race for good.
CREATE INDEX measurement_wrong ON measurement
  (kernel_id, problem_id, device_id, toolchain_id, config_id)
  WHERE status = 'wrong_result';

-- The runs that ended with a winner, by whatever objective. A configuration once seen wrong under the same toolchain is none,
-- whichever run saw it.
CREATE VIEW ended_run AS
SELECT run.id, run.kernel_id, run.problem_id, run.device_id, run.toolchain_id, run.timing,
       run.objective, run.whole_space, run.space_signature, run.finished, result.winner_id, result.verified, m.median_ms
FROM result
JOIN run ON run.id = result.run_id
JOIN measurement AS m ON m.id = result.winner_id
WHERE NOT EXISTS (
  SELECT 1 FROM measurement AS wrong
  WHERE wrong.kernel_id = run.kernel_id AND wrong.problem_id = run.problem_id
    AND wrong.device_id = run.device_id AND wrong.toolchain_id = run.toolchain_id
    AND wrong.config_id = m.config_id AND wrong.status = 'wrong_result'
    AND wrong.phase <> 'baseline');

-- The best of each kernel, device and problem: the fastest winner of the ended runs for time, cold before
-- warm before other modes, whole space before narrowed, the device's present toolchain before others;
-- where none ended with one, the fastest so far of the newest run that is going, was interrupted or was for energy.
CREATE VIEW winner AS
WITH
ranked AS (
  SELECT ended.*, row_number() OVER (
           PARTITION BY ended.kernel_id, ended.problem_id, ended.device_id
           ORDER BY ended.timing <> 'cold', ended.timing <> 'warm', ended.timing,
                    ended.whole_space DESC,
                    ended.toolchain_id IS device.toolchain_id DESC, ended.toolchain_id DESC,
                    ended.median_ms, ended.id DESC) AS place
  FROM ended_run AS ended JOIN device ON device.id = ended.device_id
  WHERE ended.objective = 'time'),
newest AS (
  SELECT kernel_id, problem_id, device_id, max(id) AS id
  FROM run
  WHERE run.objective <> 'time' OR NOT EXISTS (SELECT 1 FROM result WHERE run_id = run.id)
  GROUP BY kernel_id, problem_id, device_id)
SELECT kernel_id, problem_id, device_id, id AS ended_run_id, verified, winner_id AS measurement_id
FROM ranked
WHERE place = 1
UNION ALL
SELECT newest.kernel_id, newest.problem_id, newest.device_id, NULL, 'not recorded', (
         SELECT m.id
         FROM run
         JOIN measurement AS m
           ON m.kernel_id = run.kernel_id AND m.problem_id = run.problem_id
          AND m.device_id = run.device_id AND m.toolchain_id = run.toolchain_id
          AND m.timing = run.timing
         WHERE run.id = newest.id AND m.status = 'ok' AND m.phase <> 'baseline'
           AND m.median_ms IS NOT NULL
           AND NOT EXISTS (
             SELECT 1 FROM measurement AS wrong
             WHERE wrong.kernel_id = m.kernel_id AND wrong.problem_id = m.problem_id
               AND wrong.device_id = m.device_id AND wrong.toolchain_id = m.toolchain_id
               AND wrong.config_id = m.config_id AND wrong.status = 'wrong_result'
               AND wrong.phase <> 'baseline')
         ORDER BY m.median_ms, m.id
         LIMIT 1)
FROM newest
WHERE NOT EXISTS (
  SELECT 1 FROM ended_run AS ended
  WHERE ended.objective = 'time' AND ended.kernel_id = newest.kernel_id
    AND ended.problem_id = newest.problem_id AND ended.device_id = newest.device_id);

-- Speeds. The work is the same for every run of a kernel on a problem, and a measurement may have
-- been made by a run on another one.
CREATE VIEW speed AS
SELECT m.id AS measurement_id,
       (SELECT flops FROM run
        WHERE run.kernel_id = m.kernel_id AND run.problem_id = m.problem_id AND flops IS NOT NULL
        LIMIT 1) / (m.median_ms * 1e6) AS gflops,
       (SELECT bytes FROM run
        WHERE run.kernel_id = m.kernel_id AND run.problem_id = m.problem_id AND bytes IS NOT NULL
        LIMIT 1) / (m.median_ms * 1e6) AS gbps
FROM measurement AS m;
